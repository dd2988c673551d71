# 大屏幕与墙上的海报

screen-by-name = 第{ $round }轮（按姓名）
screen-publishes = 第{ $round }轮将于{ $at }公布
screen-code = 我在哪一台？
screen-waiting = 第一轮对阵公布后将在这里显示。
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
poster-hint = 打印此页（A4）贴在墙上。二维码始终指向最新公布的一轮。
poster-scan = 用手机扫描二维码。
poster-type = 输入姓名中的两个字、拼音首字母或编号。
poster-see = 即可看到台次、黑白与对手。
