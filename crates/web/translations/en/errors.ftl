# Refusals of the server itself: what is wrong, and the way out

refusal-not-found = There is nothing at this address. Check the address, or start from the list of events.
    .title = Not found
refusal-method-not-allowed = This address does not take this kind of request. The API documentation lists what it takes.
    .title = Method not allowed
refusal-internal = Something went wrong in the server. Nothing was changed; try again, and tell the operator if it happens again.
    .title = Internal failure
refusal-busy = The server could not answer in time. Try again in a moment: what was already saved stays saved. Look first whether your last change is there.
    .title = Busy
refusal-disk-full = The server’s disk is full, and this was not saved. Whatever was saved before stays saved. Keep on paper what comes in, and tell whoever runs the server: as soon as there is room again, it goes on by itself.
    .title = The disk is full
refusal-too-many-streams = This server keeps as many streams of changes open as it can. Ask again in half a minute, or look at the pages as ever.
    .title = Too many streams
refusal-too-slow = What you sent stopped on the way. Look at your connection and send it again.
    .title = Stopped on the way
refusal-address-too-long = The address is longer than any page here has. Follow a link, or shorten what stands after the question mark.
    .title = Address too long
refusal-too-large = What was sent is too large: at most 1 MiB, and 16 MiB for a file to import.
    .title = Too large
refusal-media-type = This address takes { $expected } only: set Content-Type to it.
    .title = Unsupported kind of content
refusal-bad-request = The request cannot be read. The API documentation shows what it should look like.
    .title = Unreadable request
refusal-bad-query = The part of the address after “?” cannot be read: { $message }
    .title = Unreadable query
refusal-bad-json = { $count ->
        [one] The body does not fit: one fault is listed with its place.
       *[other] The body does not fit: { $count } faults are listed with their places.
    }
    .title = Unreadable body
refusal-invalid = { $count ->
        [one] One value cannot be accepted; it is listed with its place. Nothing was changed.
       *[other] { $count } values cannot be accepted; they are listed with their places. Nothing was changed.
    }
    .title = Values that cannot be accepted
refusal-bad-file = { $count ->
        [one] The file is refused as a whole: one fault is listed with its place. Nothing was changed.
       *[other] The file is refused as a whole: { $count } faults are listed with their places. Nothing was changed.
    }
    .title = File refused
refusal-cross-site = The request came from another site and was refused. Open the page on this server and try again.
    .title = Refused
refusal-sign-in-needed = Only directors may do this: sign in, or send a bearer token.
    .title = Sign in first
refusal-bad-token = The bearer token is unknown or was revoked. Make a new one with “tianyuan token add”.
    .title = Unknown token
refusal-wrong-password = Name and password do not fit together. Check both; capital letters matter in the password.
    .title = Not signed in
refusal-too-many-attempts = Too many attempts to sign in. Try again in { $minutes } min, or ask an administrator for a new password.
    .title = Too many attempts
refusal-password-length = A password needs { $least } to { $most } characters.
    .title = Password too short or too long
refusal-user-name = A user’s name needs 1 to { $most } characters, without line breaks.
    .title = No fitting name
refusal-bad-if-match = If-Match must hold entity tags as this server gives them, in double quotes, or *.
    .title = Unreadable If-Match
refusal-if-match-needed = There is something here already, and somebody may have changed it since you looked. Send the version that you have seen as If-Match: the current one is "{ $version }".
    .title = If-Match needed
refusal-changed-meanwhile = This was changed meanwhile. The current state comes with this answer: look at it, and repeat your change with its version if you still want it.
    .title = Changed meanwhile
refusal-bad-idempotency-key = Idempotency-Key must have 1 to 200 visible characters.
    .title = Unusable Idempotency-Key
refusal-idempotency-conflict = This Idempotency-Key was used for another request. Repeat the same request, or take a new key for a new one.
    .title = Key used already
    .title = Not possible yet
refusal-round-not-published = Round { $round } is not published. Standings are there after rounds { $first } to { $last }.
    .title = No such round
refusal-no-round-published = No round is published yet, so there are no standings after round { $round }. Leave “after” out for the list of entries.
    .title = No such round

# Single faults

fault-not-json = This is no JSON: the text breaks off or holds a sign that does not belong there.
fault-unknown-field = The field “{ $field }” is not known here. Known are: { $known }.
fault-missing-field = The field “{ $field }” is missing.
fault-duplicate-field = The field “{ $field }” stands twice.
fault-wrong-type = This is { $found }; { $expected } is needed here.
fault-invalid-value = The value does not fit ({ $message }).
fault-not-a-grade = “{ $found }” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级).
fault-unfit-parameter = The value “{ $found }” of “{ $name }” does not fit.
fault-unknown-word = “{ $found }” is not one of { $expected }.
fault-not-a-margin = “{ $found }” is not a margin: write a positive number in quarters, as 0.75, 3 or 12.5.
fault-bad-number = { $found } is not a number of an entry: numbers go from 1 to { $most }.
fault-one-of-two = This does not go together with “{ $found }”: send one of the two.
fault-table-or-choices = A table made by hand leaves nothing to fix: send either table or what is fixed.
fault-one-change = Send exactly one of swap, colours, seat, replace, table.
fault-not-a-word = A word in double quotes is needed here.
