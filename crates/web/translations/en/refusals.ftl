# Refusals of a change to an event: what is wrong, with which thing, and the way out

refusal-unknown-event = There is no event “{ $key }”. Look for it in the list of events.
    .title = No such event
refusal-unknown-entry = No entry has number { $number }. Look in the list of entries.
    .title = No such entry
refusal-unknown-round = There is no round { $round }.
    .title = No such round
refusal-unknown-board = Round { $round } has no board { $board }.
    .title = No such board
refusal-unknown-user = There is no such user.
    .title = No such user
refusal-unknown-token = There is no such token.
    .title = No such token
refusal-stale = This was changed meanwhile. Look at it again, then repeat your change if you still want it.
    .title = Changed meanwhile
refusal-slug-taken = Another event has the address “{ $slug }”: choose another one.
    .title = Address taken
refusal-bad-slug = “{ $slug }” cannot be an address: use 1 to 80 small letters, digits, or letters of other scripts, joined by single hyphens.
    .title = Unusable address
refusal-number-taken = Number { $number } is given to another entry: choose a free one.
    .title = Number taken
refusal-no-number-left = No number is left after { $last }: give a number yourself.
    .title = No number left
refusal-numbers-fixed = Numbers are fixed once a round is paired or something is carried over. Throw the rounds away first.
    .title = Numbers are fixed
refusal-nothing-promised = Nothing is promised for { $kind ->
        [round] round { $round }
        [numbers] the numbers
       *[groups] the groups
    }: lots are drawn only where the settings say so.
    .title = Nothing is promised
refusal-words-closed = No public word is taken any more for { $kind ->
        [round] round { $round }
        [numbers] the numbers
       *[groups] the groups
    }: the last result is in, or the draw was made.
    .title = No word is taken any more
refusal-nothing-drawn = { $kind ->
        [round] Round { $round } has not
        [numbers] Numbers have not
       *[groups] Groups have not
    } been drawn.
    .title = Nothing was drawn
refusal-drawn-already = { $kind ->
        [round] Round { $round } was
        [numbers] Numbers were
       *[groups] Groups were
    } drawn already ({ $at }). Everybody gets another one when you draw again: tick that, and everybody can see that it was done twice.
    .title = Drawn already
refusal-groups-fixed = Groups are drawn before the first round. Change the category of single entries instead.
    .title = Groups are fixed
refusal-categories-there = { $count ->
        [one] One entry has
       *[other] { $count } entries have
    } a category already. Tick that groups are to replace them.
    .title = There are categories already
refusal-too-many-words = There are { $most } public words already, and no draw takes more.
    .title = Too many words
refusal-unknown-word = There is no public word { $position } any more.
    .title = No such word
refusal-public-word-empty = The public word is empty. Write at least one character.
    .title = Empty word
refusal-public-word-too-long = The public word has { $characters } characters. At most { $most } are taken.
    .title = Too long a word
refusal-public-word-control = The public word has a line break or another control character in it. Write it on one line.
    .title = Not one line
refusal-numbers-too-many = { $entries } entries draw numbers, and there are at most { $most }.
    .title = Too many entries
refusal-slot-count = { $seeded } entries are seeded and { $slots } slots are given. Give as many slots as there are seeded entries, or none for evenly spread ones.
    .title = Slots and seeded entries differ
refusal-no-such-slot = Slot { $slot } is none of the numbers 1 to { $entries }.
    .title = No such slot
refusal-slot-order = Slot { $slot } stands after a larger or an equal one. List each slot once, the smallest first.
    .title = Slots out of order
refusal-no-such-seeded-entry = Seeded entry { $place } is not among the { $entries } entries.
    .title = No such seeded entry
refusal-group-count = A field is split into 2 to { $most } groups, not into { $groups }.
    .title = Number of groups
refusal-groups-without-entries = { $entries } entries cannot fill { $groups } groups.
    .title = Too few entries
refusal-empty-layer = A layer has at least one entry.
    .title = Empty layer
refusal-first-round-fixed = The first round is fixed once a round is paired. Throw the rounds away first.
    .title = First round is fixed
refusal-skipped-time = The clock in { $zone } skips { $local }: it is put forward past it. Choose another time for the start of round { $round }.
    .title = No such time
refusal-fewer-than-paired = Round { $last } is there already, so { $planned } rounds are too few. Throw the later rounds away first.
    .title = Too few rounds
refusal-draft-exists = Round { $round } was paired by { $by } at { $at } and is a draft: publish it or throw it away.
    .title = There is a draft
refusal-round-exists = Round { $round } was paired by { $by } at { $at } already: look at it.
    .title = Paired already
refusal-not-next-round = The next round to pair is round { $next }, not round { $round }.
    .title = Not the next round
refusal-not-last-round = Round { $round } is not the last one. Throw round { $last } away first.
    .title = Not the last round
refusal-not-published = Round { $round } is not published. Publish it first.
    .title = Not published
refusal-has-results = { $count ->
        [one] Round { $round } has a result on board { $boards }. Clear it first.
       *[other] Round { $round } has results on boards { $boards }. Clear them first.
    }
    .title = There are results
refusal-outdated = Round { $round } was paired on something else than what is there now{ $results_count ->
        [0] { "" }
       *[other] {" "}— changed results (round/board): { $results }
    }{ $gone_count ->
        [0] { "" }
       *[other] {" "}— left since then: { $gone }
    }{ $unseated_count ->
        [0] { "" }
       *[other] {" "}— came since then: { $unseated }
    }. Throw it away and pair again, or confirm that it stays as it is.
    .title = The draft is outdated
refusal-table = This table cannot be{ $twice_count ->
        [0] { "" }
       *[other] {" "}— on more than one place: { $twice }
    }{ $against_oneself_count ->
        [0] { "" }
       *[other] {" "}— against oneself: { $against_oneself }
    }{ $missing_count ->
        [0] { "" }
       *[other] {" "}— without a place: { $missing }
    }{ $not_playing_count ->
        [0] { "" }
       *[other] {" "}— not playing in this round: { $not_playing }
    }{ $unknown_count ->
        [0] { "" }
       *[other] {" "}— no such number: { $unknown }
    }{ $too_many_byes_count ->
        [0] { "" }
       *[other] {" "}— more than one bye: { $too_many_byes }
    }. Seat everybody once.
    .title = Not a possible table
refusal-repeats = { $pairs } would meet again in round { $round }. Confirm it, or change the table.
    .title = Players would meet again
refusal-has-played = Number { $number } is on the table of round { $rounds }. Withdraw the entry instead of removing it.
    .title = Has played
refusal-met-in-carried = Number { $number } is among the opponents carried over by { $by }. Withdraw the entry instead of removing it.
    .title = Others have met this entry
refusal-already-withdrawn = Number { $number } has withdrawn already, after round { $after }. Take that back first.
    .title = Withdrawn already
refusal-not-withdrawn = Number { $number } has not withdrawn.
    .title = Not withdrawn
refusal-return-too-early = Number { $number } took part up to round { $after }. Choose a later round to return to.
    .title = Too early to return to
refusal-beyond-rounds = This event has { $planned } rounds, and round { $round } is none of them. Name a round from { $least } to { $planned }.
    .title = No such round
refusal-played-later = Number { $number } has a result in round { $round }. Let the withdrawal count from after that round.
    .title = Played later
refusal-unstorable = A text contains the character NUL. Remove it.
    .title = Unusable character
refusal-constraint = This cannot be stored, because something else has changed or does not fit. Look at it again.
    .title = Cannot be stored
refusal-seated-now = Number { $number } sits at board { $board } of round { $round }, which is published. Choose whether the opponent wins by forfeit, somebody else takes the seat, or the round is thrown away and paired again.
    .title = Sits at a board
refusal-on-table = Number { $number } is on the table of round { $round }, which is published. Change the table of that round first.
    .title = On the table
refusal-has-board = Number { $number } sits at board { $board } of round { $round } already.
    .title = Has a board
refusal-has-no-place = Number { $number } has neither a board nor a bye in round { $round }. Give it a seat there first, or leave it absent.
    .title = Has no place
refusal-colours-assigned = On board { $board } of round { $round } the pairing gave Black to number { $number }, and that stands also when the game was played with the wrong colours (Art. 17.1). Who had Black is only recorded where colours come from nigiri.
    .title = Colours are assigned
refusal-not-at-board = Number { $number } does not sit at board { $board } of round { $round }.
    .title = Not at this board
refusal-not-playing = Number { $number } does not play in round { $round }. Return the entry first.
    .title = Does not play
refusal-same-entry = Number { $number } is named twice. Name two different entries.
    .title = Named twice
refusal-board-twice = Board { $board } stands twice in the list. Give each board once.
    .title = Board named twice
refusal-user-exists = There is a user “{ $name }” already: choose another name.
    .title = Name taken
refusal-empty-name = The name is empty.
    .title = No name
refusal-admin-exists = There is an administrator already. Sign in, or ask the administrator for an account.
    .title = Set up already
refusal-setup-link-spent = This link has been used or has run out. Start the server again for a new one.
    .title = Link spent

refusal-missing-results = { $count ->
        [one] Round { $round } has no result yet on board { $boards }. Enter it, or confirm that the pairing counts it as a draw for now.
       *[other] Round { $round } has no result yet on boards { $boards }. Enter them, or confirm that the pairing counts them as draws for now.
    }
    .title = Results are missing
refusal-too-few-players = { $count ->
        [0] There are not enough active players: round { $round } needs two, and nobody is to be paired.
       *[other] There are not enough active players: round { $round } needs two, and only number { $active } is to be paired.
    } { $given ->
        [0] Add players, return somebody who withdrew or sits out, or end the event here.
       *[other] Take back a bye ({ $byes }), or return somebody who withdrew or sits out.
    }
    .title = Not enough players
refusal-repeats-needed = Round { $round } cannot be paired without players meeting again. { refusal-shortage } The fewest repeats are { $pairs }. What can be done: { $ways }.
    .title = Players would meet again
refusal-no-table = Round { $round } cannot be paired at all. { refusal-shortage } What can be done: { $ways }.
    .title = Too few opponents
refusal-shortage = { $shape ->
        [one] Player { $players } has
        [each] The { $groups } players { $players } have
        [group] Players { $players } are an odd number, can meet only one another and have
       *[groups] { $groups } groups of players, each of an odd number and closed in itself ({ $players }), have
    } { $room ->
        [0] no possible opponent
        [one] only one possible opponent ({ $opponents })
       *[other] only { $room } possible opponents ({ $opponents })
    }{ $shape ->
        [group] {" "}outside
        [groups] {" "}outside
       *[other] {""}
    }{ $bye ->
        [yes] {" "}and the bye
       *[no] {""}
    }. What keeps them apart: { $rules }{ $barred ->
        [0] {""}
       *[other] {" "}({ $barred_pairs })
    }.
refusal-contradictions = Round { $round } cannot be paired as it is fixed. Take one of each back.
    .title = Choices that contradict
fault-choice-unknown = No entry has number { $number }.
fault-choice-oneself = { $number } is named twice in one pair.
fault-choice-not-playing = { $number } is withdrawn or absent in this round.
fault-choice-stopped = { $number } has reached the score at which nobody is paired any more.
fault-choice-two-pairs = { $number } is to meet both { $first } and { $second }.
fault-choice-meet-and-apart = { $first } and { $second } are to meet and to be kept apart.
fault-choice-barred = { $first } and { $second } are to meet, and are kept apart by { $rule }.
fault-choice-two-places = { $number } has { $first } and { $second }.
refusal-seed-needed = Round { $round } is paired by lots. Draw a seed for it first.
    .title = No seed drawn
refusal-no-round-left = All { $planned } planned rounds are paired. Raise the number of rounds to pair another.
    .title = No round left

# Single faults of an event

fault-duplicate-number = Number { $number } is given to two entries: give one of them a number of its own.
fault-unknown-number = No entry has number { $number }: add the entry or correct the number.
fault-two-boards = Player { $number } is on boards { $first } and { $second } of round { $round }: take the player off one of them.
fault-against-oneself = Board { $board } of round { $round } pairs player { $number } with himself or herself: name the opponent.
fault-two-places = Player { $number } has two places in round { $round }, { $first } and { $second }: keep one of them.
fault-listed-twice = Player { $number } is listed twice in round { $round }: keep one of them.
fault-duplicate-board = Board { $board } stands twice in round { $round }: number the boards one by one.
fault-board-zero = Boards are numbered from 1.
fault-round-out-of-order = Round { $found } stands where round { $expected } should be: list the rounds one by one, in order, from the first.
fault-too-many-rounds = Round { $round } is beyond the { $planned } planned rounds: raise the number of rounds, or take the round away.
fault-negative-score = A score cannot be negative ({ $score }): write 0 or more, two for a win.
fault-out-of-range = { $found } is not between { $least } and { $most }: write a whole number between them.
fault-empty-name = The name is empty: write one.
fault-too-long = The text is longer than { $most } characters: shorten it.
fault-not-with-result = A forfeited, drawn or unplayed game has no “{ $field }”: leave that empty, or correct the result.
fault-not-pending = A board without a result has no “{ $field }”: enter the result, or leave that empty.
fault-met-oneself = Player { $number } cannot have met himself or herself: name the opponent.
fault-duplicate-criterion = The criterion “{ $criterion }” stands twice: keep the first.
fault-control-character = The text holds a line break or another control character: write it on one line.
fault-bye-while-absent = Player { $number } asks for the bye in round { $round } and sits it out: keep one of them.
fault-duplicate-lot = Player { $number } has drawn two lots: keep one of them.
fault-pair-of-one = Player { $number } is named twice in one pair: name two players.
fault-duplicate-pair = Players { $first } and { $second } are kept apart twice: keep one of the two.

# Single faults of an event file

fault-file-too-large = The file cannot be taken: { $what }.
fault-not-utf8 = The file is not UTF-8: save it as UTF-8.
fault-syntax = Here the file is no JSON: { $what }.
fault-wrong-format = This is not an event file: “format” must be “tianyuan-event”.
fault-wrong-version = Version { $found } of the event file is not known here, only version 1: export the event again, or use a newer program.
fault-not-whole = { $found } cannot stand here: write a whole number.
fault-not-a-komi = “{ $found }” is not a komi: write a decimal in whole, half or quarter units up to 400, such as 3.75, 6.5 or 0.
fault-unlikely-year = An event in the year { $found } is most likely a slip: write a year from { $least } to { $most }.
fault-unlikely-komi = No event is played with a komi of { $found }: write one of at most { $most }. A minus gives it to Black, where the weaker side always has Black.
fault-not-in-the-unit = A { $field } of { $found } does not exist in { $unit }, which the rules of this event count in: write whole or half { $unit }.
fault-unknown-rules = “{ $found }” is not one of { $expected }.
fault-not-a-date = “{ $found }” is not a day: write year, month and day as 2026-05-01.
fault-not-a-moment = “{ $found }” is not a moment: write it with its offset, as 2027-04-10T06:45:00Z, to the microsecond at most.
fault-skipped-time = The clock in { $zone } skips { $local }: it is put forward past it. Write another time.
fault-round-twice = Round { $round } is named twice here: keep one of them.
fault-no-such-board = There is no board { $board } in round { $round } before this one, or it is named twice: take this earlier result away.
fault-final-but-pending = Board { $board } of round { $round } has no result, so the event is not final: enter the result, or take “final” away.
fault-not-a-seed = “{ $found }” is not the seed of a draw: write its 64 hexadecimal digits.
fault-size-without-balance = “balance_size” says how many games but not of which colour: add “balance”, white or black, or take “balance_size” away.
fault-carried-from-nowhere = Results are carried, but nothing says how many rounds they come from: add “first_round”, the round to pair next, to “event”.
fault-more-problems = And { $count } more faults: put these right first.

fault-word-a-board = a board
fault-word-a-bye = a bye
fault-word-an-absence = an absence
fault-word-stones = stones
fault-word-points = points
fault-word-earlier-meetings = earlier meetings
fault-word-forbidden-pairs = forbidden pairs
fault-word-what-was-fixed-for-this-round = what was fixed for this round
fault-word-absolute-team-avoidance = absolute team avoidance
fault-word-the-ban-of-a-third-colour-running = the ban of a third colour running
fault-word-confirm-repeats = confirm repeats
fault-word-lift-a-forbidden-pair = lift a forbidden pair
fault-word-take-back-what-was-fixed-for-this-round = take back what was fixed for this round
fault-word-make-team-avoidance-strong-instead-of-absolute = make team avoidance strong instead of absolute
fault-word-let-a-third-colour-running-be-avoided-instead-of-forbidden = let a third colour running be avoided instead of forbidden
fault-word-lift-several-of-these-rules = lift several of these rules
fault-word-change-who-takes-part = change who takes part
fault-word-a-fixed-opponent = a fixed opponent
fault-word-the-bye = the bye
fault-word-to-sit-out = to sit out
fault-word-true-or-false = true or false
fault-word-a-number = a number
fault-word-a-whole-number = a whole number
fault-word-a-text = a text
fault-word-a-text-in-double-quotes = a text in double quotes
fault-word-a-list = a list
fault-word-a-list-of-two-numbers = a list of two numbers
fault-word-an-object = an object
fault-word-nothing = nothing
fault-no-criterion = The ranking is empty: name at least one criterion.

# Why a file is no JSON

fault-word-lists-and-objects-are-nested-more-than-32-deep = lists and objects are nested more than 32 deep
fault-word-the-file-is-larger-than-16-MiB = the file is larger than 16 MiB
fault-word-the-file-holds-more-than-4000000-values = the file holds more than 4000000 values
fault-word-the-file-is-empty--an-event-file-is-a-JSON-object = the file is empty: an event file is a JSON object
fault-word-the-file-ends-where-a-value-should-come = the file ends where a value should come
fault-word-the-file-ends-where-a-name-in-double-quotes-should-come = the file ends where a name in double quotes should come
fault-word-the-file-ends-where-a-colon-should-come = the file ends where a colon should come
fault-word-the-file-ends-where-a-comma-or---should-come = the file ends where a comma or a closing bracket should come
fault-word-the-file-ends-where-the-closing-quote-of-a-text-should-come = the file ends where the closing quote of a text should come
fault-word-something-else-stands-where-a-value-should-come = something else stands where a value should come
fault-word-something-else-stands-where-a-name-in-double-quotes-should-come = something else stands where a name in double quotes should come
fault-word-something-else-stands-where-a-colon-should-come = something else stands where a colon should come
fault-word-something-else-stands-where-a-comma-or---should-come = something else stands where a comma or a closing bracket should come
fault-word-a-comma-stands-before-the-closing-bracket--take-it-away = a comma stands before the closing bracket: take it away
fault-word-something-follows-after-the-end-of-the-event--take-it-away = something follows after the end of the event: take it away
fault-word-a-text-holds-a-line-break-or-another-control-character--write-it-as--n-or--u = a text holds a line break or another control character: write it as \n or \u
fault-word-after-a-backslash-stands-none-of-------b-f-n-r-t-u = after a backslash stands none of " \ / b f n r t u
fault-word--u-names-half-of-a-character--write-both-halves-or-the-character = \u names half of a character: write both halves or the character
fault-word-this-is-no-number-as-JSON-writes-them--12---3--0-5 = this is no number as JSON writes them: 12, -3, 0.5

refusal-no-record = Board { $board } of round { $round } has no such record: none was brought yet, or it was withdrawn. Directors see all that are kept.
    .title = No such record
refusal-record-from-director = The record of board { $board } of round { $round } was brought by a director. Show yours to the director.
    .title = The director has brought the record
refusal-record-is-withdrawn = This record of board { $board } of round { $round } was withdrawn by a director. Ask the director.
    .title = This record was withdrawn
refusal-too-many-records = Board { $board } of round { $round } has { $most } records already, and no more are taken. Directors can bring an earlier one back; players tell a director.
    .title = Too many records
refusal-records-full = No more records are taken from players of this event. Bring yours to the director.
    .title = No more records are taken
refusal-record-size = A record has 1 to { $most } bytes. Choose another file.
    .title = Empty or too large
fault-not-a-board = A board of { $found } lines cannot be: write a number from 2 to 52.
fault-not-a-point = “{ $found }” is not a point: write two letters as in the record, such as pd.
refusal-record-refused = { $told }
    .title = This record cannot be judged
refusal-too-many-checks = Too many records were sent in a minute. Wait { $minutes ->
        [one] a minute
       *[other] { $minutes } minutes
    }, or use an account.
    .title = Too many records
refusal-unknown-family = There is no event with groups “{ $key }”. Look for it in the list of events.
    .title = No such event
refusal-too-many-groups = There are at most { $most } groups, not { $found }.
    .title = Too many groups
refusal-bad-label = A group is called by 1 to { $most } characters, not “{ $label }”.
    .title = No name for a group
refusal-label-twice = Two groups are called “{ $label }”. Call one of them otherwise.
    .title = Two groups of one name
refusal-bad-first-board = The first board of group “{ $label }” is a number from 1 to { $most }.
    .title = No first board
refusal-group-elsewhere = “{ $label }” belongs to “{ $family }” already. Take it out there first.
    .title = Belongs elsewhere
refusal-groups-paired = Rounds are paired in { $labels }. Throw them away first, or dissolve the groups and keep their events.
    .title = Rounds are paired
refusal-without-category = Some have no category: number { $numbers }. Draw the groups, or give each entry its category.
    .title = Entries without a category
refusal-one-category = All entries are in one category. Draw the groups, or give entries their categories.
    .title = Only one category
refusal-in-groups = Nothing was changed, because groups refuse it: { $groups }. Settle the following first.
    .title = Groups refuse
refusal-nothing-in-groups = There is no group in which this can be done now. Look at what is next in each.
    .title = Nothing to do
