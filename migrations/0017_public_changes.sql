-- What everybody may know to have changed, numbered 1, 2, 3 … in each event without a gap: streams
-- resume by these numbers and pages kept in memory are as of one. Acts on drafts have none, so
-- neither a number nor a pause between two of them tells of a draft.

alter table log_heads add column public_no bigint not null default 0
    constraint log_heads_public_no_from_zero check (public_no >= 0);

-- Kept for some days: whoever comes back later loads the page anew. The events table is not named
-- here, so that many who enter results at once do not all lock one row of it.
create table public_changes (
    event_id uuid not null,
    number bigint not null,
    kind text not null,
    round integer,
    board integer,
    at timestamptz not null,
    constraint public_changes_key primary key (event_id, number)
);
create index public_changes_by_age on public_changes (at);
