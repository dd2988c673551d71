-- People and rights: who may do what in which event, and on the site.

-- An arbiter's or a viewer's account has no rights of its own but those it is given in events.
alter table users drop constraint users_role_known,
    add constraint users_role_known check (role in ('admin', 'director', 'arbiter', 'viewer')),
    -- Since when it can do nothing any more; what it did stays told.
    add column disabled_at timestamptz;

-- The people of an event. An administrator has every right in every event without standing here.
create table event_people (
    event_id uuid not null
        constraint event_people_event_exists references events on delete cascade,
    user_id uuid not null
        constraint event_people_user_exists references users on delete cascade,
    role text not null
        constraint event_people_role_known check (role in ('director', 'arbiter', 'viewer')),
    since timestamptz not null,
    -- Who gave the right, by name; null for a right from before there were rights by event.
    given_by text,
    constraint event_people_key primary key (event_id, user_id)
);
create index event_people_by_user on event_people (user_id);

-- Until now every director directed every event: nobody loses that.
insert into event_people (event_id, user_id, role, since)
select e.event_id, u.user_id, 'director', greatest(e.created_at, u.created_at)
from events e cross join users u
where u.role = 'director';

-- Links that work once: to take a right in an event, to make an account, to set a new password.
create table invitations (
    invitation_id uuid constraint invitations_key primary key,
    token_hash bytea not null constraint invitations_token_unique unique
        constraint invitations_token_is_hash check (octet_length(token_hash) = 32),
    -- The event in which it gives a role; null for a role on the site, or for a password.
    event_id uuid
        constraint invitations_event_exists references events on delete cascade,
    role text constraint invitations_role_known check (role in ('admin', 'director', 'arbiter', 'viewer')),
    -- Whose password it sets.
    user_id uuid
        constraint invitations_user_exists references users on delete cascade,
    -- For whom it is meant, as the list shows it.
    note text not null default ''
        constraint invitations_note_sized check (char_length(note) <= 200),
    made_at timestamptz not null,
    made_by text not null,
    -- A link ends with the right of whoever made it.
    made_by_user uuid,
    expires_at timestamptz not null,
    used_at timestamptz,
    used_by text,
    revoked_at timestamptz,
    constraint invitations_one_purpose check ((role is null) = (user_id is not null)),
    constraint invitations_event_role check (event_id is null or role in ('director', 'arbiter', 'viewer')),
    constraint invitations_used_whole check ((used_at is null) = (used_by is null))
);
create index invitations_by_event on invitations (event_id);
create index invitations_by_user on invitations (user_id);

-- Sessions are listed, and ended one by one, without their secrets.
alter table sessions
    add column session_id uuid not null default gen_random_uuid()
        constraint sessions_id_unique unique,
    -- The browser, roughly, as its holder knows it: "Firefox, Windows".
    add column browser text not null default ''
        constraint sessions_browser_sized check (char_length(browser) <= 100);
alter table sessions alter column session_id drop default;

-- A name that the public does not read: pages and files show the number instead.
alter table entries add column name_withheld boolean not null default false;
