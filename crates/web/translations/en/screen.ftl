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
