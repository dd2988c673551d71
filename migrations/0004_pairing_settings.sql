-- Every setting of the pairing, what a director fixes before a round is paired, and colours from
-- nigiri. What is there already keeps the settings it was paired with.

alter table stages
    drop constraint stages_pairing_order_known,
    add constraint stages_pairing_order_known
        check (pairing_order in ('classic', 'random', 'fold', 'slide')),
    add column order_by text not null default 'rating'
        constraint stages_order_by_known check (order_by in ('rating', 'grade', 'number')),
    add column team_avoidance text not null default 'soft'
        constraint stages_team_avoidance_known
        check (team_avoidance in ('soft', 'strong', 'absolute')),
    add column third_colour text not null default 'allowed'
        constraint stages_third_colour_known
        check (third_colour in ('allowed', 'avoided', 'forbidden')),
    add column colours text not null default 'number'
        constraint stages_colours_known
        check (colours in ('number', 'alternate', 'lots', 'nigiri')),
    add column stop_at integer
        constraint stages_stop_at_in_range check (stop_at between 1 and 1000);
alter table stages
    alter column order_by drop default,
    alter column team_avoidance drop default,
    alter column third_colour drop default,
    alter column colours drop default;

-- Pairs that are never made, and pairs that are avoided. By the keys of entries, so that numbers
-- can be drawn again.
create table kept_apart (
    event_id uuid not null,
    stage_no integer not null,
    rule text not null
        constraint kept_apart_rule_known check (rule in ('forbidden', 'unwanted')),
    entry_id uuid not null,
    other_id uuid not null,
    constraint kept_apart_key primary key (event_id, stage_no, rule, entry_id, other_id),
    -- A pair has no first and second; in one order it cannot stand twice.
    constraint kept_apart_in_order check (entry_id < other_id),
    constraint kept_apart_entry_exists foreign key (event_id, stage_no, entry_id)
        references stage_entries on delete cascade,
    constraint kept_apart_other_exists foreign key (event_id, stage_no, other_id)
        references stage_entries on delete cascade
);
create index kept_apart_by_other on kept_apart (event_id, stage_no, other_id);

alter table stage_entries add column bye_rounds integer[] not null default '{}';
alter table stage_entries alter column bye_rounds drop default;

-- The seed of a round's draw; and what the best table without the director's choices would have
-- reached, where something was fixed.
alter table rounds
    add column seed bytea constraint rounds_seed_is_seed check (octet_length(seed) = 32),
    add column free_criteria jsonb;

-- What a director had fixed before a round was paired.
create table round_choices (
    event_id uuid not null,
    stage_no integer not null,
    round_no integer not null,
    position integer not null,
    choice text not null
        constraint round_choices_choice_known check (choice in ('meet', 'apart', 'bye', 'sits_out')),
    entry_id uuid not null,
    other_id uuid,
    constraint round_choices_key primary key (event_id, stage_no, round_no, position),
    constraint round_choices_pairs_are_two
        check ((choice in ('meet', 'apart')) = (other_id is not null)),
    constraint round_choices_round_exists foreign key (event_id, stage_no, round_no)
        references rounds on delete cascade,
    constraint round_choices_entry_exists foreign key (event_id, stage_no, entry_id)
        references stage_entries on delete cascade,
    constraint round_choices_other_exists foreign key (event_id, stage_no, other_id)
        references stage_entries on delete cascade
);
create index round_choices_by_entry on round_choices (event_id, stage_no, entry_id);
create index round_choices_by_other on round_choices (event_id, stage_no, other_id);

-- Whether the colours of a board come from nigiri and are not known yet.
alter table boards add column nigiri boolean not null default false;
alter table boards alter column nigiri drop default;
