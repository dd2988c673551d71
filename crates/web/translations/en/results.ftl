# Links for results, results that wait, slips.
result-links = Links for results
result-links-intro = Whoever has such a link enters the results of its boards in the round that is being played, on any phone and without an account, and sees nothing else. The log says the link’s name. It ends at its time, or when you take it back.
link-name = Name
link-name-hint = As the log shows it: “Room 2”. Left empty, it is named by its boards.
link-first = First board
link-last = Last board
link-works = Works for
link-for-12 = 12 hours
link-for-24 = 1 day
link-for-72 = 3 days
link-for-168 = 7 days
link-make = Make link
link-qr = The link as a QR code
result-link-once = The link is shown this once. Let the arbiter scan the code now, print this page, or copy the address; if it is lost, make another one.
links-there = Links of this event
links-none = There is none yet.
link-open = works until { $until }
link-open-used = works until { $until }, last used { $used }
link-ended = ended { $at }
link-revoked = taken back { $at }
link-made = made by { $who }, { $at }
link-revoke = Take back
boards-from-to = Boards { $first }–{ $last }
done-link-revoked = The link is taken back: it does nothing any more. What was entered with it stays.
results-count-when = When a result counts
by-two = Only when two have entered the same result
by-two-hint = What an arbiter or a link enters waits until another arbiter or link enters the same. Until then it is in no standings and in no pairing. What a director enters or confirms counts at once.
done-result-settings = Saved. Results that wait go on waiting.
confirm-all-results = Confirm all that are not disputed
results-to-confirm = { $count ->
        [one] One result waits
       *[other] { $count } results wait
    } for a second person or for you, and { $disputed } { $disputed ->
        [one] board is
       *[other] boards are
    } disputed. None of them counts yet.
dispute-of-board = Board { $board }: { $said }. Ask both, then enter the result yourself.
reported-by = { $result } ({ $who })
row-unconfirmed = to be confirmed: { $said }
row-disputed = disputed: { $said }
done-confirmed = { $count ->
        [one] One result confirmed.
       *[other] { $count } results confirmed.
    }
done-reported = { $count ->
        [one] One result is kept
       *[other] { $count } results are kept
    }; { $waits } of them wait until a second person enters the same.
state-unconfirmed = kept, to be confirmed by a second person
state-disputed = kept, but somebody has entered another result: a director decides
state-conflict = Somebody else has entered: {"{theirs}"}. You: {"{yours}"}.
conflict-keep-mine = Mine is right
conflict-take-theirs = Theirs is right
state-offline = No connection. Kept on this device: {"{n}"}. They are sent by themselves as soon as it is back.
state-online = The connection is back: everything is saved.
result-slips = Result slips
slips-intro = Four to a page of A4. Print, cut the stack in half twice, and put the piles one on another: the boards lie in order.
slip-won = won
slip-margin = Margin
slip-signed = Signed
slip-arbiter = Arbiter
slip-qr = Page of board { $board } as a QR code
log-result-link-made = link for results made
log-result-link-revoked = link for results taken back
log-result-reported = result reported
log-result-settings-changed = what is asked of results changed
log-field-by-two = two have to say the same
log-field-from-players = players hand in results
refusal-result-link-spent = This link does not work: it has run out, was taken back, or is not complete. Ask a director for a new one; results can be handed in on paper meanwhile.
    .title = The link does not work
refusal-link-too-early = No round is published yet. Come back when play begins: the link stays the same.
    .title = No round yet
refusal-not-of-link = Board { $board } is not one of the boards of this link, { $first } to { $last }. Hand the result to the arbiter of that board.
    .title = Not your board
refusal-not-round-of-link = This page is of round { $round }, and the link is for the round that is being played, { $current }. Reload the page; for an earlier result ask a director.
    .title = Another round
refusal-counts-by-two = The result of board { $board } counts because it was confirmed. To take it away, ask a director; to correct it, enter the right result, and a second person confirms it.
    .title = Confirmed result
refusal-not-a-board = “{ $found }” is no board number. Write a whole number from 1 on.
    .title = Not a board
refusal-boards-backwards = Board { $first } comes after board { $last }. Write the smaller number first.
    .title = Boards the wrong way round
# Players hand in results.
from-players = Players hand in the results of their own games
from-players-hint = Each player gets a card with a link of his or her own. A result counts when both players hand in the same, or when an arbiter enters it; until then it is in no standings and in no pairing. If the two say different things, the board is disputed and a director decides.
player-cards = Cards for the players
cards-intro = Eight to a page of A4, in order of number. Give each card to its player alone: whoever has it hands in for that player. New codes are made on the page of the record codes; all cards are void then.
cards-closed = Players do not hand in results in this event. Allow it under “Links for results” first.
card-words = Hand in your results:
card-qr = The link of number { $number } as a QR code
hand-in = Hand in a result
hand-in-by-arbiters = In this event the arbiters enter the results: give them the slip of your board.
hand-in-intro = Your card has a code of your own: scan it, or type it here. You reach the board where you sit in the round that is being played.
hand-in-number = Your number
hand-in-code = Your code
hand-in-code-hint = Twelve letters and digits, as on your card; large or small, with or without hyphens.
hand-in-go = To my board
hand-in-early = No round is published yet. Come back when the first game is over: the link stays the same.
hand-in-no-board = You have no board in round { $round }: there is nothing to hand in.
hand-in-counts = The result counts: { $result }. If it is wrong, tell an arbiter.
hand-in-you-said = You have handed in: { $result }.
hand-in-other-said = Your opponent has handed in: { $result }.
hand-in-somebody-said = { $who } has entered: { $result }.
hand-in-waits = It counts as soon as your opponent hands in the same, or an arbiter enters it.
hand-in-disputed = These results differ, so none of them counts. If yours was a slip of the finger, correct it below; otherwise go to the arbiter together.
hand-in-colour = I had
hand-in-won = I won
hand-in-lost = I lost
hand-in-draw = Draw
hand-in-take-back = Take back what I have handed in
hand-in-other = Your opponent did not come, or something else happened? An arbiter enters that.
hand-in-look-again = Look again
done-hand-in-counts = Thank you: both say the same, and the result counts.
done-hand-in-waits = Handed in. It counts as soon as your opponent hands in the same.
done-hand-in-disputed = Handed in, but another result was handed in before: none of them counts until you agree or a director decides.
done-hand-in-taken-back = Taken back: nothing of yours waits any more.
result-and-black = { $result }, Black: { $black }
refusal-hand-in-wrong-code = This number and this code do not belong together. Compare both with your card; if it is lost, an arbiter takes your result.
    .title = Wrong code
refusal-hand-in-closed = Players do not hand in results in this event. Give the slip of your board to an arbiter.
    .title = Not open
refusal-hand-in-not-your-board = Nothing was kept: you do not sit at this board in the round that is being played. The page shows your board now.
    .title = Not your board
refusal-hand-in-no-result = Choose “I won”, “I lost” or “Draw”. Anything else is for an arbiter.
    .title = No result
refusal-hand-in-no-colour = Say which colour you had: it came from nigiri, and nobody has recorded it yet.
    .title = Which colour
refusal-result-counts = The result of board { $board } in round { $round } counts already. If it is wrong, tell an arbiter, who corrects it.
    .title = The result counts
ready-unconfirmed = { $count ->
        [one] One result of round { $round } waits to be confirmed
       *[other] { $count } results of round { $round } wait to be confirmed
    }: { $count ->
        [one] board
       *[other] boards
    } { $boards }.
ready-disputed = { $count ->
        [one] One board of round { $round } is disputed
       *[other] { $count } boards of round { $round } are disputed
    }: { $count ->
        [one] board
       *[other] boards
    } { $boards }. Ask both players, then enter the result.
ready-confirm = Look and confirm
# Rulings and previews.
rulings = Rulings
rulings-intro = One press is enough: the result, the way and the reason in the log follow from the article. Everything can be taken back on the log page.
ruling-remark = Remark
ruling-article = Other article
ruling-article-hint = Only where it is another one than the one named.
ruling-by-article = { $ruled } (Art. { $article })
ruling-with-remark = { $ruled }: { $remark }
ruling-warning = Warning (Art. 24)
    .button = Warn { $player }
    .hint = The second warning in one game loses it. Each costs a stone in the count: put the margin right when the game was counted already.
    .reason = Warning
ruling-late = Late (Art. 22)
    .button = { $player } is too late and loses
    .hint = A loss by absence: it carries no colours.
    .reason = Too late
ruling-both-late = Both late (Art. 22.3)
    .button = Both are too late and lose
    .hint = No game was played: no points and no colours for either.
    .reason = Both too late
ruling-penalty = Loses by penalty (Art. 23.1)
    .button = { $player } loses
    .hint = The game counts as played, with its colours.
    .reason = Loses by penalty
ruling-both-lose = Both lose (Art. 17.5)
    .button = Both lose the game
    .hint = No points for either, the colours count. Where lots decide a score to pair by, fix the next pairing by hand.
    .reason = Both lose
ruling-both-penalty = Both lose by penalty (Art. 23.1)
    .button = Both lose by penalty
    .hint = No points for either, the colours count.
    .reason = Both lose by penalty
ruling-colours = Wrong colours (Art. 17.1)
    .button = { $player } won
    .hint = Found after move 10, the game stands: say who won. The colours of the pairing stay, and later rounds go by them.
    .reason = Played with the wrong colours, the assigned ones stand
ruling-adjourned = Adjourned
    .button = The game is adjourned
    .hint = The board is open again, and the next round waits for it. To pair before it is over, enter a provisional result and correct it later: what changes is shown first.
    .reason = Adjourned
ruling-replay = Replay
    .button = The game is played again
    .hint = The result is taken away, and the board waits for the new one.
    .reason = To be played again
done-board-noted = Board { $board }: kept in the log; the result is as it was.
result-at-board = Board { $board }: { $said }.
board-acts = What was done at this board
board-acts-log = In the log, with undo
log-board-noted = ruled
preview-look = See what changes in the standings
preview-again = Change it again
preview-as = Not saved yet. The result would be: { $result }.
preview-results = Not saved yet. The results would be: { $results }.
board-and-result = board { $board } { $result }
preview-first = Not saved yet: press Enter to keep it, Esc to leave it as it is.
preview-keep = Keep it
preview-nothing = In the standings after round { $after } nothing changes.
preview-changes = In the standings after round { $after } { $moved ->
        [0] nobody’s place or score changes
        [one] the place or score of one player changes
       *[other] the places or scores of { $moved } players change
    }{ $values ->
        [0] .
        [one] ; one other keeps place and score and has another value in a tie-break.
       *[other] ; { $values } others keep place and score and have other values in tie-breaks.
    }
preview-place = Place
preview-score = Score
preview-more = And { $count } more.
stayed-away-twice = { $player } has stayed away in rounds { $first } and { $second }.
refusal-ruling-without-game = Board { $board } was not played: there is no game to warn in. If it was played after all, enter its result first.
    .title = No game
state-no-board = There is no board {"{n}"} on this page: nothing was entered.
state-leftover = Typed on this device in round {"{round}"} and never sent: boards {"{boards}"}. Open the results of that round here, or hand them to a director on paper.
state-forget = They are handed in: forget them
