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
