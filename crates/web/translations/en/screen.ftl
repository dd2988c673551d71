# The projector's screen and the poster for the wall

screen-by-name = Round { $round } by name
screen-publishes = Round { $round } is published at { $at }
screen-code = Where do I play?
screen-waiting = The pairing of the first round will be shown here.
screen-pages = Pages
screen-back = previous page
screen-next = next page
screen-hold = Hold this page
screen-again = From the beginning
screen-skip = Show all at once
screen-offline = No connection since {"{at}"}. What is shown may be out of date; trying again.
screen-show = What is shown
screen-everything = Everything
screen-link = Screen for a projector
poster-link = Poster for the wall
poster-title = Where do I play?
poster-hint = Print this page (A4) and hang it on the wall. Its code always leads to the latest published round.
poster-scan = Scan the code with your phone.
poster-type = Type two characters of your name, its pinyin initials, or your number.
poster-see = You see board, colour and opponent.

event-time-zone = Time zone
time-zone-hint = A name such as Asia/Shanghai or America/New_York. Empty: the zone of the server.
refusal-not-a-time-zone = “{ $found }” is not a time zone: write a name such as Asia/Shanghai, Europe/Paris or America/New_York, or leave it empty for that of the server.
refusal-not-a-time = “{ $found }” is not a time: write it as 2027-04-10 14:45.
fault-not-a-time-zone = “{ $found }” is not a time zone: write a name of the IANA database such as Asia/Shanghai or America/New_York.
fault-not-a-local-time = “{ $found }” is not a time in the hall: write it as 2027-04-10T14:45, without an offset.
round-starts-title = When the rounds begin
round-starts-hint = As the clock in the hall shows it. It stands on the event’s page, and the screen counts down to it. Empty: not announced.
round-starts-n = Round { $round } begins
schedule-title = Schedule
screen-starts = Round { $round } begins at { $at }
publish-at-title = Publish at a set time
publish-at-label = When ({ $zone })
publish-at-hint = Until then it stays a draft that nobody else sees; the screen counts down to it. If a result changes before, it is held back.
publish-at-round = Publish round { $round } at this time
keep-as-draft = Take the time away
done-publish-at = Round { $round } will be published at { $at }.
done-keep-as-draft = Round { $round } stays a draft until you publish it.
refusal-time-is-past = { $at } is past: it is { $now } now. Choose a later time, or publish at once.
refusal-no-such-time = The clock in { $zone } skips { $found }. Choose another time.
fault-not-a-round = { $found } is not a round: rounds go from 1 to 100.
edition-replaced = Version { $edition } was replaced on { $at } and counts no more.
edition-that-counts = Version { $edition }, which counts
sentence-and-reason = { $sentence } Reason: { $reason }.

# A page that is open keeps itself up to date.
live-published = Round { "{round}" } has been published.
live-look = Show it
live-offline = No connection since { "{at}" }. What is shown was right then; trying again.
live-gone = This page is not there any more.
