-- Before the event: sign-up by players themselves, check-in on the day, and acts that were done
-- together and can be taken back together.

-- What was done to many entries at once: a list taken in, sign-ups confirmed, the missing left out.
-- Its acts stand side by side in the log.
create table batches (
    event_id uuid not null
        constraint batches_event_exists references events on delete cascade,
    batch_no integer not null constraint batches_batch_from_one check (batch_no >= 1),
    kind text not null
        constraint batches_kind_known check (kind in ('list', 'sign_ups', 'sit_out', 'withdrawal')),
    first_seq bigint not null,
    last_seq bigint not null,
    at timestamptz not null,
    made_by text not null,
    undone_at timestamptz,
    constraint batches_key primary key (event_id, batch_no),
    constraint batches_acts_in_order check (first_seq <= last_seq)
);

-- Who is here.
create table check_ins (
    event_id uuid not null,
    entry_id uuid not null,
    at timestamptz not null,
    checked_by text not null,
    constraint check_ins_key primary key (event_id, entry_id),
    constraint check_ins_entry_exists foreign key (event_id, entry_id)
        references entries on delete cascade
);

-- Whether players sign up by themselves. No row: they do not.
create table sign_up_settings (
    event_id uuid
        constraint sign_up_settings_key primary key
        constraint sign_up_settings_event_exists references events on delete cascade,
    is_open boolean not null,
    closes_at timestamptz,
    -- Beyond so many entries there is a waiting list; null for no limit.
    places integer
        constraint sign_up_settings_places_in_range check (places between 1 and 20000),
    -- What players read above the form.
    notice text not null default ''
        constraint sign_up_settings_notice_sized check (char_length(notice) <= 2000)
);

-- Who has signed up. Kept beside the log and not in it: a contact can be removed, an act cannot.
create table sign_ups (
    event_id uuid not null
        constraint sign_ups_event_exists references events on delete cascade,
    sign_up_no integer not null constraint sign_ups_number_from_one check (sign_up_no >= 1),
    at timestamptz not null,
    name text not null constraint sign_ups_name_sized check (char_length(name) between 1 and 200),
    team text constraint sign_ups_team_sized check (char_length(team) between 1 and 200),
    grade text,
    category text constraint sign_ups_category_sized check (char_length(category) between 1 and 200),
    contact text not null constraint sign_ups_contact_sized check (char_length(contact) <= 200),
    note text not null constraint sign_ups_note_sized check (char_length(note) <= 1000),
    -- The link by which a player looks at the sign-up and takes it back.
    token_hash bytea not null
        constraint sign_ups_token_unique unique
        constraint sign_ups_token_is_hash check (octet_length(token_hash) = 32),
    status text not null
        constraint sign_ups_status_known check (status in ('waiting', 'confirmed', 'refused', 'withdrawn')),
    -- The entry that came of it, which may be gone again.
    entry_id uuid,
    decided_at timestamptz,
    decided_by text,
    reason text constraint sign_ups_reason_sized check (char_length(reason) <= 500),
    constraint sign_ups_key primary key (event_id, sign_up_no),
    constraint sign_ups_confirmed_has_entry check ((status = 'confirmed') = (entry_id is not null)),
    constraint sign_ups_decided_whole
        check ((status = 'waiting') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index sign_ups_by_entry on sign_ups (event_id, entry_id) where entry_id is not null;
