# Public pages

events-title = Events
events-none = There is no public event yet.
events-none-director = Directors go to
event-not-started = not started
event-finished = finished
event-in-round = round { $round } of { $planned }
event-starts-on = First day
event-place = Place
event-format = Format
format-swiss = Swiss, { $rounds } rounds
event-rules = Rules
event-komi = Komi
komi-stones = { $komi } stones
komi-points = { $komi } points
rounds = Rounds
event-no-rounds = No pairing has been published yet.
entries-n = { $count ->
        [one] 1 entry
       *[other] { $count } entries
    }
entries-none = There are no entries yet.
round-complete = complete
round-pending = { $pending } of { $boards } boards not finished
now-playing = Round { $round } is being played.
now-between = Round { $round } is finished; the next one has not been published yet.
now-finished = All { $round } rounds are finished.
see-pairing = See the pairing of round { $round }
see-standings = See the standings
see-final-standings = See the final standings
find-label = Name or number
find-placeholder = Name, pinyin or number
find-button = Find
find-title = Find my board
find-hint = Type a part of the name, its pinyin or initials, or the number, and see board, colour and opponent.
find-nothing = Nobody is found for “{ $query }”.
find-nothing-here = Nobody in this table fits.
find-more = { $count ->
        [one] One more fits
       *[other] { $count } more fit
    }: type more.
round-title = Round { $round } of { $event }
pairing-of-round = Pairing of round { $round }
published-edition = Version { $edition } · published { $at }
edition = Version { $edition }
table-order = Order of the table
by-board = By board
by-name = By name
made-on-earlier-results = This pairing was made on earlier results (corrected since: { $boards }). It stays as it is.
col-board = Board
col-number = No.
col-name = Name
col-team = Team
col-score = Score
col-balance = Colours
col-result = Result
col-colour = Colour
col-opponent = Opponent
col-place = Place
col-grade = Grade
col-rating = Rating
col-category = Category
col-round = Round
col-points = Points
col-score-after = Score
enter-results-round = Enter the results of round { $round }
standings-title = Standings of { $event } after round { $round }
standings-final = Final standings
standings-before = Before the first round
standings-after-round = Standings after round { $round }
standings-after = After round
provisional = provisional
standings-missing = { $count ->
        [one] One result is missing
       *[other] { $count } results are missing
    }: { $boards }.
standings-how = How places are made
standings-order = Compared in this order: { $criteria }. Whoever is equal in all of them shares the place (“=”).
crosstable-title = Cross table of { $event }
crosstable-by-round = Round by round
after-round = After round { $round }.
same-player = the same player
round-and-result = round { $round }: { $result }
player-games = Games
player-no-games = No games yet.
carried-score = Score carried over
start-score = Start score
colours-so-far = Colours so far
colours-counted = Black { $black }, White { $white }
result-with-details = { $result } ({ $details })
entry-edit = Edit this entry

# Draws

draw-title-round = How round { $round } was paired
draw-title-round-promised = The draw of round { $round }
draw-title-numbers = The draw of numbers
draw-title-groups = The draw of groups
draw-link-round = How round { $round } was paired, and how to check it
draw-link-round-promised = The draw of round { $round } is promised
draw-link-numbers = How numbers were drawn, and how to check it
draw-link-numbers-promised = The draw of numbers is promised
draw-link-groups = How groups were drawn, and how to check it
draw-link-groups-promised = The draw of groups is promised
draw-intro-rules-1 = No lots were drawn for this round: the table follows from the published rules and the results so far, and from nothing else.
draw-intro-rules-2 = The same results give the same table on every computer, so nobody could arrange who meets whom.
draw-intro-rules-3 = Anybody can take the draw file below and make the table again.
draw-intro-lots-1 = Who stands where was decided by lots that nobody could choose.
draw-intro-lots-2 = Beforehand the computer had drawn a secret number and published its fingerprint: so the secret could not be exchanged later, and nobody knew it.
draw-intro-lots-3 = Now the secret is published too, and anybody can check that it fits the fingerprint and that the lots follow from it.
draw-intro-numbers-1 = Numbers were drawn by lots that nobody could choose; seeded players drew among the places kept for them.
draw-intro-groups-1 = Groups were made by lots that nobody could choose; where the field was split by strength, lots decided inside each layer.
draw-intro-promise-1 = This draw has not been made yet, and it is promised already.
draw-intro-promise-2 = The computer has drawn a secret number, and below stands its fingerprint: the secret cannot be exchanged any more, and nobody can read it from the fingerprint.
draw-intro-promise-3 = With the draw the secret is published, and anybody can check that both fit together.
draw-unpromised = A promise was made, but this table was not made by it: see whether it was paired by hand or lots were switched off.
draw-by-hand = The table was changed by hand after it was paired. The lots below stand; the table does not follow from them alone. The log says who changed what and why.
draw-edition = This is version { $edition } of the table.
draw-choices = The directors had fixed something before the pairing (a pair, a bye); the draw file says what, and the rest was paired around it.
draw-late = This draw was not promised beforehand: when the fingerprint was published, everything that the draw depends on was known already. It can be checked that the lots follow from the secret, but not that the secret was drawn before.
draw-promised = What was promised
draw-promised-explained = This fingerprint was published before everything that the draw depends on was known. A draft that is thrown away and paired again keeps the same secret and words, so throwing away finds no better draw.
draw-promised-when = { $at }, act { $seq } of the log
draw-commitment = Fingerprint (SHA-256)
draw-when = Published
draw-words = Words from the hall
draw-words-explained = Coaches and players can add words of their own; they enter the lots, so that not even whoever runs the computer can know them before.
draw-words-until-results = They are taken as long as a result of round { $round } is missing.
draw-words-until-pairing = They are taken until the first round is paired.
draw-words-until-draw = They are taken until the draw.
draw-words-none = Nobody has given a word.
draw-revealed = What was revealed
draw-revealed-explained = Published { $at }. The seed follows from the secret and the words; all lots follow from the seed.
draw-secret = Secret
draw-seed = Seed
draw-lots = The order of the lots
draw-lots-explained = All players in the order of their numbers, shuffled by the seed. Inside each score group, who comes first here is paired first.
draw-lots-order = Who is paired first
draw-lots-colours = Who has Black when both balances are equal
draw-result = The numbers
draw-seeded = seeded
draw-group = Group { $group }
draw-criteria = What was weighed
draw-criteria-explained = The pairing looks for the table with the least of each of these, the first one first; only what is left open is decided by the order.
draw-criterion-repeats = Pairs that have met before
draw-criterion-bye = The bye goes to a low score and to whoever has had none
draw-criterion-bye-value = score { $score }, { $before ->
        [0] none before
        [one] one before
       *[other] { $before } before
    }
draw-criterion-floats = Pairs of players with different scores
draw-criterion-teams = Team mates who meet
draw-criterion-colours = Pairs in which both should have the same colour
draw-criterion-floats-again = Players who meet another score group again in the same direction
draw-criterion-least = { $value }, fewer was not possible
draw-table = Every board
draw-check = Check it yourself
draw-check-now = Check here and now
draw-check-running = Checking …
draw-check-fine = Everything fits: the lots follow from what was promised.
draw-check-wrong = Something does not fit. Keep the file and ask the directors.
draw-check-unreadable = The draw file could not be read or loaded. Try again, or check it with the program.
draw-check-expected = found { "{" }found{ "}" }, expected { "{" }expected{ "}" }
draw-step-sum = The draw file is whole
draw-step-page = File and page say the same
draw-step-commitment = The secret has the fingerprint that was promised
draw-step-seed = The seed follows from the secret and the words
draw-step-order = The order is the one that the seed gives
draw-step-colours = The lots for colours are those that the seed gives
draw-step-numbers = The numbers are those that the seed gives
draw-step-groups = The groups are those that the seed gives
draw-step-players = Everybody who plays stands in the table once
draw-step-head = The log has the sum that stands at the foot of the page
draw-check-file = Check a draw file that you have kept
draw-check-head = The log’s number on your paper (the first 12 digits)
draw-check-elsewhere = Without this page
draw-file = Download the draw file
draw-check-program = With the program of this server on any other computer, which also makes the whole table again:
draw-check-commitment-shell = In a terminal; the fingerprint has to come out:
draw-check-seed-shell = In a terminal; the seed has to come out:
draw-check-docs = With a program of your own: everything is written down to the byte in
draw-others = Draws and how to check them
