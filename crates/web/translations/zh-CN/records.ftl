# Game records

refusal-record-by-directors = 本次比赛的棋谱由裁判提交。请把棋谱交给裁判。
    .title = 由裁判提交
refusal-record-wrong-code = 提交码与这一台不符。请核对裁判发给本台的提交码，并确认轮次和台次。
    .title = 提交码不符
refusal-too-many-codes = 提交码尝试次数过多。请在 { $minutes } 分钟后再试，或请裁判提交。
    .title = 尝试次数过多
