# The directors' pages

sign-in-title = Directors sign in
user-name = User name
password = Password
sign-in-hint = No account? Ask the administrator to run “tianyuan user add NAME --role director” on the server.
setup-title = Become the administrator
setup-intro = This server has no administrator yet. Choose a name and a password: you sign in with them from now on.
setup-spent = This link has been used or has run out. If there is no administrator yet, start the server again: it prints a new one.
setup-button = Become the administrator
password-hint = At least { $least } characters. A sentence you remember is better than a word you do not.
manage-title = My events
manage-none = There is no event yet. Make a new one, or import an event file.
backups-fail = Automatic backups have failed since { $since }. Last backup of this server since its start: { $last }. Why the last attempt failed: { $why }
backups-none = none
new-event = New event
import-event = Import an event file
export-event = Export the event file
public-page = Public page
preset-legend = Kind of event
preset-chosen = chosen
preset-open = Open tournament, 9 rounds
preset-open-sentence = Places by the order of 2025: score, opponents’ score, direct encounter, best opponents beaten, lots; team mates kept apart in round 1; a bye is worth 2 points.
preset-grading = Grading tournament, 7 rounds
preset-grading-sentence = Places by method B of Art. 27.1 ②: score, opponents’ score, scores of opponents beaten, warnings, lots; team mates kept apart in round 1.
preset-qualifier = Qualifier, 13 rounds
preset-qualifier-sentence = Places by the order of 2025; team mates kept apart in rounds 1 to 3; a forfeited pair counts as having met.
preset-club = Club evening, 4 rounds
preset-club-sentence = Places by method B of Art. 27.1 ②; team mates may meet; a forfeited pair may meet again.
preset-blank = Blank
preset-blank-sentence = The usual settings and nothing else; you say how many rounds.
copy-earlier = or like an earlier event
copy-earlier-button = Take its settings
copy-of = The settings, promotion and prizes of “{ $name }” are taken over. Its results, records, drawn numbers, lots and pairs kept apart are not, and it stays as it is.
copy-entries = Take its { $count } entries along
copy-entries-hint = With name, team, grade, rating and category, numbered anew from 1 until numbers are drawn; pairs kept apart stay with the same people.
order-earlier = as in the earlier event: { $criteria }
new-event-settings = Settings
articles-hint = Filled in for this kind, and to be changed at any time later. Articles are those of the Chinese rules of Go (2002); P1 to P7 are the criteria of pairing.
rounds-hint = In a Swiss event (Art. 26) everybody plays in all rounds, and nobody is out before the end.
event-rules-hint = They say how a game is counted, and so the unit of komi and margins (Art. 11).
new-event-komi-hint = What White is given for moving second (Art. 11). Empty for that of the rules: 3.75 stones under Chinese ones, 6.5 points under Japanese and Korean ones.
new-event-ranking-hint = Art. 27.1 ② has two methods, A by total score, B by score and then opponents’ score; the order of 2025 is what the association does now.
unplayed-hint = Art. 27.1 ② adds up the scores of opponents; how a forfeit or a bye counts there is for the event to say.
event-name = Name of the event
event-rounds = Rounds
event-slug = Name in the address
event-hidden = Not public yet: only directors see it
event-visibility = Visible to
visible-to-all = everybody
visible-to-directors = directors only
slug-hint = Small letters, Chinese characters, digits and hyphens; leave empty to have one made from the name.
create-event = Create the event
import-intro = An event file is JSON, exported by this program or made by another. A file with any fault is refused whole, and every fault is listed with its line and column.
import-file = Choose a file
import-text = Or paste its text here
import-button = Import the event
next-draft = Round { $round } is paired and not published yet.
look-at-draft = Look at the draft of round { $round }
next-missing = Round { $round }: { $count ->
        [one] one result is missing: board
       *[other] { $count } results are missing: boards
    } { $boards }.
enter-results = Enter results
next-finished = All { $round } rounds are finished and all results are in.
next-all-in = All results of round { $round } are in.
next-first = { $count ->
        [one] One player is
       *[other] { $count } players are
    } ready for round { $round }.
next-entries = { $count ->
        [one] One player is
       *[other] { $count } players are
    } entered. Add the players first.
pair-round = Pair round { $round }
check-entries = Look at the entries
to-overview = Next step
round-says = Round { $round }: { $sentence }
withdrawn-title = Withdrawn
changed-at = Settings changed
entries-summary = { $count ->
        [one] 1 entry
       *[other] { $count } entries
    }, { $playing } playing in round { $round }
entries-none-director = There are no entries yet. Add them one by one, or import a whole list.
add-entry = Add an entry
late-entry-hint = The event has begun: whoever is added now plays from the next round on and is absent in the rounds before it; the start score is yours to decide.
draw-numbers = Draw numbers by lot
number-hint = Leave empty for the next free number.
number-fixed-hint = Rounds are paired: the number is fixed.
grade-hint = Amateurs as 5d and 3k, professionals as 9p; or 5段, 3级, 九段.
col-marks = Notes
col-line = Line
save-entry = Save the entry
player-page = Public page
attendance = Taking part
withdrawn-after-sentence = Withdrawn: not paired after round { $round }.
return-round = Plays again from round
return-entry = Return to the event
return-too-late = No round is left to be paired, so nothing can be returned to.
sit-out-legend = Rounds to sit out
save-sit-out = Save these rounds
withdraw = Withdrawal
withdraw-hint = Not paired any more; results so far stand (Art. 28). It can be taken back before the next pairing.
withdraw-after = Withdraws after round (0: before the first)
withdraw-entry = Withdraw the entry
seated-sentence = Round { $round } is published and this player sits at board { $board } without a result. What becomes of the board?
seated-forfeit = The opponent wins by forfeit
seated-forfeit-hint = { $opponent } gets 2 points; it carries no colour.
seated-replaced = { $person } takes the seat against { $opponent }
seated-bye-lost = The bye of this round is taken away.
seated-was-absent = Had no board in this round.
seated-again = To pair again instead: throw round { $round } away first, withdraw, and pair.
delete-entry = Remove the entry
delete-entry-hint = This entry has not been paired and can be removed; the number stays vacant.
paste-text = The list
paste-example = number,name,team,grade
paste-look = Look at it first
paste-look-again = Look again
paste-preview = Preview: { $count ->
        [one] 1 entry
       *[other] { $count } entries
    }
paste-columns = Columns: { $columns }.
paste-bad-rows = { $count ->
        [one] One row
       *[other] { $count } rows
    } cannot be taken. Correct the text below and look again. Nobody has been added.
column-left-out = (left out)
status-draft = Draft
status-published = Published
cannot-pair-draft = Round { $round } is a draft. Publish it or throw it away before pairing the next one.
cannot-pair-all = All { $planned } rounds are paired. To play another, raise the number of rounds in the settings.
not-now = Not now
confirm-repeats = Round { $round } cannot be paired without players meeting again. At least { $count ->
        [one] one pair
       *[other] { $count } pairs
    }:
confirm-repeat-pair = { $first } against { $second } (met { $times ->
        [one] once
       *[other] { $times } times
    })
confirm-repeats-otherwise = Or change who takes part: let somebody sit out, or return somebody who withdrew.
confirm-repeats-action = Allow it and pair round { $round }
confirm-provisional = Round { $round }: { $count ->
        [one] one result is missing
       *[other] { $count } results are missing
    }:
confirm-open-board = Board { $board }: { $black } against { $white }
confirm-provisional-otherwise = It is better to enter the results of round { $round } first. If the pairing cannot wait, these boards count as draws for it, and their results come in later as they are.
confirm-provisional-action = Count them as draws and pair round { $round }
publish-round = Publish round { $round }
publish-round-as-it-is = Publish round { $round } as it is
throw-away-draft = Throw the draft away
throw-away-round = Throw round { $round } away
paired-by-at = Paired by { $by }, { $at }
draft-by-hand = This table has been changed by hand.
criteria-title = What the pairing reached
criteria-note = In order of weight: each one is made as small as possible before the next is looked at.
col-criterion = Criterion
col-reached = Reached
reached-best = { $reached }, none better is possible
reached-possible = { $reached }, where { $least } is possible
reached-bound = { $reached } (not proved the least; at least { $least })
in-score-group = { $count } at score { $group }
below-score = { $count } below score { $group }
measure-repeats = Pairs meeting again
measure-repeat_meetings = Earlier meetings of those pairs
measure-repeats_just_before = Pairs that met in the round just before
measure-bye_so_far = Earlier byes and wins by forfeit of the bye’s player
measure-bye_score = Score of the bye’s player
measure-floats = Pairs across score groups
measure-float_squares = Squares of the score differences
measure-team_mates = Team mates meeting
measure-same_colour_twice = Both owed the same colour by two or more
measure-same_colour = Both owed the same colour
measure-repeated_floats = Floating again in the same direction
draft-repeat = repeat ({ $times ->
        [one] met once
       *[other] met { $times } times
    })
draft-float = { $number } floats down
draft-floats-down-again = { $number } floats down again
draft-floats-up-again = { $number } floats up again
draft-team-mates = team mates
draft-same-colour-black = same colour (both owed Black)
draft-same-colour-white = same colour (both owed White)
draft-third-black = { $number }: third Black running
draft-third-white = { $number }: third White running
draft-colours-by-hand = colours other than the rule’s
swap-colours = Swap colours
swap-picked = Swap the two players
swap-hint = Tick two players; you see what it costs before it is kept. Two without a board get a new one.
change-swap = { $one } and { $other } change places.
change-colours = Board { $board }: { $black } has Black.
change-seat = { $one } and { $other } make a new board.
keep-seat = Make the board
unplayed-opponent-short = forfeits with the score of the opponent paired, otherwise nothing
unplayed-virtual-short = as a virtual opponent
unplayed-nothing-short = only games that were played
log-field-lots = lots
log-field-order = pairing order
log-field-ranking = criteria
log-field-first-round = first round
log-field-absent-score = points for an absence
log-field-bye-score = points for a bye
log-field-number-order = direction of numbers
log-field-avoid-team-rounds = team mates apart up to round
log-field-avoid-repeated-floats = avoid repeated floats
log-field-forfeits-may-meet-again = forfeited pairs may meet again
log-field-unplayed = unplayed games
log-field-time-zone = time zone
log-field-round-starts = starts of rounds
log-field-starts-on = first day
log-field-criteria = criteria
log-field-carried = carried over
log-field-score = score
log-field-balance = colours
log-field-met = met
log-field-edition = version
log-value-public = everybody
log-value-hidden = directors only
log-value-draft = draft
log-value-published = published
keep-swap = Swap them
keep-colours = Swap the colours
leave-as-it-is = Leave it as it is
cost-caption = What the change costs
cost-now = Now
cost-then = After the change
board-says = Board { $board }: { $words }
results-title = Results of round { $round }
which-boards = Which boards
boards-all = All
boards-open = Only missing
key-forfeit = absent
key-clear = clear
key-jump = board number and Enter: go there; board number and b or w: enter it there
key-undo = undo
state-saving = saving
state-saved = saved
state-waiting = waiting for the connection
state-failed = not saved
state-open = no result
state-changed-meanwhile = changed by somebody else: reload
state-undone = Board {"{n}"} undone
state-forfeit-which = Who is absent? 1 Black, 2 White, Esc cancels
state-jump = Board {"{n}"}: Enter goes there, b or w enters the result
missing-count-template = {"{n}"} to enter
all-results-in = All results are in
save-results = Save the results
result-of-board = Result of board { $board }
other-result-of-board = Other result of board { $board }
other-result = Other…
clear-result = Clear the result
details = Details
details-of-board = Details of board { $board }
reason-of-corrections = Reason (when a result is corrected)
no-open-boards = No board is without a result.
later-rounds-warning = The results of round { $round } as they are went into the pairing of round { $rounds }. After a correction the standings follow at once; what is paired stays as it is, with a note that it was made on the earlier result.
later-rounds-stay = The pairing of round { $rounds } stays as it is.
result-conflict = Board { $board }: somebody else has entered “{ $theirs }”, you chose “{ $yours }”.
results-conflict = { $saved ->
        [one] One board is
       *[other] { $saved } boards are
    } saved. { $count ->
        [one] One board was
       *[other] { $count } boards were
    } changed by somebody else meanwhile: check, and choose again.
two-results = Two results are chosen for board { $boards }: choose one. Nothing has been saved.
no-result = no result
board-title = Round { $round }, board { $board }
stored-result = Stored: { $result }.
result-by = How it ended
not-said = not said
margin-in-stones = Margin in stones
margin-in-points = Margin in points
margin-hint = As 0.75, 3 or 12.5; only for a game that was counted.
warnings = Warnings
warnings-black = To Black
warnings-white = To White
warnings-hint = The second warning in one game loses it (Art. 24): enter that result too.
reason-hint = Say why when a result is corrected; it goes into the log.
save-board = Save board { $board }
correct-board = Correct board { $board }
komi-hint = In the unit of the rules: stones under Chinese rules (3.75), points under most others (6.5). A minus gives it to Black.
settings-pairing = Pairing
settings-ranking = Places
ranking-order = Order of the criteria
ranking-hint = With “an order of one’s own”, the criteria below decide in turn.
ranking-own = An order of one’s own
order-association_2025 = The order of 2025: score, opponents’ score, direct encounter, best opponents beaten, lots
order-method_a = Method A of Art. 27.1 ②: total score, scores of opponents beaten, warnings, lots
order-method_b = Method B of Art. 27.1 ②: score, opponents’ score, scores of opponents beaten, warnings, lots
order-round_robin = Round robin of Art. 27.1 ①: score, scores of opponents beaten, warnings, lots
order-own = an order of one’s own
criterion-n = Criterion { $n }
unplayed-label = How unplayed games count in opponents’ sums
lots-label = Drawn lots
lots-hint = number:lot, separated by spaces, as 57:1 12:2; the smaller lot stands before.
save-settings = Save the settings
delete-event = Delete the event
delete-event-sentence = This removes all { $entries } entries and { $rounds } rounds with their results, and cannot be undone; the log stays. Export the event file first.
delete-event-word = To delete it, type “{ $slug }”
delete-word-wrong = Nothing was deleted: type “{ $slug }” to confirm.
log-intro = Who did what, and when. Nothing in the log is ever changed.
log-none = Nothing has been done yet.
log-sound = The chain of all { $acts } acts was followed from the first to the last, and holds: nothing was changed afterwards.
log-broken = The log was changed past this program. Compare it with the numbers printed at the foot of published pages and with a backup:
log-broken-gap = after act { $after } comes act { $found }: acts between them are missing
log-broken-changed = act { $seq } does not give its hash: it was changed, or the one before it
log-broken-end-missing = the log ends with act { $last }, and act { $seq } was there: the end is missing
log-broken-other-head = act { $seq } has the hash { $found } …, and { $known } … was noted for it: it was changed, or one before it
log-file = Download the log with its hashes (JSON)
col-time = Time
col-who = Who
col-what = What
col-change = Change
older = Older
yes = yes
no = no
log-act = { $subject }: { $act }
log-items = { $count } items
log-boards = { $count ->
    [one] 1 board
   *[other] { $count } boards
}
log-field-confirmed = confirmed
log-field-repeats = repeats
log-field-provisional = provisional results
log-field-publish-at = published at
log-event-created = event created
log-event-imported = event imported
log-event-updated = settings changed
log-event-deleted = event deleted
log-entry-added = added
log-entry-updated = changed
log-entry-deleted = removed
log-entry-withdrawn = withdrawn
log-entry-returned = returned
log-entry-sits-out = sits a round out
log-entry-plays = plays a round after all
log-numbers-drawn = numbers drawn by lot
log-round-paired = paired
log-round-paired-by-hand = paired by hand
log-publication-set = time of publication set
log-round-published = published
log-round-thrown-away = thrown away
log-round-changed = changed by hand
log-result-entered = result entered
log-result-corrected = result corrected
log-result-cleared = result cleared
log-field-name = name
log-field-team = team
log-field-grade = grade
log-field-rating = rating
log-field-category = category
log-field-seed = seed of the draw
log-field-number = number
log-field-result = result
log-field-by = by
log-field-margin = margin
log-field-warnings = warnings
log-field-black = Black
log-field-white = White
log-field-board = board
log-field-boards = boards
log-field-round = round
log-field-rounds = rounds
log-field-byes = byes
log-field-absent = absent
log-field-withdrawn-after = withdrawn after
log-field-absent-rounds = rounds sat out
log-field-start-score = start score
log-field-status = status
log-field-place = place
log-field-komi = komi
log-field-rules = rules
log-field-visibility = visible to
log-field-slug = address
log-field-entries = entries
done-set-up = You are the administrator now, { $name }.
done-event-created = “{ $name }” is created.
done-event-imported = “{ $name }” is imported.
rounds-beyond = The event has { $planned ->
        [1] 1 round
       *[other] { $planned } rounds
    }; the file names a later one in { $count ->
        [1] one place ({ $place })
       *[other] { $count } places (the first is { $place })
    }, which has no effect.
done-event-deleted = “{ $name }” is deleted.
done-entry-added = Added: { $number } { $name }.
done-entry-changed = The entry of { $name } is saved.
done-entry-deleted = { $number } { $name } is removed; the number stays vacant.
done-numbers-drawn = Numbers are drawn for { $count ->
        [one] one entry
       *[other] { $count } entries
    }.
done-withdrawn = { $person } has withdrawn and is not paired from round { $round } on.
done-returned = { $person } plays again from round { $round }.
done-sit-out = The rounds in which { $person } sits out or has the bye are saved.
done-published = Round { $round } is published and everybody sees it.
done-thrown-away = Round { $round } is thrown away.
done-table-changed = Changed: { $change }
done-results = { $count ->
        [0] There was nothing to save.
        [one] One result is saved.
       *[other] { $count } results are saved.
    }
done-result = Board { $board }: { $result }, saved.
done-result-same = Nothing changed at board { $board }.
done-result-corrected = Board { $board } is corrected: { $before } → { $after }.
done-settings = The settings are saved.
refusal-no-preset = There is no such kind of event. Choose one above.
refusal-rounds-missing = Say how many rounds there are.
refusal-not-a-day = “{ $found }” is not a day: write it as 2027-04-10.
refusal-not-rounds = “{ $found }” is not a number of rounds: write a whole number, such as 9.
refusal-not-a-round = “{ $found }” is not a round: write a whole number, such as 3.
refusal-no-file = There is nothing to import: choose a file, or paste the text of an event file.
refusal-not-a-number = “{ $found }” is not a number: write 1 to 99999, or leave it empty for the next free one.
refusal-not-a-grade = “{ $found }” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级).
refusal-not-a-rating = “{ $found }” is not a rating: write a whole number, such as 2310.
refusal-not-a-score = “{ $found }” is not a score: write a whole number, such as 0 or 2.
refusal-pick-two = Tick exactly two players ({ $count ->
        [one] one is
       *[other] { $count } are
    } ticked), then swap them.
refusal-not-a-count = “{ $found }” is not a count: write 0, 1 or 2.
refusal-not-a-result = “{ $found }” is none of the results: choose again.
refusal-not-a-margin = “{ $found }” is not a margin: write a positive number in quarters, such as 0.75, 3 or 12.5.
refusal-not-a-choice = “{ $found }” is none of the choices: choose again.
refusal-not-a-komi = “{ $found }” is not a komi: write it as 3.75, 6.5 or 0.
refusal-not-a-criterion = “{ $found }” is none of the criteria: choose again.
refusal-not-lots = “{ $found }” cannot be read: a lot is written number:lot, as 57:1.
by-hand = Pair by hand
by-hand-title = Pair round { $round } by hand
by-hand-intro = One line a board: the number of Black, then that of White; whoever has the bye stands alone. The order is that of the boards. It becomes a draft: you see what it costs before it is published.
by-hand-table = The table
by-hand-example = 151 160
by-hand-repeats = Let these players meet again
by-hand-provisional = Count missing results as draws for this pairing
by-hand-keep = Make it the draft of round { $round }
by-hand-field = { $count ->
        [one] One player takes
       *[other] { $count } players take
    } part
done-by-hand = The draft of round { $round } is the table made by hand.
refusal-not-a-board-line = Line { $line }, “{ $found }”, cannot be read: write the numbers of Black and White, as 151 160; whoever has the bye stands alone.
publishes-at = publishes itself at { $at }

# Draws

draws = Draws
draws-intro = What is promised, the words from the hall, the draw of numbers and the split into groups. All of it is public at once; a secret is shown to nobody before its draw, not to directors either.
draws-none = Nothing is to be drawn: this event draws no lots in its pairing, and numbers and groups are drawn before the first round.
draw-public-page = The public page of this draw
draw-word = Word from the hall
draw-said-by = Who said it (need not be given)
draw-words-closed = No word is taken any more.
add-word = Add the word
remove-word = Take “{ $word }” back
draw-seeds = Seeded players
draw-seeds-hint = Tick who is seeded. They draw among the slots, everybody else among the other numbers.
draw-slots = Slots (empty: evenly spread)
draw-numbers-again = Draw again, although numbers were drawn already
draw-groups = Split into groups
draw-group-count = Number of groups
draw-split = How
draw-split-lots = By lots
draw-split-rating = By rating, to and fro (snake), lots inside each layer
draw-split-grade = By grade, to and fro (snake), lots inside each layer
draw-split-number = By number, to and fro (snake), lots inside each layer
draw-layer = Entries in a layer
draw-groups-hint = Empty: as many as there are groups. Each entry’s category becomes A, B, C ….
draw-to-split = Let each group have its own rounds and places
draw-groups-again = Replace the groups and categories that are there
done-word-added = “{ $word }” is added and public.
done-word-removed = The word is taken back.
done-groups-drawn = The field is split into groups.
log-word-added = word from the hall added
log-word-removed = word from the hall taken back
log-groups-drawn = groups drawn
log-field-commitments = promised
log-field-commitment = promised with the draw
log-field-secret = secret
log-field-word = word
log-field-said-by = said by
log-field-draw = draw

# Why a round is paired so

why-title = Why round { $round } is paired so
why-intro = For each criterion what the table has and how it is known that less is impossible; for each unusual board what the best table without it would have cost. The criteria are weighed in this order.
why-one = Why does number
why-other = not meet number
why-ask = Ask
why-ask-board = What would have been without this?
why-reached = Value
why-because = Why not less
why-byes = The bye
why-boards = Unusual boards
why-players = Players
why-usual = { $count ->
        [0] Every board is listed below.
        [one] On one board there is nothing unusual: it follows from list order.
       *[other] On { $count } boards there is nothing unusual: they follow from list order.
    }
why-below = { $counted }, below score { $group }
why-in-group = { $counted }, score group { $group }
why-proof-nothing = zero is the least there is
why-proof-every-table = every possible table was tried, and none has less
why-proof-counting = counting shows that no table has less
why-proof-certificate = a certificate, which the checker has verified, proves that no table has less
why-proof-better = a table with { $least } exists: this one was changed by hand or made on other results
why-proof-open = the least is not proved; at least { $least } is needed
why-change = { $counted }: { $to } instead of { $from }
why-choice-bye = list order gives the bye to { $number }, the last one for whom it is allowed, and not to { $instead }
why-choice-float = list order lets { $number } float and { $instead } stay
why-choice-partner = { $number } takes the first allowed one in list order, { $takes }, and not { $instead }
why-choice-none = only the order of the boards would be another
why-no-table = { $when } there is no table at all.
why-worse = { $when }, the best table has { $what }.
why-list-order = { $when }, a table is as good on all criteria; list order decides: { $what }.
why-better = { $when }, a better table exists: { $what }. This table was changed by hand or made on other results.
why-when-pair = Without this pair
why-when-float = Without this float
why-when-bye = With the bye for somebody else
why-when-together = With the two together
why-repeat = The two have met before ({ $times ->
        [one] once
       *[other] { $times } times
    }).
why-repeat-just-before = The two have met before, the last time in the round just before.
why-float = { $down } floats down to { $up }.
why-floats-down-again = { $number } floats down again.
why-floats-up-again = { $number } floats up again.
why-team-mates = Both are of one team.
why-unwanted = The settings name the two as a pair to avoid.
why-third-colour = One of them has { $colour } for the third time running.
why-same-colour = Both are owed { $colour }.
why-same-colour-twice = Both are owed { $colour } by two games or more.
why-chosen-pair = The directors fixed this pair.
why-usual-board = Nothing is unusual about this board: it follows from list order.
why-pair = { $first } – { $second }
why-bye-asked = { $number } asked for the bye.
why-bye-chosen = The directors gave the bye to { $number }.
why-bye-odd = { $number } has the bye: an odd number of players.
why-asked = Why do { $one } and { $other } not meet?
why-meet = They do meet, on board { $board }.
why-not-paired = { $number } is not paired in this round.
why-fixed = The directors fixed the pair or the bye of { $number }.
why-bar-forbidden = The settings forbid this pair.
why-bar-team-mates = They are of one team, and team mates are never paired in this round.
why-bar-third-colour = Both had { $colour } in their last two games, and a third time is forbidden.
why-bar-apart = The directors keep the two apart in this round.
why-met-in = They have met in round { $rounds }.{" "}

# Settings of the pairing

pairing-group-order = Order
pairing-order = How a score group is paired
pairing-order-hint = Who comes first in a score group and with whom (P7). Lots need a draw for every round; the others always give the same table.
pairing-order-classic = by number: the first with the next that fits
pairing-order-random = by lots: the draw of the round shuffles everybody
pairing-order-fold = upper half against lower half
pairing-order-slide = the first against the last
pairing-order-by = Upper half and first go by
pairing-order-by-hint = Only where halves or first and last are paired (P7). Equal ones, and those without it, follow by number.
pairing-order-by-rating = the rating, higher first
pairing-order-by-grade = the grade, higher first
pairing-order-by-number = the number, smaller first
pairing-number-order = Direction of numbers
pairing-number-order-hint = Which way numbers run inside a score group (P7), and who has Black when nobody is owed it.
pairing-number-order-alternate = ascending in odd rounds, descending in even ones
pairing-number-order-ascending = always ascending
pairing-number-order-descending = always descending
pairing-group-teams = Who is kept apart
pairing-avoid-team-rounds = Rounds in which team mates are kept apart
pairing-avoid-team-rounds-hint = From round 1 to this one (P4); 0 for none.
pairing-team-avoidance = Keeping team mates apart
pairing-team-avoidance-hint = Strong puts P4 before P3, so that players float to keep team mates apart; absolute never pairs them, and a round may then have no table.
pairing-team-avoidance-soft = soft: they meet rather than float
pairing-team-avoidance-strong = strong: players float rather than meet a team mate
pairing-team-avoidance-absolute = absolute: they are never paired
pairing-forbidden-pairs = Pairs that are never made
pairing-forbidden-pairs-hint = In any round, brothers and sisters for instance. One pair a line, by number or name: 3 / 7.
pairing-unwanted-pairs = Pairs that are avoided
pairing-unwanted-pairs-hint = In every round, as team mates are in the first ones; they meet where nothing better is possible. One pair a line.
pairing-group-colours = Colours
pairing-colours = Who has Black when the balances are equal
pairing-colours-hint = Otherwise whoever has had White more often has Black (P5). Colours that are assigned stand, also when a game was played with the wrong ones (Art. 17.1).
pairing-colours-number = whoever comes first in the round’s number order
pairing-colours-alternate = whoever had White in the last game
pairing-colours-lots = lots of the round’s draw
pairing-colours-nigiri = nobody: colours come from nigiri at the board (Art. 10)
pairing-third-colour = The same colour in three games running
pairing-third-colour-hint = Avoided comes before the other colour criteria (P5). Forbidden never makes such a pair, and a round may then have no table.
pairing-third-colour-allowed = may happen
pairing-third-colour-avoided = as rarely as possible
pairing-third-colour-forbidden = never
pairing-group-points = Byes, absences, repeats
pairing-bye-score = Points for a bye
pairing-bye-score-hint = In the scale of Art. 27: 2 for a win, 1 for a draw. Byes go first to those who have had none (P2).
pairing-absent-score = Points for an absence with leave
pairing-absent-score-hint = For a round sat out, before a late entry and after a withdrawal (Art. 28).
pairing-avoid-repeated-floats = Avoid repeated floats
pairing-avoid-repeated-floats-hint = Whoever has floated down or up floats that way again only when there is no other way (P6).
pairing-forfeits-may-meet-again = A forfeited pair may meet again
pairing-forfeits-may-meet-again-hint = A pairing that was not played counts as having met unless this is set (P1).
pairing-stop-at = Score at which somebody stops
pairing-stop-at-hint = Who has reached it has the standard for promotion and is not paired any more. Empty for nobody.
log-field-order-by = halves go by
log-field-team-avoidance = team avoidance
log-field-forbidden-pairs = forbidden pairs
log-field-unwanted-pairs = unwanted pairs
log-field-third-colour = third colour
log-field-colours = colours
log-field-stop-at = stop at
log-field-bye-rounds = byes asked for in rounds
log-field-choices = fixed
log-field-pairs = meet
log-field-apart = apart
log-field-sitting-out = sit out
log-field-nigiri = nigiri
fault-pick-unknown = nobody has the number or the name “{ $found }”
fault-pick-several = several are named “{ $found }”: write one of the numbers { $numbers }
fault-pick-not-a-pair = “{ $found }” is not two entries: write two numbers or names with a stroke between them, as in 3 / 7

# Fixed before pairing

fix-title = Fix something before pairing
fix-intro = The rest is paired around what is fixed here. What it costs is shown with the draft; it stands in the log with the reason.
fix-meet = These two meet
fix-pairs-hint = One pair a line, by number or name: 3 / 7. Also two who have met before.
fix-apart = These two do not meet
fix-byes = Has the bye
fix-entries-hint = Numbers or names, with commas between them.
fix-sitting-out = Sits out
asked-for-bye = Round { $round }: { $count ->
        [one] one bye is asked for
       *[other] { $count } byes are asked for
    }: { $people }
sit-out-already = Round { $round }: { $count ->
        [one] one sits out
       *[other] { $count } sit out
    }: { $people }
bye-rounds-legend = Asks for the bye in
bye-rounds-hint = Whoever asks has it, with its points, and is not paired in that round; others may have the bye as well.
measure-third_colour = The same colour a third time running
fixed-title = Fixed before pairing
fixed-meet = { $one } and { $other } meet
fixed-apart = { $one } and { $other } do not meet
fixed-bye = { $person } has the bye
fixed-sits-out = { $person } sits out
fixed-cost = What it costs: the best table without it is better first in “{ $criterion }”: { $free } instead of { $with }.
fixed-costs-nothing = It costs nothing: the best table without it reaches no more.
fixed-without = Without it
fixed-with = With it
had-black = Black
had-black-hint = Who had Black by nigiri (Art. 10). The result above is by number, so it stays with the same player.
had-black-of-board = Who had Black on board { $board }
first-wins = the first wins
second-wins = the second wins
warnings-to = To number { $number }

# Game records in the log

log-record-brought = game record brought
log-record-replaced = another game record brought
log-record-withdrawn = game record withdrawn
log-record-brought-back = game record brought back
log-record-codes-renewed = codes of all boards made anew
log-field-version = version
log-field-sha256 = SHA-256
log-field-size = bytes
log-field-game = game of the file
log-field-encoding = encoding
log-field-dead = dead stones
log-field-standing = standing
log-field-recorded = result in the record
log-field-from-player = from a player
log-field-board-size = lines of the board
log-field-repetition = repetition
log-field-records-from-players = records from players
log-field-copy-of = copy of
copy-this = New event with these settings
results-coming-in = Round { $round }: { $in } of { $boards } results are in{ $waiting ->
        [0] {""}
        [one] , and one board has been handed in and does not count yet
       *[other] , and { $waiting } boards have been handed in and do not count yet
    } ({ $at }).
look-again = Look again
pair-all-the-same = Pair round { $round } all the same
pair-pending = Without a result: { $boards }. Round { $round } can be paired all the same, as with an adjourned game: after a confirmation each of these counts as a draw for the pairing, and in the standings as nothing until its result is in.
next-final = The event is final. What is left is to print and to show.
