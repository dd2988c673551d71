-- Game records (棋谱): what an event asks of them, and those that were brought.

alter table events
    add column board_size smallint not null default 19
        constraint events_board_size_in_range check (board_size between 2 and 52),
    -- What a repetition leads to; null leaves it to the rules.
    add column repetition text
        constraint events_repetition_known
        check (repetition in ('illegal', 'no_result', 'draw', 'replay', 'referee')),
    add column records_from_players boolean not null default false;

-- What the codes are made of by which players bring the records of their boards. No code is stored,
-- and the secret never leaves the server.
create table record_secrets (
    event_id uuid
        constraint record_secrets_key primary key
        constraint record_secrets_event_exists references events on delete cascade,
    secret bytea not null
        constraint record_secrets_secret_is_secret check (octet_length(secret) = 32),
    changed_at timestamptz not null
);

-- A record belongs to a game, which is two entries in a round: so it follows when colours are
-- exchanged or boards are numbered anew, and when the table is another one it waits for the two to
-- meet again. It refers to nothing but the event, so nothing but the event's end takes it away.
create table records (
    event_id uuid not null
        constraint records_event_exists references events on delete cascade,
    stage_no integer not null,
    round_no integer not null,
    -- The smaller key first.
    entry_id uuid not null,
    other_id uuid not null,
    -- 1, 2, 3 … of each game.
    version integer not null constraint records_version_from_one check (version >= 1),
    status text not null
        constraint records_status_known check (status in ('current', 'replaced', 'withdrawn')),
    -- The file as it came.
    bytes bytea not null
        constraint records_bytes_sized check (octet_length(bytes) between 1 and 1048576),
    size integer not null constraint records_size_is_size check (size = octet_length(bytes)),
    hash bytea not null constraint records_hash_is_hash check (octet_length(hash) = 32),
    -- What was chosen when it was brought: the game of the file, the encoding, the dead stones.
    game integer constraint records_game_from_one check (game >= 1),
    encoding text constraint records_encoding_sized check (char_length(encoding) between 1 and 40),
    dead text[],
    brought_at timestamptz not null,
    brought_by text not null,
    from_player boolean not null,
    -- The board it was brought for, and who had which colour then.
    board_no integer not null constraint records_board_from_one check (board_no >= 1),
    black_number integer not null,
    white_number integer not null,
    -- The verdict as it was given then.
    verdict jsonb not null,
    -- What is compared with the entered result: as words of the verdict, margins in quarter stones.
    standing text not null,
    -- The record's text of its result, and whether its names are those of the board with the colours
    -- as they were then, or exchanged; null where that cannot be said.
    recorded text,
    names text constraint records_names_known check (names in ('straight', 'swapped')),
    recorded_kind text,
    recorded_winner text
        constraint records_recorded_winner_known check (recorded_winner in ('black', 'white')),
    recorded_margin integer,
    recorded_unit text constraint records_recorded_unit_known check (recorded_unit in ('stones', 'points')),
    -- The count, with all that goes into it beside the game itself.
    counted_margin integer,
    counted_rules text,
    counted_komi_quarters smallint,
    counted_black_warnings smallint,
    counted_white_warnings smallint,
    constraint records_key primary key (event_id, stage_no, round_no, entry_id, other_id, version),
    constraint records_two_players check (entry_id < other_id)
);
create unique index records_one_current on records (event_id, stage_no, round_no, entry_id, other_id)
    where status = 'current';
create index records_by_hash on records (event_id, hash);
