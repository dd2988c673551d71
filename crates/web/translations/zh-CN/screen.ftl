# 大屏幕与墙上的海报

screen-by-name = 第{ $round }轮（按姓名）
screen-publishes = 第{ $round }轮将于{ $at }发布
screen-code = 我在哪一台？
screen-waiting = 第一轮对阵发布后将在这里显示。
screen-pages = 翻页
screen-back = 上一页
screen-next = 下一页
screen-hold = 停在此页
screen-again = 从头再放
screen-skip = 全部显示
screen-offline = 自{"{at}"}起没有连接，显示的内容可能已过时，正在重试。
screen-show = 显示内容
screen-everything = 全部
screen-link = 大屏幕
poster-link = 墙上海报
poster-title = 我在哪一台？
poster-hint = 打印此页（A4）贴在墙上。二维码始终指向最新发布的一轮。
poster-scan = 用手机扫描二维码。
poster-type = 输入姓名中的两个字、拼音首字母或编号。
poster-see = 即可看到台次、黑白与对手。

event-time-zone = 时区
time-zone-hint = 写时区名称，如 Asia/Shanghai 或 America/New_York；留空则与服务器相同。
refusal-not-a-time-zone = “{ $found }”不是时区，请写 Asia/Shanghai、Europe/Paris、America/New_York 之类的名称，或留空使用服务器的时区。
refusal-not-a-time = “{ $found }”不是时间，请写成 2027-04-10 14:45。
fault-not-a-time-zone = “{ $found }”不是时区：请写 IANA 时区名称，如 Asia/Shanghai 或 America/New_York。
fault-not-a-local-time = “{ $found }”不是赛场时间：请写成 2027-04-10T14:45，不带时差。
round-starts-title = 各轮开始时间
round-starts-hint = 按赛场的钟填写，会显示在比赛页面上，大屏幕据此倒计时。留空则不公布。
round-starts-n = 第{ $round }轮开始
schedule-title = 日程
screen-starts = 第{ $round }轮将于{ $at }开始
publish-at-title = 定时发布
publish-at-label = 时间（{ $zone }）
publish-at-hint = 在此之前仍是草稿，别人看不到；大屏幕显示倒计时。其间成绩有变动，则不会发布。
publish-at-round = 定时发布第{ $round }轮
keep-as-draft = 取消定时
done-publish-at = 第{ $round }轮将于{ $at }发布。
done-keep-as-draft = 第{ $round }轮仍是草稿，等待发布。
refusal-time-is-past = { $at }已经过去，现在是{ $now }。请选择更晚的时间，或立即发布。
refusal-no-such-time = { $zone } 的时钟会跳过 { $found }（调快时间）。请选择另一个时间。
fault-not-a-round = { $found } 不是轮次：轮次从 1 到 100。
edition-replaced = 第{ $edition }版已于{ $at }被替换，不再有效。
edition-that-counts = 现行的第{ $edition }版
sentence-and-reason = { $sentence }原因：{ $reason }。

# 打开着的页面会自行更新。
live-published = 第{ "{round}" }轮对阵已发布。
live-look = 查看
live-offline = 自{ "{at}" }起没有连接；显示的是当时的内容，正在重试。
live-gone = 此页面已不存在。
