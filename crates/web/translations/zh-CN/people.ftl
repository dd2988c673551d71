# 人员与权限

role-admin = 管理员
role-director = 编排员
role-arbiter = 裁判员
role-viewer = 观察员

manage-none-given = 您还没有任何赛事的权限。编排员会用链接给您。
you-only-view = 您是本赛事的观察员：能看到编排员看到的一切，但不能更改。

refusal-needs-director = { $yours ->
        [arbiter] 这需要“{ $event }”编排员的权限。{ $name }，您是本赛事的裁判员，可以录入和清除成绩。请让编排员来做，或向编排员要求权限。
        [viewer] 这需要“{ $event }”编排员的权限。{ $name }，您是本赛事的观察员，可以看到一切但不能更改。请让编排员来做，或向编排员要求权限。
       *[other] 这需要“{ $event }”编排员的权限。{ $name }，您在本赛事没有权限。请向本赛事的编排员或管理员要求。
    }
    .title = 您不是本赛事的编排员
refusal-needs-arbiter = { $yours ->
        [viewer] 录入成绩需要“{ $event }”裁判员或编排员的权限。{ $name }，您是本赛事的观察员，可以看到一切但不能更改。请向编排员要求权限。
       *[other] 录入成绩需要“{ $event }”裁判员或编排员的权限。{ $name }，您在本赛事没有权限。请向本赛事的编排员或管理员要求。
    }
    .title = 您不是本赛事的裁判员
refusal-needs-viewer = { $yours ->
        [arbiter] 这里只给“{ $event }”的编排员和观察员看。{ $name }，您是本赛事的裁判员，可以录入和清除成绩。请向编排员要求权限。
       *[other] 这里只给“{ $event }”的工作人员看。{ $name }，您在本赛事没有权限。请向本赛事的编排员或管理员要求。
    }
    .title = 您不能看赛事的这一部分
refusal-needs-maker = 新建赛事需要编排员账号。{ $name }，您的账号是{ $yours ->
        [arbiter] 裁判员
       *[other] 观察员
    }账号。请让管理员更改。
    .title = 您不能新建赛事
refusal-needs-admin = 账号由管理员管理。{ $name }，您不是管理员，请找管理员。
    .title = 您不是管理员

refusal-last-admin = { $name }是唯一的管理员。请先让别人成为管理员。
    .title = 最后一位管理员
refusal-last-director = { $name }是本赛事唯一的编排员。请先让别人成为编排员。
    .title = 最后一位编排员
refusal-not-among-people = 此人在本赛事（已）没有权限。请重新查看名单。
    .title = 不在工作人员中
refusal-unknown-invitation = 这里没有这个链接。请重新查看列表。
    .title = 没有这个链接
refusal-invitation-spent = 这个链接已用过、已过期或已收回。请向发给您的人要一个新的。
    .title = 链接失效
refusal-account-closed = 账号“{ $name }”已停用。请让管理员重新启用。
    .title = 账号已停用

log-right-given = 给予权限
log-right-changed = 更改权限
log-right-taken = 收回权限
log-invitation-made = 发出邀请
log-invitation-revoked = 收回邀请
log-field-user = 账号
log-field-right = 权限
log-field-for = 给
log-field-until = 有效至
log-value-director = 编排员
log-value-arbiter = 裁判员
log-value-viewer = 观察员

withheld-name = 棋手{ $number }
name-withheld = 不公开姓名
name-withheld-hint = 公开页面、文件和接口只显示编号和单位；编排与名次不受影响。
col-name-withheld = 不公开姓名
name-withheld-mark = 不公开姓名
log-field-name-withheld = 不公开姓名

rail-people = 人员
users = 账号
account = 我的账号
role-director-is = 可做本赛事的一切
role-arbiter-is = 录入和清除成绩；看不到草稿
role-viewer-is = 能看到编排员看到的一切（包括草稿和日志）；不能更改
people-none = 还没有人在本赛事有权限，由管理员照看。
you = 您
account-closed = 账号已停用
account-closed-since = { $at }起停用
col-account = 账号
col-right = 权限
col-role = 角色
col-since = 自
col-until = 至
col-for-whom = 给谁
col-made = 发出
col-state = 状态
col-browser = 浏览器
col-token = 令牌
made-at-by = { $at }，{ $name }
right-of = { $name }的权限
role-of = { $name }的角色
change-right = 更改权限
take-right = 收回权限
change-role = 更改角色
close-account = 停用账号
open-account = 重新启用
password-link = 重设密码的链接
invite-title = 邀请
invite-intro = 得到一个7天内有效、只能用一次的链接。打开它的人用已有账号或新账号取得权限。
invite-note = 给谁（只显示在列表中）
invite-button = 生成链接
invite-user-title = 邀请加入本站
invite-user-intro = 得到一个7天内有效、只能用一次的链接。编排员可以新建赛事；裁判员和观察员只有各赛事给予的权限。
invitations-title = 链接
link-once = 这个链接只显示这一次，请现在复制。
link-for-account = 账号：{ $role }
link-for-password = { $name }的新密码
link-made-account = 已生成{ $role }账号的链接，只能用一次，有效至{ $until }。
link-made-password = 已生成重设{ $name }密码的链接，只能用一次，有效至{ $until }；请只发给本人。
invitation-made-event = 已生成“{ $event }”{ $role }的链接，只能用一次，有效至{ $until }。
invitation-used = { $at }已由{ $name }使用
invitation-revoked = { $at }已收回
invitation-until = 有效至{ $at }
invitation-ran-out = { $at }已过期
revoke-invitation = 收回
done-right-changed = 权限已更改。
done-right-taken = 权限已收回。
done-invitation-revoked = 链接已收回。
done-role-changed = 角色已更改。
done-account-closed = 账号已停用：会话已全部结束，令牌失效。
done-account-opened = 账号已重新启用。
done-password-changed = 密码已更改，其他会话已全部结束。
done-signed-out-everywhere = 已在所有地方退出。
done-session-ended = 会话已结束。
done-token-revoked = 令牌已作废。
done-right-given = 您现在是“{ $event }”的{ $role }。
done-account-made = 您已作为{ $role }登录。

invitation = 邀请
offer-event = { $from }邀请您担任“{ $event }”的{ $role }。
offer-site = { $from }邀请您作为{ $role }加入本站。
offer-password = 请为账号“{ $name }”选择新密码。该账号的所有会话将结束。
accept-as = 以{ $name }接受
accept-other = 用别的账号
accept-new = 新建账号并接受
accept-signing-in = 登录并接受
invitation-password-hint = 已有账号：填其密码。新账号：
set-password = 设置密码

old-password = 旧密码
new-password = 新密码
change-password = 更改密码
change-password-hint = 其他会话将全部结束。
password-strength-hint = 几个互不相干的词好记又难猜。姓名、日期、键盘顺序和常见密码会被拒绝。
no-password = 这个账号没有密码。请向管理员要一个设置密码的链接。
sessions = 会话
sessions-none = 没有人用这个账号登录。
session-here = 当前
browser-unknown = 未知浏览器
end-session = 结束
sign-out-everywhere = 在所有地方退出
token = 令牌
tokens = 程序用的令牌
tokens-intro = 令牌让程序做您可以做的事。程序不再使用时请作废。
token-once = 这个令牌只显示这一次，请现在复制。
token-for = 令牌的用途
token-scope = 可以做什么
token-scope-everything = 您可以做的一切
token-scope-results = 查看并登记成绩
token-scope-reading = 只查看，不改动
refusal-token-scope = 您的账号可以做这件事，但这个令牌只能{ $scope ->
        [results] 查看和登记成绩
       *[reading] 查看，不能改动
    }。请在您的账号中新建一个可以做一切的令牌，或直接在账号中操作。
    .title = 令牌权限不足
add-token = 新建令牌
revoke-token = 作废
token-revoked-at = { $at }已作废

refusal-password-is-name = 这个密码与用户名几乎相同。请换一个，例如几个互不相干的词。
    .title = 密码太简单
refusal-password-easy = 这个密码很快会被猜到：它很常见，或是日期、键盘顺序及其变形。请换一个，例如几个互不相干的词。
    .title = 密码太简单
refusal-wrong-old-password = 旧密码不对。密码区分大小写。
    .title = 密码未更改
refusal-not-a-role = “{ $found }”不是这里可以给予的角色，请在列表中选择。
    .title = 没有这个角色
people-by-family = 通过整个比赛取得的权限
col-by-family = 所属比赛
