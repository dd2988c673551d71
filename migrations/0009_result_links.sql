-- Who may hand in results without an account, and results that somebody has yet to confirm.

create table result_settings (
    event_id uuid
        constraint result_settings_key primary key
        constraint result_settings_event_exists references events on delete cascade,
    -- Whether a result counts only when a second person says the same, or a director enters it.
    by_two boolean not null,
    -- Whether players hand in the results of their own games.
    from_players boolean not null
);

create table result_links (
    event_id uuid not null
        constraint result_links_event_exists references events on delete cascade,
    link_id uuid not null,
    token_hash bytea not null constraint result_links_token_unique unique
        constraint result_links_token_is_hash check (octet_length(token_hash) = 32),
    -- "Room 2": as the log shows whoever comes with it.
    name text not null
        constraint result_links_name_sized check (char_length(name) between 1 and 80),
    first_board integer not null constraint result_links_first_from_one check (first_board >= 1),
    last_board integer not null,
    made_at timestamptz not null,
    made_by text not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz,
    constraint result_links_key primary key (event_id, link_id),
    constraint result_links_range check (last_board >= first_board)
);
create index result_links_by_event on result_links (event_id, made_at);

create table reported_results (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    board_no integer not null,
    -- Whose word it is: an account, a link or an entry, by its key.
    reporter uuid not null,
    reporter_kind text not null
        constraint reported_results_kind_known check (reporter_kind in ('user', 'link', 'entry')),
    reporter_name text not null,
    result text not null
        constraint reported_results_result_known check (result in ('black', 'white', 'draw', 'both_lose',
            'black_forfeit', 'white_forfeit', 'both_forfeit')),
    ended_by text
        constraint reported_results_ended_by_known
        check (ended_by in ('count', 'resignation', 'time', 'penalty')),
    margin_quarters integer
        constraint reported_results_margin_in_range check (margin_quarters between 1 and 12000),
    black_warnings smallint not null
        constraint reported_results_black_warnings_in_range check (black_warnings between 0 and 255),
    white_warnings smallint not null
        constraint reported_results_white_warnings_in_range check (white_warnings between 0 and 255),
    -- Who has which colour in what is said; a report on other players says nothing of the board.
    black_number integer not null,
    white_number integer not null,
    reported_at timestamptz not null,
    constraint reported_results_key primary key (event_id, stage_no, round_no, board_no, reporter),
    constraint reported_results_board_exists foreign key (event_id, stage_no, round_no, board_no)
        references boards on delete cascade
);
