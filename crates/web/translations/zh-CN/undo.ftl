# 撤销操作、日志叙述、下一轮编排前的准备

refusal-unknown-act = 本赛事日志中没有第{ $seq }条。
    .title = 没有这一条
refusal-no-undo = 第{ $seq }条不能从日志中撤销。{ $way ->
        [remove-event] 请在设置页删除赛事。
        [record] 棋谱的每一版都保留：请在该台页面恢复其中一版。
        [people] 权限和链接请在人员页更改。
        [result-links] 请在成绩链接页新建或收回链接。
        [results] 请在成绩页重新上报，或由裁判长确认正确的成绩。
        [sign-ups] 请在报名页重新决定。
        [draws] 请在抽签页按下一份承诺重新抽签。
        [gone] 赛事已不在；其文件保存在全站日志里。
       *[secret] 以前印出的代码已失效：请打印新代码。
    }
    .title = 不能撤销
refusal-changed-since = 第{ $later }条在第{ $seq }条之后，并以它为前提。请先撤销第{ $later }条。
    .title = 之后还有改动
refusal-published-since = 第{ $round }轮已在其后发布，{ $number }号会因此上场或缺席。请先撤回第{ $round }轮的发布，或从下一轮起更改该棋手。
    .title = 其后已发布一轮
refusal-reason-too-long = 理由有{ $characters }字，最多保留{ $most }字：请写短一些。
    .title = 理由过长
log-publication-withdrawn = 撤回发布
log-undo = 撤销
log-at-its-time = 按设定的时间
log-not-published = 未发布：编排之后成绩或名单有变动
log-undo-reason = 原因（公开可见）
log-undo-n = 撤销第{ $seq }条
log-undone = 已撤销第{ $seq }条：{ $what }。
log-filter = 筛选
log-filter-any = 全部
log-filter-board = 台次
log-filter-player = 棋手（编号或姓名）
log-filter-kind = 事项
log-filter-by = 只看{ $name }的操作
log-filter-no-number = “{ $found }”不是台次或轮次：请写一个整数，如 12。
log-run-boards = 第{ $round }轮：{ $act }，{ $count }台
log-run-people = { $act }：{ $count }人
log-oldest-first = 从头看起
log-latest-first = 最新的在前
log-each = 逐条列出
log-as-story = 同类合并
log-later = 更晚
log-filter-clear = 显示全部
log-check = 现在核对整本日志的链条
log-result-said = 第{ $round }轮第{ $board }台 { $black }（黑）对 { $white }（白）：{ $act }，{ $result }
log-number = 条
withdrawn-table-title = 第{ $round }轮已撤回的对阵表
withdrawn-table = 第{ $edition }版，{ $at }由{ $by }撤回
withdrawn-table-none = 第{ $round }轮没有撤回过已发布的对阵表。
withdrawn-table-reason = 原因：{ $reason }
withdrawn-table-not-valid = 这些对阵表已经作废，保留在此供大家查对改动。
ready-title = 第{ $round }轮编排之前
ready-results = 第{ $last }轮成绩已全部录入。
ready-forfeits = { $player }已弃权两次以上。
ready-forfeits-do = 退赛？
ready-too-few = 第{ $round }轮参赛{ $count }人，至少要有两人才能编排。
ready-odd = { $count }人，人数为奇，须有一人轮空。积分最低且尚未轮空：{ $players }
ready-even = { $count }人，人数为偶，无人轮空。
ready-absent = 第{ $round }轮不参加：{ $players }。
ready-not-drawn = 编号未经抽签，现为录入的次序。
ready-nobody-here = 还没有人签到。
ready-not-here = 未签到（{ $count }人）：{ $players }。
ready-not-here-do = 去找人，或不编入
ready-look = 查看
log-numbers-put-back = 退回抽签编号
log-groups-put-back = 退回分组抽签
draw-put-back = { $drawn }抽过一次，{ $at }退回，不再有效。当时的秘密数是{ $secret }。
