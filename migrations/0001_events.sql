-- The whole of an event, and the users of the site.
--
-- Every table of an event has a key that begins with the event, so that a distributed PostgreSQL
-- can spread events over machines. Every constraint has a name: `store` knows each of them by it
-- and turns a violation into a sentence. Moments come from the caller; nothing here reads a clock.

-- Users of the site ---------------------------------------------------------------------------

create table users (
    user_id uuid constraint users_key primary key,
    name text not null
        constraint users_name_filled check (char_length(name) between 1 and 200),
    -- The name in one case: two names that differ in case only would be mistaken for one another.
    name_folded text not null constraint users_name_unique unique,
    role text not null constraint users_role_known check (role in ('admin', 'director')),
    password_hash text,
    created_at timestamptz not null
);

create table sessions (
    token_hash bytea constraint sessions_key primary key
        constraint sessions_token_is_hash check (octet_length(token_hash) = 32),
    user_id uuid not null
        constraint sessions_user_exists references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

create table api_tokens (
    token_id uuid constraint api_tokens_key primary key,
    token_hash bytea not null constraint api_tokens_hash_unique unique
        constraint api_tokens_token_is_hash check (octet_length(token_hash) = 32),
    user_id uuid not null
        constraint api_tokens_user_exists references users on delete cascade,
    name text not null
        constraint api_tokens_name_filled check (char_length(name) between 1 and 200),
    created_at timestamptz not null,
    revoked_at timestamptz
);
create index api_tokens_by_user on api_tokens (user_id);

-- The link by which the first visitor becomes the administrator; a used one is gone.
create table setup_tokens (
    token_hash bytea constraint setup_tokens_key primary key
        constraint setup_tokens_token_is_hash check (octet_length(token_hash) = 32),
    created_at timestamptz not null,
    expires_at timestamptz not null
);

-- An answer is written with the changes it tells of, in one transaction: a key without an answer
-- cannot exist.
create table idempotency_keys (
    actor uuid not null,
    key text not null
        constraint idempotency_keys_key_sized check (char_length(key) between 1 and 255),
    request_hash bytea not null
        constraint idempotency_keys_request_is_hash check (octet_length(request_hash) = 32),
    status smallint not null
        constraint idempotency_keys_status_known check (status between 100 and 599),
    headers jsonb not null,
    body bytea not null,
    created_at timestamptz not null,
    constraint idempotency_keys_key primary key (actor, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Events --------------------------------------------------------------------------------------

create table events (
    event_id uuid constraint events_key primary key,
    slug text not null constraint events_slug_unique unique
        constraint events_slug_sized check (char_length(slug) between 1 and 80),
    name text not null
        constraint events_name_filled check (char_length(name) between 1 and 200),
    rules text not null,
    -- In quarters of the unit of the rules: stones or points.
    komi_quarters smallint not null,
    place text constraint events_place_sized check (char_length(place) between 1 and 200),
    starts_on date,
    visibility text not null
        constraint events_visibility_known check (visibility in ('public', 'hidden')),
    -- The number of the log entry that changed the settings last.
    version bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index events_by_day on events (starts_on desc nulls last, created_at desc);

-- A, B, under 12 …: entries of one group play one another.
create table groups (
    event_id uuid not null
        constraint groups_event_exists references events on delete cascade,
    group_no integer not null,
    name text not null default '',
    constraint groups_key primary key (event_id, group_no)
);

-- What a group plays, one after the other: a Swiss, then a knockout …
create table stages (
    event_id uuid not null,
    stage_no integer not null,
    group_no integer not null,
    format text not null constraint stages_format_known check (format in ('swiss')),
    rounds_planned integer not null
        constraint stages_rounds_planned_in_range check (rounds_planned between 1 and 100),
    first_round integer not null
        constraint stages_first_round_in_range check (first_round between 1 and rounds_planned),
    pairing_order text not null
        constraint stages_pairing_order_known check (pairing_order in ('classic')),
    number_order text not null
        constraint stages_number_order_known
        check (number_order in ('alternate', 'ascending', 'descending')),
    avoid_team_rounds integer not null
        constraint stages_avoid_team_rounds_in_range check (avoid_team_rounds between 0 and 100),
    bye_score integer not null
        constraint stages_bye_score_in_range check (bye_score between 0 and 2),
    absent_score integer not null
        constraint stages_absent_score_in_range check (absent_score between 0 and 1),
    forfeits_may_meet_again boolean not null,
    avoid_repeated_floats boolean not null,
    -- The criteria in order, each a word or a word with its numbers.
    ranking jsonb not null
        constraint stages_ranking_is_list check (jsonb_typeof(ranking) = 'array'),
    unplayed text not null
        constraint stages_unplayed_known check (unplayed in ('opponent', 'virtual', 'nothing')),
    constraint stages_key primary key (event_id, stage_no),
    constraint stages_group_exists foreign key (event_id, group_no)
        references groups on delete cascade
);

-- Who takes part in the event.
create table entries (
    event_id uuid not null,
    entry_id uuid not null,
    group_no integer not null,
    kind text not null constraint entries_kind_known check (kind in ('player', 'team')),
    number integer not null
        constraint entries_number_in_range check (number between 1 and 99999),
    name text not null
        constraint entries_name_filled check (char_length(name) between 1 and 200),
    team text constraint entries_team_sized check (char_length(team) between 1 and 200),
    grade text,
    rating integer,
    category text constraint entries_category_sized check (char_length(category) between 1 and 200),
    constraint entries_key primary key (event_id, entry_id),
    -- Deferrable, so that a draw can exchange numbers in one statement.
    constraint entries_number_unique unique (event_id, number) deferrable initially immediate,
    constraint entries_group_exists foreign key (event_id, group_no)
        references groups on delete cascade
);

-- What a stage knows of an entry.
create table stage_entries (
    event_id uuid not null,
    stage_no integer not null,
    entry_id uuid not null,
    start_score integer not null
        constraint stage_entries_start_score_in_range check (start_score between 0 and 1000),
    absent_rounds integer[] not null,
    withdrawn_after integer
        constraint stage_entries_withdrawn_after_in_range check (withdrawn_after between 0 and 100),
    carried_score integer
        constraint stage_entries_carried_score_in_range check (carried_score between 0 and 1000),
    -- Games as White less games as Black.
    carried_balance integer
        constraint stage_entries_carried_balance_in_range check (carried_balance between -100 and 100),
    constraint stage_entries_key primary key (event_id, stage_no, entry_id),
    constraint stage_entries_carried_whole
        check ((carried_score is null) = (carried_balance is null)),
    constraint stage_entries_stage_exists foreign key (event_id, stage_no)
        references stages on delete cascade,
    constraint stage_entries_entry_exists foreign key (event_id, entry_id)
        references entries on delete cascade
);
create index stage_entries_by_entry on stage_entries (event_id, entry_id);

-- Opponents met before the rounds recorded here; twice for those met twice.
create table carried_meetings (
    event_id uuid not null,
    stage_no integer not null,
    entry_id uuid not null,
    position integer not null,
    opponent_id uuid not null,
    constraint carried_meetings_key primary key (event_id, stage_no, entry_id, position),
    constraint carried_meetings_not_oneself check (entry_id <> opponent_id),
    constraint carried_meetings_entry_exists foreign key (event_id, stage_no, entry_id)
        references stage_entries on delete cascade,
    constraint carried_meetings_opponent_exists foreign key (event_id, stage_no, opponent_id)
        references stage_entries deferrable initially deferred
);
create index carried_meetings_by_opponent on carried_meetings (event_id, stage_no, opponent_id);

-- Lots drawn for places that nothing else decides; the smaller before.
create table lots (
    event_id uuid not null,
    stage_no integer not null,
    entry_id uuid not null,
    lot integer not null constraint lots_lot_in_range check (lot >= 0),
    constraint lots_key primary key (event_id, stage_no, entry_id),
    constraint lots_entry_exists foreign key (event_id, stage_no, entry_id)
        references stage_entries on delete cascade
);

-- Rounds --------------------------------------------------------------------------------------

create table rounds (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null
        constraint rounds_round_in_range check (round_no between 1 and 100),
    status text not null constraint rounds_status_known check (status in ('draft', 'published')),
    -- The number of the log entry that changed the table or the status last: it never comes again,
    -- not even when a round is thrown away and paired anew.
    version bigint not null,
    edition integer not null constraint rounds_edition_from_one check (edition >= 1),
    paired_at timestamptz not null,
    paired_by text not null,
    published_at timestamptz,
    criteria jsonb,
    notes jsonb not null,
    by_hand boolean not null,
    constraint rounds_key primary key (event_id, stage_no, round_no),
    constraint rounds_published_at_when_published
        check ((status = 'published') = (published_at is not null)),
    constraint rounds_stage_exists foreign key (event_id, stage_no)
        references stages on delete cascade
);
-- Two directors who pair at the same moment make one draft, whatever else goes wrong.
create unique index rounds_one_draft on rounds (event_id, stage_no) where status = 'draft';

-- The last published edition of rounds that were thrown away: the next table is one edition later.
create table withdrawn_editions (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    edition integer not null,
    constraint withdrawn_editions_key primary key (event_id, stage_no, round_no),
    constraint withdrawn_editions_stage_exists foreign key (event_id, stage_no)
        references stages on delete cascade
);

-- A board has at most one result because the result is part of it.
create table boards (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    board_no integer not null constraint boards_board_from_one check (board_no >= 1),
    result text
        constraint boards_result_known check (result in ('black', 'white', 'draw', 'both_lose',
            'black_forfeit', 'white_forfeit', 'both_forfeit')),
    ended_by text
        constraint boards_ended_by_known
        check (ended_by in ('count', 'resignation', 'time', 'penalty')),
    margin_quarters integer
        constraint boards_margin_in_range check (margin_quarters between 1 and 12000),
    black_warnings smallint not null default 0
        constraint boards_black_warnings_in_range check (black_warnings between 0 and 255),
    white_warnings smallint not null default 0
        constraint boards_white_warnings_in_range check (white_warnings between 0 and 255),
    -- The number of the log entry that changed the players or the result last.
    version bigint not null,
    constraint boards_key primary key (event_id, stage_no, round_no, board_no),
    constraint boards_pending_says_nothing
        check (result is not null or (ended_by is null and margin_quarters is null)),
    constraint boards_margin_needs_winner
        check (margin_quarters is null or result in ('black', 'white')),
    constraint boards_forfeit_was_not_played
        check (ended_by is null or result not in ('black_forfeit', 'white_forfeit', 'both_forfeit')),
    constraint boards_round_exists foreign key (event_id, stage_no, round_no)
        references rounds on delete cascade
);

-- Everybody's place in a round: one at most, by the key.
create table seats (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    entry_id uuid not null,
    place text not null
        constraint seats_place_known check (place in ('black', 'white', 'bye', 'absent')),
    board_no integer,
    constraint seats_key primary key (event_id, stage_no, round_no, entry_id),
    -- One Black and one White to a board; byes and absences have no board and may be many.
    constraint seats_side_unique unique (event_id, stage_no, round_no, board_no, place),
    constraint seats_board_for_sides
        check ((place in ('black', 'white')) = (board_no is not null)),
    constraint seats_round_exists foreign key (event_id, stage_no, round_no)
        references rounds on delete cascade,
    constraint seats_board_exists foreign key (event_id, stage_no, round_no, board_no)
        references boards on delete cascade,
    constraint seats_entry_exists foreign key (event_id, stage_no, entry_id)
        references stage_entries on delete cascade
);
create index seats_by_entry on seats (event_id, stage_no, entry_id);

-- Results as they stood when a round was paired, where they are other ones now.
create table earlier_results (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    on_round integer not null,
    on_board integer not null,
    result text,
    constraint earlier_results_key
        primary key (event_id, stage_no, round_no, on_round, on_board),
    constraint earlier_results_on_earlier_round check (on_round < round_no),
    constraint earlier_results_round_exists foreign key (event_id, stage_no, round_no)
        references rounds on delete cascade,
    constraint earlier_results_board_exists foreign key (event_id, stage_no, on_round, on_board)
        references boards on delete cascade
);

-- The log -------------------------------------------------------------------------------------

-- The last number given out in each event. Its row is locked from the moment a number is taken to
-- the end of the transaction, so numbers have no gap.
create table log_heads (
    event_id uuid constraint log_heads_key primary key,
    last_seq bigint not null
);

-- Refers to nothing: it outlives what it tells of, events included.
create table log (
    event_id uuid not null,
    seq bigint not null constraint log_seq_from_one check (seq >= 1),
    at timestamptz not null,
    actor_user uuid,
    actor_name text not null,
    actor_role text not null,
    actor_via text not null,
    action text not null,
    subject text not null
        constraint log_subject_known check (subject in ('event', 'entry', 'round', 'board')),
    subject_number integer,
    subject_entry uuid,
    subject_round integer,
    subject_board integer,
    before jsonb,
    after jsonb,
    reason text,
    constraint log_key primary key (event_id, seq)
);
create index log_by_entry on log (event_id, subject_entry, seq) where subject_entry is not null;

-- The same for what belongs to no event: users, tokens, events removed.
create table site_log (
    seq bigint generated always as identity constraint site_log_key primary key,
    at timestamptz not null,
    actor_user uuid,
    actor_name text not null,
    actor_role text not null,
    actor_via text not null,
    action text not null,
    subject text not null,
    before jsonb,
    after jsonb,
    reason text
);

create function refuse_change_of_log() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'restrict_violation';
end
$$;

create trigger log_append_only
    before update or delete or truncate on log
    for each statement execute function refuse_change_of_log();

create trigger site_log_append_only
    before update or delete or truncate on site_log
    for each statement execute function refuse_change_of_log();
