# The field's terms

outcome-black = Black wins
outcome-white = White wins
outcome-draw = Draw
outcome-both_lose = Both lose
outcome-black_forfeit = Black absent
outcome-white_forfeit = White absent
outcome-both_forfeit = Both absent
by-count = counted
by-resignation = by resignation
by-time = on time
by-penalty = by ruling
margin-stones = by { $margin } stones
margin-points = by { $margin } points
warned-black = { $count ->
        [one] a warning to Black
       *[other] { $count } warnings to Black
    }
warned-white = { $count ->
        [one] a warning to White
       *[other] { $count } warnings to White
    }
balance-even = even
balance-white = White +{ $count }
balance-black = Black +{ $count }
criterion-score = Score
    .short = Score
criterion-total_score = Total score
    .short = Total
criterion-opponents_score = Opponents’ score
    .short = SOS
criterion-opponents_score_cut = Opponents’ score without the { $low } lowest and { $high } highest
    .short = SOS cut
criterion-beaten_opponents_score = Scores of opponents beaten
    .short = SODOS
criterion-running_score = Running score
    .short = Running
criterion-running_cut = Running score, round by round cut
    .short = Run. cut
criterion-direct_encounter = Direct encounter
    .short = Direct
criterion-best_beaten = Best opponents beaten
    .short = Beaten
criterion-opponents_opponents_score = Opponents’ opponents’ score
    .short = SOSOS
criterion-wins = Games won
    .short = Wins
criterion-wins_as_white = Games won as White
    .short = W wins
criterion-fewer_warnings = Fewer warnings
    .short = Warn.
criterion-rating = Rating
    .short = Rating
criterion-number = Number
    .short = No.
criterion-lots = Lots
    .short = Lots
rules-chinese = Chinese rules
rules-japanese = Japanese rules
rules-korean = Korean rules
rules-mind-sports-2008 = Mind Sports Games rules, 2008
rules-ing = Ing rules
rules-weigh-board-a = Weigh-board A rules
rules-ancient-chinese = Ancient Chinese rules
rules-aga = AGA rules
rules-new-zealand = New Zealand rules
rules-tromp-taylor = Tromp-Taylor rules
played-bye = bye, { $points ->
        [one] 1 point
       *[other] { $points } points
    }
played-absent = absent
played-pending = not finished
played-won = won
played-lost = lost
played-drawn = drawn
played-both-lost = both lost
played-won-by-forfeit = won by forfeit
played-forfeited = lost by forfeit
played-both-forfeit = both absent
cell-bye = bye
cell-absent = –
cell-pending = …
cell-won = +
cell-lost = −
cell-drawn = =
cell-won-by-forfeit = +f
cell-forfeited = −f
pages-of-table = Lines of the table
cells-legend = One cell a round: the stone tells the colour, the number the opponent. + won, − lost, = drawn, +f won by forfeit, −f lost by forfeit, – absent, … not finished.
mark-withdrawn = withdrew after round { $round }
mark-withdrawn-before = withdrew before round 1
mark-sits-out = sits out round { $round }
unplayed-opponent = In opponents’ sums, a forfeited game counts with the score of the opponent who was paired; a round without an opponent (bye, absence) counts nothing.
unplayed-virtual = In opponents’ sums, an unplayed game counts as a virtual opponent: the player’s own score before the round and a draw in every round after it.
unplayed-nothing = In opponents’ sums, only games that were played count.

# Colours from nigiri

nigiri = nigiri
nigiri-first = Player (colours by nigiri)
nigiri-second = Player
number-won = { $number } wins
number-forfeited = { $number } absent
warned-number = { $number }: { $count ->
        [one] one warning
       *[other] { $count } warnings
    }
played-stopped = has reached the standard
