-- Draws of lots (docs/draw.md): what was promised before, the words that the public added, and what
-- was revealed. The secret leaves the server when the draw is made public, and not before.
create table draws (
    event_id uuid not null
        constraint draws_event_exists references events on delete cascade,
    -- As commitments spell it: round 4, numbers, groups.
    draw text not null
        constraint draws_draw_known check (draw ~ '^(round [1-9][0-9]{0,2}|numbers|groups)$'),
    -- 1, and one more for every time that numbers or groups are drawn again.
    edition integer not null constraint draws_edition_from_one check (edition >= 1),
    secret bytea not null constraint draws_secret_is_secret check (octet_length(secret) = 32),
    commitment bytea not null
        constraint draws_commitment_is_hash check (octet_length(commitment) = 32),
    promised_at timestamptz not null,
    -- The act of the log that says it.
    promised_seq bigint not null,
    -- Whether all that the draw depends on was known already when it was promised.
    late boolean not null,
    -- From the first draw on no word is taken, also when the draft is thrown away and paired again.
    drawn_at timestamptz,
    revealed_at timestamptz,
    revealed_seq bigint,
    constraint draws_key primary key (event_id, draw, edition),
    constraint draws_revealed_whole check ((revealed_at is null) = (revealed_seq is null)),
    constraint draws_revealed_when_drawn check (revealed_at is null or drawn_at is not null)
);

create table draw_words (
    event_id uuid not null,
    draw text not null,
    edition integer not null,
    position integer not null constraint draw_words_position_from_one check (position >= 1),
    word text not null
        constraint draw_words_word_sized check (char_length(word) between 1 and 200),
    said_by text
        constraint draw_words_said_by_sized check (char_length(said_by) between 1 and 200),
    at timestamptz not null,
    constraint draw_words_key primary key (event_id, draw, edition, position),
    constraint draw_words_draw_exists foreign key (event_id, draw, edition)
        references draws on delete cascade
);

-- The draw file as it was when the draw became public: what it was made from may change later.
create table draw_files (
    event_id uuid not null
        constraint draw_files_event_exists references events on delete cascade,
    draw text not null,
    edition integer not null,
    file text not null,
    constraint draw_files_key primary key (event_id, draw, edition)
);
