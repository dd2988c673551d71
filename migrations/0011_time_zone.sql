-- Where the clock of an event stands, and when its rounds begin.

alter table events
    -- A name of the IANA database; null for the zone of the server.
    add column time_zone text constraint events_time_zone_named check (time_zone <> '');

-- A start is the time that the clock in the hall shows: that is what was announced, and it stays
-- when the rules of a zone change.
create table round_starts (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null
        constraint round_starts_round_in_range check (round_no between 1 and 100),
    starts_at timestamp not null,
    constraint round_starts_key primary key (event_id, stage_no, round_no),
    constraint round_starts_stage_exists foreign key (event_id, stage_no)
        references stages on delete cascade
);
