# What the values of the standings are made of, and why one player is before another

explain-title = What the values are made of
explain-lead = { $after }: place { $place }
explain-to-standings = Back to the standings
explain-col-how = How it counts
explain-col-amount = Counts
explain-col-criterion = Criterion
explain-sum = Sum
explain-start = start score
explain-carried = score carried over from earlier rounds
explain-points = points of the round
explain-running = score after the round
explain-opponent = the opponent’s own score
explain-met = the score of an opponent met in earlier rounds
explain-share-all = won: the whole { $of }
explain-share-half = drawn: half of { $of }
explain-share-none = not won: nothing of { $of }
explain-opponents-sum = the opponent’s own sum of opponents’ scores
explain-virtual = virtual opponent: { $before } before the round + { $left } left by it + { $later } for draws after it = { $score }
explain-win = won
explain-warnings = warnings
explain-place = the opponent’s place by the criteria before
explain-nothing = counts nothing
explain-nothing-bye = a bye counts nothing here
explain-nothing-absent = an absence counts nothing here
explain-nothing-forfeit = a forfeited game counts nothing here
explain-not-yet = does not count yet
explain-left-out = left out
explain-of-score = Start score, what was carried over, and the points of each round:
explain-of-opponents_score = The opponents’ own scores, once for each meeting:
explain-of-opponents_score_cut = The opponents’ own scores without the lowest and highest that are left out:
explain-of-beaten_opponents_score = The scores of the opponents beaten, and half of those drawn with:
explain-of-opponents_opponents_score = The opponents’ own sums of opponents’ scores:
explain-of-running_score = The score after each round:
explain-of-running_cut = The running score without the first round’s, then without the first two, and so on; compared in this order.
explain-of-best_beaten = The places of the opponents beaten, the best first:
explain-of-wins = Boards won, by forfeit too; byes are no wins:
explain-of-wins_as_white = Games won as White; forfeits carry no colour:
explain-of-fewer_warnings = Warnings in all rounds; fewer stand before:
explain-of-rating = The rating of the entry; the higher stands before.
explain-of-number = The number of the entry; the smaller stands before.
explain-of-lots = The lot drawn; the smaller stands before. It decides only where everybody tied has drawn one.
explain-total = Score + (opponents’ scores ÷ (top score ÷ 2) − rounds): { $score } + ({ $sum } ÷ ({ $top } ÷ 2) − { $rounds }) = { $exact }
explain-total-fraction = Score + (opponents’ scores ÷ (top score ÷ 2) − rounds): { $score } + ({ $sum } ÷ ({ $top } ÷ 2) − { $rounds }) = { $exact } ≈ { $printed }
explain-total-nobody = Nobody has a point yet: the total score is the score.
explain-look = { $count } players are equal so far ({ $players }) and all have met: the points among them.
explain-look-not-met = { $count } players are equal so far ({ $players }), and not all of them have met each other: direct encounter decides nothing.
explain-no-tie = Nobody else is equal in all criteria before, so direct encounter is not asked.
explain-nobody-beaten = No opponent beaten yet.
explain-against = { $place }. { $player }
standings-choose = Choose two players to see why one is before the other.
standings-tap = A value leads to the games it is made of.
compare-title = Why this order?
compare-steps = The criteria in order
compare-col-verdict = Order
compare-equal = equal
compare-before = { $player } first
compare-rest = Not looked at any more: { $criteria }.
compare-shared = { $a } and { $b } share place { $place }: every criterion is equal.
compare-first = { $a } (place { $placea }) stands before { $b } (place { $placeb }) by { $criterion }: { $better } against { $worse } ({ $direction }).
compare-later = { $a } (place { $placea }) stands before { $b } (place { $placeb }): equal in { $equal }, then { $criterion } decides: { $better } against { $worse } ({ $direction }).
compare-larger = more is better
compare-smaller = less is better
compare-unknown = No entry has the number “{ $number }”. Choose two players from the list.
compare-two = Choose exactly two players; { $count ->
        [one] 1 is chosen
       *[other] { $count } are chosen
    }.
compare-others = Compare two players
compare-one = One
compare-other = The other
compare-do = Compare
