# People and rights

role-admin = administrator
role-director = director
role-arbiter = arbiter
role-viewer = viewer

manage-none-given = You have no right in any event yet. A director gives you one by a link.
you-only-view = You are a viewer of this event: you see what its directors see, and change nothing.

refusal-needs-director = { $yours ->
        [arbiter] This needs the right of a director of “{ $event }”. { $name }, you are its arbiter: you enter and clear results. Ask one of its directors to do it, or for the right.
        [viewer] This needs the right of a director of “{ $event }”. { $name }, you are its viewer: you see everything and change nothing. Ask one of its directors to do it, or for the right.
       *[other] This needs the right of a director of “{ $event }”. { $name }, you have no right in this event. Ask one of its directors or an administrator.
    }
    .title = You are not a director of this event
refusal-needs-arbiter = { $yours ->
        [viewer] Entering results needs the right of an arbiter or a director of “{ $event }”. { $name }, you are its viewer: you see everything and change nothing. Ask one of its directors for the right.
       *[other] Entering results needs the right of an arbiter or a director of “{ $event }”. { $name }, you have no right in this event. Ask one of its directors or an administrator.
    }
    .title = You are not an arbiter of this event
refusal-needs-viewer = { $yours ->
        [arbiter] This is shown to directors and viewers of “{ $event }”. { $name }, you are its arbiter: you enter and clear results. Ask one of its directors for the right.
       *[other] This is shown to the people of “{ $event }” only. { $name }, you have no right in this event. Ask one of its directors or an administrator.
    }
    .title = You do not see this part of the event
refusal-needs-maker = Making events needs the account of a director. { $name }, yours is that of { $yours ->
        [arbiter] an arbiter
       *[other] a viewer
    }. Ask an administrator to change that.
    .title = You do not make events
refusal-needs-admin = Accounts are managed by administrators. { $name }, you are none. Ask one of them.
    .title = You are not an administrator

refusal-last-admin = { $name } is the only administrator. Make somebody else one first.
    .title = The last administrator
refusal-last-director = { $name } is the only director of this event. Make somebody else one first.
    .title = The last director
refusal-not-among-people = This person has no right in this event (any more). Look at the list again.
    .title = Not among the people
refusal-unknown-invitation = There is no such link here. Look at the list again.
    .title = No such link
refusal-invitation-spent = This link has been used, has run out or was taken back. Ask whoever sent it for a new one.
    .title = Link spent
refusal-account-closed = The account “{ $name }” is closed. Ask an administrator to open it again.
    .title = Account closed

log-right-given = right given
log-right-changed = right changed
log-right-taken = right taken away
log-invitation-made = invitation made
log-invitation-revoked = invitation taken back
log-field-user = account
log-field-right = right
log-field-for = for
log-field-until = until
log-value-director = director
log-value-arbiter = arbiter
log-value-viewer = viewer

withheld-name = Player { $number }
name-withheld = Withhold the name from the public
name-withheld-hint = Public pages, files and the API show the number and the team. Pairing and standings stay the same.
col-name-withheld = Name withheld
name-withheld-mark = name withheld
log-field-name-withheld = name withheld

rail-people = People
users = Accounts
account = My account
role-director-is = does everything in this event
role-arbiter-is = enters and clears results; sees no draft
role-viewer-is = sees what directors see, drafts and log included; changes nothing
people-none = Nobody has a right in this event yet; administrators look after it.
you = you
account-closed = account closed
account-closed-since = closed since { $at }
col-account = Account
col-right = Right
col-role = Role
col-since = Since
col-until = Until
col-for-whom = For whom
col-made = Made
col-state = State
col-browser = Browser
col-token = Token
made-at-by = { $at }, { $name }
right-of = Right of { $name }
role-of = Role of { $name }
change-right = Change right
take-right = Take right away
change-role = Change role
close-account = Close account
open-account = Open account again
password-link = Link for a new password
invite-title = Invite somebody
invite-intro = You get a link that works once, for 7 days. Whoever opens it takes the right with an account that is there, or makes one.
invite-note = For whom (shown in the list only)
invite-button = Make a link
invite-user-title = Invite somebody to the site
invite-user-intro = You get a link that works once, for 7 days. Directors make events; arbiters and viewers have the rights only that events give them.
invitations-title = Links
link-once = This link is shown this once: copy it now.
link-for-account = account: { $role }
link-for-password = new password of { $name }
link-made-account = A link for an account as { $role } is made. It works once, until { $until }.
link-made-password = A link for a new password of { $name } is made. It works once, until { $until }; send it to nobody else.
invitation-made-event = A link for { $role } of “{ $event }” is made. It works once, until { $until }.
invitation-used = used by { $name }, { $at }
invitation-revoked = taken back { $at }
invitation-until = open until { $at }
invitation-ran-out = ran out { $at }
revoke-invitation = Take back
done-right-changed = The right is changed.
done-right-taken = The right is taken away.
done-invitation-revoked = The link is taken back.
done-role-changed = The role is changed.
done-account-closed = The account is closed: its sessions have ended, its tokens open nothing.
done-account-opened = The account is open again.
done-password-changed = The password is changed. All other sessions have ended.
done-signed-out-everywhere = You are signed out everywhere.
done-session-ended = The session has ended.
done-token-revoked = The token is revoked.
done-right-given = You are now { $role } of “{ $event }”.
done-account-made = You are signed in as { $role }.

invitation = Invitation
offer-event = { $from } invites you to “{ $event }” as { $role }.
offer-site = { $from } invites you to this site as { $role }.
offer-password = Choose a new password for the account “{ $name }”. All its sessions end.
accept-as = Accept as { $name }
accept-other = With another account
accept-new = Make account and accept
accept-signing-in = Sign in and accept
invitation-password-hint = With an account that is there: its password. For a new one:
set-password = Set password

old-password = Old password
new-password = New password
change-password = Change password
change-password-hint = All other sessions end.
password-strength-hint = Several words that do not belong together are easy to remember and hard to guess. Your name, dates, rows of keys and what many take are refused.
no-password = This account has no password. Ask an administrator for a link to set one.
sessions = Sessions
sessions-none = Nobody is signed in with this account.
session-here = this one
browser-unknown = unknown browser
end-session = End
sign-out-everywhere = Sign out everywhere
token = Token
tokens = Tokens for programs
tokens-intro = A token lets a program do what you may do. Revoke it when the program is no longer used.
token-once = This token is shown this once: copy it now.
token-for = What the token is for
token-scope = What it may do
token-scope-everything = Everything that you may do
token-scope-results = See results and enter them
token-scope-reading = See, and change nothing
refusal-token-scope = Your account may do this, but this token was made for less ({ $scope ->
        [results] seeing results and entering them
       *[reading] seeing, without changing anything
    }). Make one for everything in your account, or do it there.
    .title = The token may do less
add-token = Make a token
revoke-token = Revoke
token-revoked-at = revoked { $at }

refusal-password-is-name = This password is hardly more than the name. Choose another one: several words that do not belong together, say.
    .title = Password too easy
refusal-password-easy = This password would soon be guessed: it is common, a date, a row of keys or a variation of such. Choose several words that do not belong together, say.
    .title = Password too easy
refusal-wrong-old-password = The old password is not right. Capital letters matter.
    .title = Password not changed
refusal-not-a-role = “{ $found }” is no role that can be given here. Choose one of the list.
    .title = No such role
people-by-family = By the whole tournament
col-by-family = Given for
