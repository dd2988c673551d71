# Entries before the event: lists, sign-up, check-in

entry-namesake = Nobody is added: { $player } is entered already with this name and team. If this is another person, tick it below the form and add again.
entry-other-person = This is another person of the same name
import-entries = Import a list
import-entries-intro = Choose a file, or copy from a spreadsheet and paste, one entry a line. Headings may come first, in Chinese or English and in any order: number, name, team, grade, rating, category, start score, name withheld (yes or no). Nothing is taken in before you have seen what becomes of each row.
import-entries-file = Or choose a file
import-entries-file-hint = An Excel workbook (.xlsx), CSV or text; up to 5 MiB and { $most } rows.
list-encoding = Encoding of a text file
list-encoding-found = detected automatically
list-in-encoding = Read as { $encoding }. If names look wrong, go back and choose the encoding.
list-of-sheet = Sheet “{ $sheet }”{ $others ->
        [0] .
        [one] ; one other sheet is left aside.
       *[other] ; { $others } other sheets are left aside.
    }
list-summary = { $new } new, { $changed } changed, { $same } the same, { $bad } that cannot be taken
list-keep = { $changed ->
        [0] Add these { $new }
       *[other] Take them all: { $new } new, { $changed } changed
    }
list-namesakes = People of the same name in this list are different people
list-not-as-seen = Nothing is taken in yet: the list or the entries have changed since you looked. This is what would happen now; look, and take it in.
done-list-taken = The list is taken in: { $new } new, { $changed } changed.
col-what-happens = What happens
column-named-left-out = “{ $heading }” (left out)
row-new = new
row-same = the same as number { $number }: nothing to do
row-same-otherwise = the same as number { $number }, written otherwise: the entry keeps its name
row-changed = changes number { $number }: { $changes }
row-changes = { $field } { $before } → { $after }
row-fills = { $field } → { $after }
refusal-list-too-large = The list has more than 5 MiB. Leave out pictures and columns that are not needed, or split it.
    .title = List too large
refusal-list-too-many-rows = The list has more than { $most } rows. Split it.
    .title = Too many rows
refusal-list-too-many-columns = The list has more than 200 columns. Leave out those that say nothing of an entry.
    .title = Too many columns
refusal-list-empty = There is no entry in the list: one entry a line, with a name at least.
    .title = Empty list
refusal-list-no-text = The file is no text that can be read. Save it as .xlsx or as CSV in UTF-8, or choose its encoding.
    .title = No text
refusal-list-not-in-encoding = The file is not in the encoding { $encoding }. Let it be detected, or choose another.
    .title = Other encoding
refusal-list-old-workbook = This is an old workbook (.xls) or one with a password. Save it as .xlsx without a password, or as CSV.
    .title = Old workbook
refusal-list-bad-workbook = The workbook cannot be read; the file may be damaged. Open it in the spreadsheet program and save it again.
    .title = Unreadable workbook
refusal-list-inflates = The workbook unpacks to more than 64 MiB. Copy the list alone into a new workbook.
    .title = Workbook too large
refusal-list-column-twice = Columns { $first } and { $second } have headings of the same meaning. Rename or remove one of them.
    .title = A column twice
refusal-list-refused = { $count ->
        [one] One row cannot be taken
       *[other] { $count } faults keep rows from being taken
    }; each is listed with its row. Nothing was changed.
    .title = List refused
fault-cell-no-name = has no name
fault-cell-not-a-number = column { $column }: “{ $found }” is not a number from 1 to 99999; leave it empty for the next free one
fault-cell-not-a-grade = column { $column }: “{ $found }” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级), or leave it empty
fault-cell-not-a-rating = column { $column }: “{ $found }” is not a rating: write a whole number, such as 2310
fault-cell-not-yes-or-no = column { $column }: “{ $found }” does not say whether the name is withheld: write yes or no
fault-cell-not-a-score = column { $column }: “{ $found }” is not a start score: write a whole number from 0 to 1000
fault-cell-too-long = column { $column } has more than 200 characters
fault-cell-spreadsheet-error = column { $column }: the spreadsheet has an error here, { $found }
fault-row-number-taken = number { $number } belongs to { $name }: correct the number, or change the name on that entry’s page
fault-row-number-twice = the same number as on line { $line }
fault-row-name-twice = the same name as on line { $line }: remove one of them, or say that they are different people
fault-row-other-number = entered already with number { $number }: leave the number out, or say that they are different people
fault-row-other-team = entered already with number { $number } and team { $team }: give the number to change the team, or say that they are different people
fault-row-several-named = several of this name are entered ({ $numbers }): give the number or the team
import-another-file = Choose another file
check-in = Check-in
check-in-here = are here
check-in-all = Show everybody
check-in-missing = { $count ->
        [0] Nobody is missing
        [one] Show the one who is missing
       *[other] Show the { $count } who are missing
    }
check-in-tap = Here
check-in-undo = Undo
here-together = Several at once
here-together-hint = Nobody’s own tick is lost: who is here already stays as that says, and one press takes it back.
here-rest = { $count ->
    [one] The one who is left is here
   *[other] The other { $count } are here
    }
here-team = Team
here-team-button = All of this team are here
done-here-together = { $count ->
    [one] One more is here.
   *[other] { $count } more are here.
    }
batch-here = Checked in together by { $by } ({ $at }): { $count ->
    [one] one player.
   *[other] { $count } players.
    }
check-in-failed = not saved: try again
here-since = here since { $at }, { $by }
sits-out-n = sits out round { $round }
missing-leave-out = { $count ->
        [one] One is missing: leave out …
       *[other] { $count } are missing: leave out …
    }
missing-hint = Whoever comes after all is put back by “Undo”, or on the entry’s own page. Whoever sits out round { $round } plays from the next one; whoever is withdrawn plays none.
missing-sit-out = { $count ->
        [one] The one sits out round { $round }
       *[other] The { $count } sit out round { $round }
    }
missing-withdraw = { $count ->
        [one] Withdraw the one
       *[other] Withdraw the { $count }
    }
done-missing-out = { $count ->
        [one] One entry sits
       *[other] { $count } entries sit
    } out the first round.
done-missing-withdrawn = { $count ->
        [one] One entry is
       *[other] { $count } entries are
    } withdrawn.
undo-this = Undo this
done-undone = Taken back: everything is as it was before.
batch-list = A list taken in by { $by } ({ $at }): { $count ->
        [one] one entry
       *[other] { $count } entries
    } added or changed.
batch-sign-ups = Sign-ups confirmed by { $by } ({ $at }): { $count ->
        [one] one
       *[other] { $count }
    }.
batch-sit-out = Missing at the first round, left out by { $by } ({ $at }): { $count ->
        [one] one
       *[other] { $count }
    }.
batch-withdrawal = Missing at the first round, withdrawn by { $by } ({ $at }): { $count ->
        [one] one
       *[other] { $count }
    }.
log-entry-here = is here
log-entry-away = is not here after all
log-sign-up-set = Sign-up set
log-sign-up-refused = Sign-up refused
log-sign-up-put-back = Sign-up waits again
log-field-here = here
log-field-open = open
log-field-closes-at = closes
log-field-places = places
log-field-notice = notice
log-field-sign-up = sign-up
refusal-unknown-batch = This was taken back already, or was never there. Look at the page again.
    .title = Nothing to take back
refusal-overtaken = Number { $numbers } changed since then. Undo those changes first, or put each entry right on its own page.
    .title = Changed since
refusal-rounds-begun = Round { $round } is paired. Put each entry right on its own page, or throw the round away first.
    .title = A round is paired
refusal-unknown-sign-up = There is no such sign-up. Look at the list again.
    .title = No such sign-up
refusal-sign-up-closed = Sign-up is closed. Ask the organisers if you would still like to play.
    .title = Sign-up closed
refusal-sign-ups-full = Too many sign-ups wait for a decision. Try again later, or ask the organisers.
    .title = Too many sign-ups
refusal-sign-up-decided = Sign-up { $number } was decided on already. Look at the list again; a confirmed one is removed among the entries.
    .title = Decided already
refusal-too-many-sign-ups = Too many sign-ups came from this connection. Wait { $minutes ->
        [one] a minute
       *[other] { $minutes } minutes
    } and send the form again.
    .title = Too many sign-ups
refusal-sign-up-robot = The field “leave this empty” was filled in, as programs do. Empty it and send the form again.
    .title = Not taken
refusal-sign-up-without-name = The name is missing.
    .title = Name missing
refusal-sign-up-without-contact = A way to reach you is missing: a telephone number or an e-mail address.
    .title = Contact missing
refusal-sign-up-too-long = One of the texts is too long: at most 200 characters each, 1000 for the note.
    .title = Text too long
refusal-not-places = “{ $found }” is no number of places: write 1 to 20000, or leave it empty for no limit.
    .title = No number of places
refusal-notice-too-long = The notice is too long: at most 2000 characters.
    .title = Notice too long
refusal-not-a-moment = “{ $found }” is no date and time: write it as 2027-04-10 18:00.
    .title = No moment
sign-up = Sign up
sign-ups = Sign-ups
sign-ups-waiting = Waiting for a decision: { $count }
sign-ups-none = Nobody waits for a decision.
sign-ups-decided = Decided: { $count }
sign-ups-confirm-all = { $count ->
        [one] Confirm the one
       *[other] Confirm all { $count }
    }
sign-up-order = Order
sign-up-contact = Telephone or e-mail
sign-up-contact-hint = Only the organisers see it.
sign-up-note = A word to the organisers
sign-up-leave-empty = Leave this empty
sign-up-send = Sign up
sign-up-what-follows = The organisers confirm each sign-up. You get a link to see what became of yours.
sign-up-decision = Decision
sign-up-confirm = Confirm
sign-up-refuse = Refuse
sign-up-reason = Reason (the player reads it)
sign-up-put-back = Let it wait again
sign-up-settings = Settings of the sign-up
sign-up-open = Players can sign up
sign-up-closes = Until (empty: no end)
sign-up-places = Places
sign-up-places-hint = Beyond so many entries players are on a waiting list. Empty: no limit.
sign-up-notice = What players read above the form
sign-up-keep-settings = Save
sign-up-is-open = Players can sign up.
sign-up-is-open-until = Players can sign up until { $at }.
sign-up-was-closed = Sign-up ended { $at }.
sign-up-is-closed = Sign-up is closed.
sign-up-until = Until { $at }.
sign-up-places-left = { $count ->
        [one] One place is left.
       *[other] { $count } places are left.
    }
sign-up-no-place-left = No place is left: new sign-ups go on the waiting list.
sign-up-public-page = The players’ page
sign-up-entered = probably entered already, as number { $number }
sign-up-twice = the same name as sign-up { $number }
sign-up-on-waiting-list = on the waiting list
sign-up-confirmed = confirmed by { $by }: number { $number }
sign-up-entry-gone = confirmed by { $by }; the entry was removed
sign-up-refused = refused by { $by }: { $reason }
sign-up-withdrawn = taken back by the player
sign-up-you-wait = Your sign-up is here and waits to be confirmed by the organisers.
sign-up-your-waiting-place = Your sign-up is here. All places are taken: you are number { $place } on the waiting list.
sign-up-you-are-in = You are entered with number { $number }.
sign-up-you-were-removed = Your entry was removed again. Ask the organisers.
sign-up-you-are-refused = The organisers have not taken your sign-up: { $reason }
sign-up-you-are-refused-plainly = The organisers have not taken your sign-up. Ask them if you want to know why.
sign-up-you-took-back = You have taken your sign-up back.
sign-up-your-page = Your page
sign-up-keep-link = Keep the address of this page: it is the only way back to your sign-up.
sign-up-take-back = Take the sign-up back
done-signed-up = Your sign-up has arrived.
done-sign-ups-confirmed = { $count ->
        [one] One sign-up is
       *[other] { $count } sign-ups are
    } confirmed.
done-sign-up-refused = The sign-up is refused.
done-sign-up-put-back = The sign-up waits again.
done-sign-up-set = The settings of the sign-up are saved.
fault-not-a-key = “{ $found }” is no key: choose 32 hexadecimal digits, 0–9 and a–f.
