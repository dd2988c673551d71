# Taking acts back, the log as a story, readiness for the next round

refusal-unknown-act = The log of this event has no act { $seq }.
    .title = No such act
refusal-no-undo = Act { $seq } cannot be taken back from the log. { $way ->
        [remove-event] Remove the event on the page of settings.
        [record] Every version of a record is kept: bring one back on the page of its board.
        [people] Change rights and links on the page of people.
        [result-links] Make or take back links on the page of links for results.
        [results] Report it again on the page of results, or let a director confirm what is right.
        [sign-ups] Decide on the sign-up again on the page of sign-ups.
        [draws] Draw again on the page of draws, from the next promise.
        [gone] The event is gone; its file is kept in the log of the site.
       *[secret] The codes that were printed before count no more: print the new ones.
    }
    .title = Cannot be taken back
refusal-changed-since = Act { $later } came after act { $seq } and depends on it. Take act { $later } back first.
    .title = Something later depends on it
refusal-published-since = Round { $round } was published since, and number { $number } would play in it or miss it. Withdraw the publication of round { $round } first, or change the entry from the next round on.
    .title = A round was published since
refusal-reason-too-long = The reason has { $characters } characters. At most { $most } are kept: shorten it.
    .title = The reason is too long
log-publication-withdrawn = publication withdrawn
log-undo = Undo
log-at-its-time = at the time that was set
log-not-published = not published: results or entries have changed since the round was paired
log-undo-reason = Why (everybody can read it)
log-undo-n = Undo act { $seq }
log-undone = Act { $seq } was taken back: { $what }.
log-filter = Filter
log-filter-any = anything
log-filter-board = Board
log-filter-player = Player (number or name)
log-filter-kind = What
log-filter-by = Only acts by { $name }
log-filter-no-number = “{ $found }” is no board and no round: write a whole number, such as 12.
log-run-boards = Round { $round }: { $act }, { $count } boards
log-run-people = { $act }: { $count } players
log-oldest-first = From the beginning
log-latest-first = The latest first
log-each = Each act for itself
log-as-story = Acts of a kind together
log-later = Later
log-filter-clear = Show everything
log-check = Check the chain of the whole log now
log-result-said = Round { $round }, board { $board }, { $black } (Black) against { $white } (White): { $act }, { $result }
log-number = Act
withdrawn-table-title = Withdrawn pairing tables of round { $round }
withdrawn-table = Version { $edition }, withdrawn { $at } by { $by }
withdrawn-table-none = No published table of round { $round } was withdrawn.
withdrawn-table-reason = Reason: { $reason }
withdrawn-table-not-valid = These tables are not valid any more. They stay readable so that everybody can see what was changed.
ready-title = Before round { $round } is paired
ready-results = All results of round { $last } are in.
ready-forfeits = { $player } has forfeited twice or more.
ready-forfeits-do = Withdraw?
ready-too-few = { $count ->
        [0] Nobody plays
        [one] One player plays
       *[other] { $count } players play
    } in round { $round }: it takes two to pair it.
ready-odd = { $count } players: an odd number, so somebody has the bye. Of the lowest score, without a bye so far: { $players }
ready-even = { $count } players: an even number, nobody has the bye.
ready-absent = Not playing in round { $round }: { $players }.
ready-not-drawn = Numbers are as they were entered; they can be drawn by lot.
ready-nobody-here = Nobody is checked in yet.
ready-not-here = Not checked in ({ $count }): { $players }.
ready-not-here-do = Find or leave out
ready-look = Look at the entries
log-numbers-put-back = numbers put back
log-groups-put-back = groups put back
draw-put-back = Drawn { $drawn }, put back { $at }: it counts no more. The secret was { $secret }.
