-- Events that belong together: the groups (组别) of one tournament. Each group is an event of its own;
-- what binds them stands here.

create table families (
    family_id uuid constraint families_key primary key,
    slug text not null constraint families_slug_unique unique
        constraint families_slug_sized check (char_length(slug) between 1 and 80),
    name text not null
        constraint families_name_filled check (char_length(name) between 1 and 200),
    place text constraint families_place_sized check (char_length(place) between 1 and 200),
    starts_on date,
    -- The event with everybody's entries and the draw of groups, where the groups came of one.
    field_event uuid
        constraint families_field_exists references events on delete set null,
    made_at timestamptz not null,
    made_by text not null
);
create index families_by_day on families (starts_on desc nulls last, made_at desc);
create index families_by_field on families (field_event) where field_event is not null;

-- An event is a group of one family at most.
create table family_events (
    event_id uuid constraint family_events_key primary key
        constraint family_events_event_exists references events on delete cascade,
    family_id uuid not null
        constraint family_events_family_exists references families on delete cascade,
    position integer not null,
    label text not null
        constraint family_events_label_sized check (char_length(label) between 1 and 60),
    -- Groups that play in one hall: the number of the first board in rounds that are paired from now on.
    first_board integer not null default 1
        constraint family_events_first_board_in_range check (first_board between 1 and 90000),
    constraint family_events_label_once unique (family_id, label) deferrable initially immediate
);

-- A right in a family is that right in each of its groups.
create table family_people (
    family_id uuid not null
        constraint family_people_family_exists references families on delete cascade,
    user_id uuid not null
        constraint family_people_user_exists references users on delete cascade,
    role text not null
        constraint family_people_role_known check (role in ('director', 'arbiter', 'viewer')),
    since timestamptz not null,
    given_by text not null,
    constraint family_people_key primary key (family_id, user_id)
);
create index family_people_by_user on family_people (user_id);

-- The rights of people in events, their own and those by the family; somebody may have both.
create view event_rights as
    select event_id, user_id, role, false as by_family from event_people
    union all
    select e.event_id, p.user_id, p.role, true
    from family_people p join family_events e on e.family_id = p.family_id
    union all
    select f.field_event, p.user_id, p.role, true
    from family_people p join families f on f.family_id = p.family_id
    where f.field_event is not null;
