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
