# 赛事改动被拒绝时的说明：什么不对，涉及什么，怎么办

refusal-unknown-event = 没有赛事“{ $key }”，请在赛事列表中查找。
    .title = 没有这个赛事
refusal-unknown-entry = 没有编号{ $number }，请查看名单。
    .title = 没有这个编号
refusal-unknown-round = 没有第{ $round }轮。
    .title = 没有这一轮
refusal-unknown-board = 第{ $round }轮没有第{ $board }台。
    .title = 没有这一台
refusal-unknown-user = 没有这个用户。
    .title = 没有这个用户
refusal-unknown-token = 没有这个令牌。
    .title = 没有这个令牌
refusal-stale = 内容已被他人更改。请重新查看，如仍需要再提交更改。
    .title = 已被更改
refusal-slug-taken = 地址“{ $slug }”已被其他赛事使用，请换一个。
    .title = 地址已占用
refusal-bad-slug = “{ $slug }”不能用作地址：请用 1 到 80 个小写字母、数字或其他文字，以单个连字符连接。
    .title = 地址不可用
refusal-number-taken = 编号{ $number }已属于他人，请选一个空号。
    .title = 编号已占用
refusal-no-number-left = { $last }之后没有可用的编号，请自行给出编号。
    .title = 没有可用编号
refusal-numbers-fixed = 已有编排或带入的成绩时，编号不能再变。请先撤销各轮。
    .title = 编号已固定
refusal-nothing-promised = { $kind ->
        [round] 第{ $round }轮
        [numbers] 编号抽签
       *[groups] 分组抽签
    }没有预先承诺：只有设置了抽签才有。
    .title = 没有承诺
refusal-words-closed = { $kind ->
        [round] 第{ $round }轮
        [numbers] 编号抽签
       *[groups] 分组抽签
    }不再接受公开词：最后一个成绩已录入，或已抽签。
    .title = 不再接受公开词
refusal-nothing-drawn = { $kind ->
        [round] 第{ $round }轮
        [numbers] 编号
       *[groups] 分组
    }尚未抽签。
    .title = 尚未抽签
refusal-drawn-already = { $kind ->
        [round] 第{ $round }轮
        [numbers] 编号
       *[groups] 分组
    }已经抽过签（{ $at }）。重抽会改变所有人的结果：请勾选重抽，所有人都能看到抽了两次。
    .title = 已经抽过签
refusal-groups-fixed = 分组只能在第一轮之前抽签。之后请逐人修改组别。
    .title = 分组已定
refusal-categories-there = 已有{ $count }人填了组别。请勾选以分组结果替换。
    .title = 已有组别
refusal-too-many-words = 公开词已有{ $most }个，不能再加。
    .title = 公开词太多
refusal-unknown-word = 公开词{ $position }已不存在。
    .title = 没有这个公开词
refusal-public-word-empty = 公开词为空。至少写一个字符。
    .title = 公开词为空
refusal-public-word-too-long = 公开词有{ $characters }个字符，最多{ $most }个。
    .title = 公开词太长
refusal-public-word-control = 公开词中有换行或其他控制字符。请写在一行内。
    .title = 不在一行内
refusal-numbers-too-many = { $entries }人抽编号，编号最多{ $most }个。
    .title = 人数太多
refusal-slot-count = 种子有{ $seeded }人，种子位有{ $slots }个。请给出同样多的种子位，或留空由程序均匀分布。
    .title = 种子与种子位不符
refusal-no-such-slot = 种子位{ $slot }不在编号1至{ $entries }之内。
    .title = 没有这个种子位
refusal-slot-order = 种子位{ $slot }排在更大或相同的种子位之后。请从小到大、每个只写一次。
    .title = 种子位次序不对
refusal-no-such-seeded-entry = 第{ $place }名种子不在{ $entries }人之中。
    .title = 没有这名种子
refusal-group-count = 可分为2至{ $most }组，不能分为{ $groups }组。
    .title = 组数
refusal-groups-without-entries = { $entries }人不够分为{ $groups }组。
    .title = 人数太少
refusal-empty-layer = 每层至少一人。
    .title = 空层
refusal-first-round-fixed = 已有编排时，起始轮次不能再变。请先撤销各轮。
    .title = 起始轮次已固定
refusal-skipped-time = { $zone } 的时钟会跳过 { $local }（调快时间）。请为第{ $round }轮选择另一个开始时间。
    .title = 没有这个时间
refusal-fewer-than-paired = 已经有第{ $last }轮，轮数不能只有{ $planned }。请先撤销后面的轮次。
    .title = 轮数太少
refusal-draft-exists = 第{ $round }轮已由{ $by }于{ $at }编排，是草稿：请发布或撤销。
    .title = 已有草稿
refusal-round-exists = 第{ $round }轮已由{ $by }于{ $at }编排，请直接查看。
    .title = 已经编排
refusal-not-next-round = 下一轮应编排第{ $next }轮，不是第{ $round }轮。
    .title = 不是下一轮
refusal-not-last-round = 第{ $round }轮不是最后一轮。请先撤销第{ $last }轮。
    .title = 不是最后一轮
refusal-not-published = 第{ $round }轮还没有发布，请先发布。
    .title = 尚未发布
refusal-has-results = 第{ $round }轮第{ $boards }台已有成绩（{ $count }台），请先清除。
    .title = 已有成绩
refusal-outdated = 第{ $round }轮编排之后情况有变{ $results_count ->
        [0] { "" }
       *[other] ；成绩有改动（轮/台）：{ $results }
    }{ $gone_count ->
        [0] { "" }
       *[other] ；已退出：{ $gone }
    }{ $unseated_count ->
        [0] { "" }
       *[other] ；新加入：{ $unseated }
    }。请撤销后重新编排，或确认保持不变。
    .title = 草稿已过时
refusal-table = 这样的对阵不成立{ $twice_count ->
        [0] { "" }
       *[other] ；出现不止一次：{ $twice }
    }{ $against_oneself_count ->
        [0] { "" }
       *[other] ；与自己对局：{ $against_oneself }
    }{ $missing_count ->
        [0] { "" }
       *[other] ；没有安排：{ $missing }
    }{ $not_playing_count ->
        [0] { "" }
       *[other] ；本轮不参加：{ $not_playing }
    }{ $unknown_count ->
        [0] { "" }
       *[other] ；没有这个编号：{ $unknown }
    }{ $too_many_byes_count ->
        [0] { "" }
       *[other] ；轮空不止一人：{ $too_many_byes }
    }。请给每人安排一个位置。
    .title = 对阵不成立
refusal-repeats = 第{ $round }轮中{ $pairs }将重复对局。请确认，或更改对阵。
    .title = 重复对局
refusal-has-played = 编号{ $number }在第{ $rounds }轮的对阵中。请办理退赛，不要删除。
    .title = 已有对局
refusal-met-in-carried = 编号{ $number }是{ $by }带入成绩中的对手。请办理退赛，不要删除。
    .title = 已是他人的对手
refusal-already-withdrawn = 编号{ $number }已在第{ $after }轮之后退赛。请先取消退赛。
    .title = 已退赛
refusal-not-withdrawn = 编号{ $number }没有退赛。
    .title = 没有退赛
refusal-return-too-early = 编号{ $number }一直参加到第{ $after }轮。请选择更后的轮次恢复。
    .title = 恢复轮次太早
refusal-beyond-rounds = 本赛事共{ $planned }轮，没有第{ $round }轮。请填写第{ $least }轮至第{ $planned }轮中的一轮。
    .title = 没有这一轮
refusal-played-later = 编号{ $number }在第{ $round }轮已有成绩。请让退赛从该轮之后算起。
    .title = 之后有对局
refusal-unstorable = 文字中含有 NUL 字符，请删除。
    .title = 字符不可用
refusal-constraint = 无法保存：内容已有变化或不相符。请重新查看。
    .title = 无法保存
refusal-seated-now = 编号{ $number }在已发布的第{ $round }轮第{ $board }台。请选择：对手胜（弃权），由他人替补，或撤销本轮重新编排。
    .title = 正在台上
refusal-on-table = 编号{ $number }在已发布的第{ $round }轮对阵中。请先更改该轮对阵。
    .title = 在对阵中
refusal-has-board = 编号{ $number }已在第{ $round }轮第{ $board }台。
    .title = 已有台次
refusal-has-no-place = 编号{ $number }在第{ $round }轮既没有台次也没有轮空。请先在该轮为其安排台次，或保持缺席。
    .title = 没有位置
refusal-colours-assigned = 第{ $round }轮第{ $board }台由编排定为编号{ $number }执黑；即使对局中拿错了棋色，仍以编排的棋色为准（第17.1条）。只有猜先的比赛才记录实际由谁执黑。
    .title = 棋色已由编排确定
refusal-not-at-board = 编号{ $number }不在第{ $round }轮第{ $board }台。
    .title = 不在这一台
refusal-not-playing = 编号{ $number }不参加第{ $round }轮。请先恢复参赛。
    .title = 不参加
refusal-same-entry = 编号{ $number }出现了两次，请给出两个不同的编号。
    .title = 编号重复
refusal-board-twice = 第{ $board }台在列表中出现了两次，每台只写一次。
    .title = 台次重复
refusal-user-exists = 已有用户“{ $name }”，请换一个名字。
    .title = 用户名已占用
refusal-empty-name = 名称为空。
    .title = 没有名称
refusal-admin-exists = 已经有管理员。请登录，或请管理员开设账号。
    .title = 已经设置
refusal-setup-link-spent = 这个链接已经用过或已过期。请重新启动服务器以得到新的链接。
    .title = 链接失效

refusal-missing-results = 第{ $round }轮还缺{ $count }台成绩：{ $boards }。请录入，或确认本次编排暂按和棋计算。
    .title = 缺少成绩
refusal-too-few-players = { $count ->
        [0] 参赛人数不足：第{ $round }轮至少要有两人，现在没有可编排的棋手。
       *[other] 参赛人数不足：第{ $round }轮至少要有两人，可编排的只有一人（{ $active }）。
    }{ $given ->
        [0] 请加入参赛者，恢复退赛或缺席的棋手，或就此结束比赛。
       *[other] 请收回一个轮空（{ $byes }），或恢复退赛或缺席的棋手。
    }
    .title = 人数不足
refusal-repeats-needed = 第{ $round }轮不重复对局就无法编排。{ refusal-shortage }最少的重复是：{ $pairs }。可行的办法：{ $ways }。
    .title = 需要重复对局
refusal-no-table = 第{ $round }轮无法编排。{ refusal-shortage }可行的办法：{ $ways }。
    .title = 对手不足
refusal-shortage = { $shape ->
        [one] 棋手{ $players }
        [each] { $groups }名棋手（{ $players }）
        [group] 棋手{ $players }人数为奇数且只能互相对局，
       *[groups] { $groups }组棋手，各组人数为奇数且只能在组内相遇（{ $players }），
    }{ $room ->
        [0] 没有可能的对手
       *[other] 只有{ $room }名可能的对手（{ $opponents }）
    }{ $bye ->
        [yes] 和一个轮空
       *[no] {""}
    }。限制来自：{ $rules }{ $barred ->
        [0] {""}
       *[other] （{ $barred_pairs }）
    }。
refusal-contradictions = 第{ $round }轮的指定互相矛盾，无法编排。请各收回其一。
    .title = 指定互相矛盾
fault-choice-unknown = 没有编号为{ $number }的报名。
fault-choice-oneself = { $number }在一对中出现了两次。
fault-choice-not-playing = { $number }已退赛或本轮缺席。
fault-choice-stopped = { $number }已达到不再编排的分数。
fault-choice-two-pairs = { $number }被指定同时与{ $first }和{ $second }对局。
fault-choice-meet-and-apart = { $first }和{ $second }既被指定对局，又被指定不对局。
fault-choice-barred = { $first }和{ $second }被指定对局，但不允许：{ $rule }。
fault-choice-two-places = { $number }既{ $first }，又{ $second }。
refusal-seed-needed = 第{ $round }轮靠抽签编排，请先抽取种子。
    .title = 尚未抽取种子
refusal-no-round-left = 计划的{ $planned }轮都已编排。要再编排，请增加轮数。
    .title = 没有剩余轮次

# 赛事中的单个错误

fault-duplicate-number = 编号{ $number }给了两人：请给其中一人另一个编号。
fault-unknown-number = 没有编号{ $number }：请加上该棋手，或改正编号。
fault-two-boards = 棋手{ $number }在第{ $round }轮同时在第{ $first }台和第{ $second }台：请从其中一台移走该棋手。
fault-against-oneself = 第{ $round }轮第{ $board }台让棋手{ $number }与自己对局：请写出对手。
fault-two-places = 棋手{ $number }在第{ $round }轮有两个位置（{ $first }和{ $second }）：请只保留一个。
fault-listed-twice = 棋手{ $number }在第{ $round }轮列了两次：请只保留一个。
fault-duplicate-board = 第{ $round }轮第{ $board }台出现了两次：请逐台编号。
fault-board-zero = 台次从 1 开始。
fault-round-out-of-order = 应为第{ $expected }轮的位置是第{ $found }轮：请从第一轮起依次列出各轮。
fault-too-many-rounds = 第{ $round }轮超出了计划的{ $planned }轮：请增加轮数，或去掉这一轮。
fault-negative-score = 积分不能为负（{ $score }）：请写 0 或更大的数，胜一局为 2 分。
fault-out-of-range = { $found }不在{ $least }到{ $most }之间：请写其间的整数。
fault-empty-name = 名称为空：请填写。
fault-too-long = 文字超过{ $most }个字符：请缩短。
fault-not-with-result = 弃权、和棋或未下的对局没有“{ $field }”：请去掉，或改正成绩。
fault-not-pending = 没有成绩的台次没有“{ $field }”：请录入成绩，或去掉。
fault-met-oneself = 棋手{ $number }不可能与自己对局过：请写出对手。
fault-duplicate-criterion = 名次依据“{ $criterion }”出现了两次：请只保留第一个。
fault-control-character = 文字中有换行或其他控制字符：请写在一行内。
fault-bye-while-absent = 棋手{ $number }在第{ $round }轮既申请轮空又缺席：请只保留一项。
fault-duplicate-lot = 棋手{ $number }抽了两次签：请只保留一个。
fault-pair-of-one = 棋手{ $number }在一对中出现了两次：请写两位棋手。
fault-duplicate-pair = 棋手{ $first }和{ $second }的回避写了两次：请只保留一个。

# 赛事文件中的单个错误

fault-file-too-large = 文件无法接受：{ $what }。
fault-not-utf8 = 文件不是 UTF-8 编码：请另存为 UTF-8。
fault-syntax = 此处不是 JSON：{ $what }。
fault-wrong-format = 这不是赛事文件：“format”应为“tianyuan-event”。
fault-wrong-version = 不认识赛事文件的版本{ $found }，只认识版本 1：请重新导出，或使用更新的程序。
fault-not-whole = 此处不能是{ $found }：请写整数。
fault-not-a-komi = “{ $found }”不是贴目数：请写以一、二分之一或四分之一为单位、不超过 400 的小数，如 3.75、6.5 或 0。
fault-unlikely-year = 赛事不会在{ $found }年，多半是笔误：请写{ $least }至{ $most }之间的年份。
fault-unlikely-komi = 没有比赛贴{ $found }：请写不超过{ $most }的数。负数表示倒贴给黑方，用于弱方固定执黑的比赛。
fault-not-in-the-unit = 本赛事的规则以{ $unit }计，{ $field }不能是{ $found }：请写整{ $unit }或半{ $unit }。
fault-unknown-rules = “{ $found }”不在可用的规则之中：{ $expected }。
fault-not-a-date = “{ $found }”不是日期：请按 2026-05-01 的样子写年月日。
fault-not-a-moment = “{ $found }”不是一个时刻：请连同时差写成 2027-04-10T06:45:00Z，最细到微秒。
fault-skipped-time = { $zone } 的时钟会跳过 { $local }（拨快）：请写别的时间。
fault-round-twice = 第{ $round }轮在这里写了两次：请保留一个。
fault-no-such-board = 此轮之前的第{ $round }轮没有第{ $board }台，或者写了两次：请去掉这条先前成绩。
fault-final-but-pending = 第{ $round }轮第{ $board }台还没有成绩，赛事不能算定稿：请录入成绩，或去掉“final”。
fault-not-a-seed = “{ $found }”不是抽签种子：请写 64 位十六进制数。
fault-size-without-balance = “balance_size”给出了局数，却没有颜色：请加上“balance”（white 或 black），或去掉“balance_size”。
fault-carried-from-nowhere = 带入了成绩，却没有说明来自多少轮：请在“event”中加上“first_round”，即下一轮的轮次。
fault-more-problems = 还有{ $count }处错误：请先改正以上各处。

fault-word-a-board = 台次
fault-word-a-bye = 轮空
fault-word-an-absence = 缺席
fault-word-stones = 子
fault-word-points = 目
fault-word-earlier-meetings = 以前的对局
fault-word-forbidden-pairs = 禁止的配对
fault-word-what-was-fixed-for-this-round = 本轮的指定
fault-word-absolute-team-avoidance = 同单位绝对回避
fault-word-the-ban-of-a-third-colour-running = 禁止连续三局同色
fault-word-confirm-repeats = 确认重复对局
fault-word-lift-a-forbidden-pair = 取消一个禁止的配对
fault-word-take-back-what-was-fixed-for-this-round = 收回本轮的指定
fault-word-make-team-avoidance-strong-instead-of-absolute = 把同单位回避由绝对改为优先
fault-word-let-a-third-colour-running-be-avoided-instead-of-forbidden = 把连续三局同色由禁止改为尽量避免
fault-word-lift-several-of-these-rules = 放宽其中几项
fault-word-change-who-takes-part = 调整参赛棋手
fault-word-a-fixed-opponent = 已指定对手
fault-word-the-bye = 轮空
fault-word-to-sit-out = 被指定不参加本轮
fault-word-true-or-false = 真假值
fault-word-a-number = 数字
fault-word-a-whole-number = 整数
fault-word-a-text = 文字
fault-word-a-text-in-double-quotes = 双引号中的文字
fault-word-a-list = 列表
fault-word-a-list-of-two-numbers = 两个编号的列表
fault-word-an-object = 对象
fault-word-nothing = 空值
fault-no-criterion = 名次依据为空：请至少选择一项。

# 文件为何不是 JSON

fault-word-lists-and-objects-are-nested-more-than-32-deep = 列表和对象嵌套超过 32 层
fault-word-the-file-is-larger-than-16-MiB = 文件大于 16 MiB
fault-word-the-file-holds-more-than-4000000-values = 文件中的值超过 4000000 个
fault-word-the-file-is-empty--an-event-file-is-a-JSON-object = 文件是空的，赛事文件应为一个 JSON 对象
fault-word-the-file-ends-where-a-value-should-come = 文件在应有值的位置结束
fault-word-the-file-ends-where-a-name-in-double-quotes-should-come = 文件在应有双引号中的字段名的位置结束
fault-word-the-file-ends-where-a-colon-should-come = 文件在应有冒号的位置结束
fault-word-the-file-ends-where-a-comma-or---should-come = 文件在应有逗号或右括号的位置结束
fault-word-the-file-ends-where-the-closing-quote-of-a-text-should-come = 文件在文字的右引号之前结束
fault-word-something-else-stands-where-a-value-should-come = 此处应为一个值
fault-word-something-else-stands-where-a-name-in-double-quotes-should-come = 此处应为双引号中的字段名
fault-word-something-else-stands-where-a-colon-should-come = 此处应为冒号
fault-word-something-else-stands-where-a-comma-or---should-come = 此处应为逗号或右括号
fault-word-a-comma-stands-before-the-closing-bracket--take-it-away = 右括号前多了一个逗号，请去掉
fault-word-something-follows-after-the-end-of-the-event--take-it-away = 赛事结束之后还有内容，请去掉
fault-word-a-text-holds-a-line-break-or-another-control-character--write-it-as--n-or--u = 文字中有换行或其他控制字符，请写成 \n 或 \u
fault-word-after-a-backslash-stands-none-of-------b-f-n-r-t-u = 反斜杠之后只能是 " \ / b f n r t u
fault-word--u-names-half-of-a-character--write-both-halves-or-the-character = \u 只给出了半个字符，请写出两半或字符本身
fault-word-this-is-no-number-as-JSON-writes-them--12---3--0-5 = 这不是 JSON 的数字，请写成 12、-3、0.5 的样子

refusal-no-record = 第{ $round }轮第{ $board }台没有这份棋谱：可能尚未提交，或已被撤下。保留的各份棋谱由裁判查看。
    .title = 没有这份棋谱
refusal-record-from-director = 第{ $round }轮第{ $board }台的棋谱已由裁判提交。请把您的棋谱交给裁判。
    .title = 棋谱已由裁判提交
refusal-record-is-withdrawn = 第{ $round }轮第{ $board }台的这份棋谱已被裁判撤下。请询问裁判。
    .title = 这份棋谱已被撤下
refusal-too-many-records = 第{ $round }轮第{ $board }台已有{ $most }份棋谱，不再接受。裁判可以恢复其中先前的一份；棋手请告诉裁判。
    .title = 棋谱过多
refusal-records-full = 本次比赛不再接受棋手提交的棋谱。请把您的棋谱交给裁判。
    .title = 不再接受棋谱
refusal-record-size = 棋谱文件应为1至{ $most }字节。请另选文件。
    .title = 文件为空或过大
fault-not-a-board = 没有{ $found }路的棋盘：请写2至52的数。
fault-not-a-point = “{ $found }”不是棋盘上的点：请照棋谱写两个字母，如 pd。
refusal-record-refused = { $told }
    .title = 这份棋谱无法判定
refusal-too-many-checks = 一分钟内提交的棋谱过多。请等{ $minutes }分钟，或使用账号。
    .title = 棋谱过多
refusal-unknown-family = 没有“{ $key }”这个分组赛事，请在赛事列表中查找。
    .title = 没有这个赛事
refusal-too-many-groups = 最多{ $most }个组，不能有{ $found }个。
    .title = 组太多
refusal-bad-label = 组名要有1至{ $most }个字，“{ $label }”不行。
    .title = 组名不合适
refusal-label-twice = 有两个组都叫“{ $label }”，请改一个组名。
    .title = 组名重复
refusal-bad-first-board = “{ $label }”的起始台次应在1至{ $most }之间。
    .title = 起始台次不对
refusal-group-elsewhere = “{ $label }”已属于“{ $family }”，请先在那里移出。
    .title = 已在别处
refusal-groups-paired = { $labels }已有编排。请先撤销那些轮次；或只解除分组，各组赛事保留。
    .title = 已有编排
refusal-without-category = 还有人没有组别：编号{ $numbers }。请先分组抽签，或逐人填写组别。
    .title = 有人没有组别
refusal-one-category = 所有人都在同一个组别，无从分组。请先分组抽签，或在名单中填写组别。
    .title = 只有一个组别
refusal-in-groups = 什么也没有改动，因为这些组不能这样做：{ $groups }。请先处理下列问题。
    .title = 有的组不能这样做
refusal-nothing-in-groups = 现在没有哪个组可以这样做。请看各组下一步。
    .title = 没有可做的组
