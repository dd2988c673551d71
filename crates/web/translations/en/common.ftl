# What every page has

site-name = Tianyuan
skip-to-content = Skip to the content
all-events = All events
manage = Directors
sign-in = Sign in
sign-out-name = Sign out { $name }
event-pages = Pages of the event
event-pages-short = Quick pages
director-pages = Tools for directors
tab-pairings = Pairings
tab-standings = Standings
tab-crosstable = Cross table
tab-find = Find
tab-entries = Entries
rail-overview = Overview
rail-entries = Entries
rail-rounds = Rounds
rail-log = Log
rail-settings = Settings
foot = Tianyuan · Swiss tournaments for Go
log-head = Log up to act { $seq }:
log-head-hint = The sum over everything that was done in this event up to its last publication. Whoever notes it can see later whether anything before it was changed.
black = Black
white = White
against = vs
round-n = Round { $round }
board-n = Board { $board }
board-of-round = round { $round } board { $board }
person = { $number } { $name }
players-n = { $count ->
        [one] 1 player
       *[other] { $count } players
    }
reason = Reason
more = More
go-back = Go back
show-all = Show all
points-unit = pts
hidden = Hidden
withdrawn = withdrawn
fault-at-line = Line { $line }, column { $column }: { $fault }
fault-at-line-and-path = Line { $line }, column { $column }, { $path }: { $fault }
fault-at-path = { $path }: { $fault }
session-ended = Your session has ended, and the change was not saved. Sign in in a new tab, then go back and send the form again: what you typed is still there.
sign-in-new-tab = Sign in in a new tab
