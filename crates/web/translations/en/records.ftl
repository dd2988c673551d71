# Game records

refusal-record-by-directors = The records of this event are brought by its directors. Give yours to a director.
    .title = Brought by directors
refusal-record-wrong-code = The code is not that of this board. Compare it with the one that the directors gave out, and check round and board.
    .title = Wrong code
refusal-too-many-codes = Too many codes were tried. Wait { $minutes } minutes, or ask a director to bring the record.
    .title = Too many attempts
