# Entries before the event: lists, sign-up, check-in

import-entries = Import a list
import-entries-intro = Choose a file, or copy from a spreadsheet and paste, one entry a line. Headings may come first, in Chinese or English and in any order: number, name, team, grade, rating, category, start score. Nothing is taken in before you have seen what becomes of each row.
import-entries-file = Or choose a file
import-entries-file-hint = An Excel workbook (.xlsx), CSV or text; up to 5 MiB and { $most } rows.
list-encoding = Encoding of a text file
list-encoding-found = found out
list-in-encoding = Read as { $encoding }. If names look wrong, go back and choose the encoding.
list-of-sheet = Sheet “{ $sheet }”{ $others ->
        [0] .
        [one] ; one other sheet is left aside.
       *[other] ; { $others } other sheets are left aside.
    }
list-summary = { $new } new, { $changed } changed, { $same } the same, { $bad } that cannot be taken
list-keep = { $changed ->
        [0] Add these { $new }
       *[other] Take them all: { $new } new, { $changed } changed
    }
list-namesakes = People of the same name in this list are different people
done-list-taken = The list is taken in: { $new } new, { $changed } changed.
col-what-happens = What happens
column-named-left-out = “{ $heading }” (left out)
row-new = new
row-same = the same as number { $number }: nothing to do
row-same-otherwise = the same as number { $number }, written otherwise: the entry keeps its name
row-changed = changes number { $number }: { $changes }
row-changes = { $field } { $before } → { $after }
row-fills = { $field } → { $after }
refusal-list-too-large = The list has more than 5 MiB. Leave out pictures and columns that are not needed, or split it.
    .title = List too large
refusal-list-too-many-rows = The list has more than { $most } rows. Split it.
    .title = Too many rows
refusal-list-too-many-columns = The list has more than 200 columns. Leave out those that say nothing of an entry.
    .title = Too many columns
refusal-list-empty = There is no entry in the list: one entry a line, with a name at least.
    .title = Empty list
refusal-list-no-text = The file is no text that can be read. Save it as .xlsx or as CSV in UTF-8, or choose its encoding.
    .title = No text
refusal-list-not-in-encoding = The file is not in the encoding { $encoding }. Let it be found out, or choose another.
    .title = Other encoding
refusal-list-old-workbook = This is an old workbook (.xls) or one with a password. Save it as .xlsx without a password, or as CSV.
    .title = Old workbook
refusal-list-bad-workbook = The workbook cannot be read ({ $why }). Open it in the spreadsheet program and save it again.
    .title = Unreadable workbook
refusal-list-inflates = The workbook unpacks to more than 64 MiB. Copy the list alone into a new workbook.
    .title = Workbook too large
refusal-list-column-twice = Columns { $first } and { $second } have headings of the same meaning. Rename or remove one of them.
    .title = A column twice
refusal-list-refused = { $count ->
        [one] One row cannot be taken
       *[other] { $count } faults keep rows from being taken
    }; each is listed with its row. Nothing was changed.
    .title = List refused
fault-cell-no-name = has no name
fault-cell-not-a-number = column { $column }: “{ $found }” is not a number from 1 to 99999; leave it empty for the next free one
fault-cell-not-a-grade = column { $column }: “{ $found }” is not a grade: write 9p to 1p, 8d to 1d or 1k to 32k (also 九段, 5段, 3级), or leave it empty
fault-cell-not-a-rating = column { $column }: “{ $found }” is not a rating: write a whole number, such as 2310
fault-cell-not-a-score = column { $column }: “{ $found }” is not a start score: write a whole number from 0 to 1000
fault-cell-too-long = column { $column } has more than 200 characters
fault-cell-spreadsheet-error = column { $column }: the spreadsheet has an error here, { $found }
fault-row-number-taken = number { $number } belongs to { $name }: correct the number, or change the name on that entry’s page
fault-row-number-twice = the same number as on line { $line }
fault-row-name-twice = the same name as on line { $line }: remove one of them, or say that they are different people
fault-row-other-number = entered already with number { $number }: leave the number out, or say that they are different people
fault-row-other-team = entered already with number { $number } and team { $team }: give the number to change the team, or say that they are different people
fault-row-several-named = several of this name are entered ({ $numbers }): give the number or the team
import-another-file = Choose another file
