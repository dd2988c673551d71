# 赛前：名单、报名、签到

import-entries = 导入名单
import-entries-intro = 选择文件，或从电子表格复制后粘贴，每行一人。可带中文或英文表头，次序不限：编号、姓名、单位、段位、等级分、组别、起始分。先逐行预览，确认后才加入。
import-entries-file = 或选择文件
import-entries-file-hint = Excel 工作簿（.xlsx）、CSV 或文本，不超过 5 MiB、{ $most } 行。
list-encoding = 文本文件的编码
list-encoding-found = 自动识别
list-in-encoding = 按 { $encoding } 读取。姓名若有乱码，请返回并选择编码。
list-of-sheet = 工作表“{ $sheet }”{ $others ->
        [0] 。
       *[other] ；另有{ $others }张工作表未读。
    }
list-summary = 新增{ $new }人，更改{ $changed }人，相同{ $same }人，不能加入{ $bad }行
list-keep = { $changed ->
        [0] 加入这{ $new }人
       *[other] 全部导入：新增{ $new }人，更改{ $changed }人
    }
list-namesakes = 名单中同名者是不同的人
done-list-taken = 名单已导入：新增{ $new }人，更改{ $changed }人。
col-what-happens = 如何处理
column-named-left-out = “{ $heading }”（略去）
row-new = 新增
row-same = 与{ $number }号相同，不变
row-same-otherwise = 即{ $number }号，写法不同，保留原名
row-changed = 更改{ $number }号：{ $changes }
row-changes = { $field } { $before } → { $after }
row-fills = { $field } → { $after }
refusal-list-too-large = 名单超过 5 MiB：请去掉图片和用不到的列，或分成几份。
    .title = 名单过大
refusal-list-too-many-rows = 名单超过 { $most } 行，请分成几份。
    .title = 行数过多
refusal-list-too-many-columns = 名单超过 200 列，请去掉与报名无关的列。
    .title = 列数过多
refusal-list-empty = 名单里没有人：每行一人，至少要有姓名。
    .title = 名单为空
refusal-list-no-text = 无法读取这个文件的文字：请存为 .xlsx 或 UTF-8 的 CSV，或选择编码。
    .title = 不是文本
refusal-list-not-in-encoding = 文件不是 { $encoding } 编码：请改为自动识别，或选择别的编码。
    .title = 编码不符
refusal-list-old-workbook = 这是旧格式（.xls）或加了密码的工作簿：请去掉密码存为 .xlsx，或存为 CSV。
    .title = 旧格式工作簿
refusal-list-bad-workbook = 无法读取工作簿（{ $why }）：请用表格软件打开后重新保存。
    .title = 无法读取工作簿
refusal-list-inflates = 工作簿解压后超过 64 MiB：请把名单单独复制到新的工作簿。
    .title = 工作簿过大
refusal-list-column-twice = { $first }列与{ $second }列的表头意思相同：请改名或删去其中一列。
    .title = 列重复
refusal-list-refused = 有{ $count }处使名单不能导入，已逐行列出。没有任何更改。
    .title = 名单未导入
fault-cell-no-name = 没有姓名
fault-cell-not-a-number = { $column }列：“{ $found }”不是 1 到 99999 的编号；留空则取下一个空号
fault-cell-not-a-grade = { $column }列：“{ $found }”不是段位：请写 5段、九段、3级，或 5d、9p、3k，也可留空
fault-cell-not-a-rating = { $column }列：“{ $found }”不是等级分：请写整数，如 2310
fault-cell-not-a-score = { $column }列：“{ $found }”不是起始分：请写 0 到 1000 的整数
fault-cell-too-long = { $column }列超过 200 字
fault-cell-spreadsheet-error = { $column }列：表格此处有错误 { $found }
fault-row-number-taken = { $number }号是{ $name }：请改编号，或到该棋手的页面改姓名
fault-row-number-twice = 编号与第{ $line }行相同
fault-row-name-twice = 与第{ $line }行同名：请删去一行，或说明是不同的人
fault-row-other-number = 已报名，编号{ $number }：请去掉编号，或说明是不同的人
fault-row-other-team = 已报名，编号{ $number }，单位{ $team }：要改单位请写编号，否则请说明是不同的人
fault-row-several-named = 已有几位同名者（{ $numbers }号）：请写编号或单位
import-another-file = 另选文件
