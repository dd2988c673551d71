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
find-placeholder = Name, pinyin, initials or number
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
crosstable-title = Crosstable of { $event }
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
