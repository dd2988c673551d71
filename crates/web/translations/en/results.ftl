# Links for results, results that wait, slips.
result-links = Links for results
result-links-intro = Whoever has such a link enters the results of its boards in the round that is being played, on any phone and without an account, and sees nothing else. The log says the link's name. It ends at its time, or when you take it back.
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
state-offline = No connection. {"{n}"} results are kept on this device and are sent by themselves as soon as it is back.
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
