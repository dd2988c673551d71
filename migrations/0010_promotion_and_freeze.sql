-- Promotion (升段) and prizes, as the event file has them; and the end of an event: a log that takes no
-- more acts until a director opens it again.

alter table events
    add column awards jsonb not null default '{}'
        constraint events_awards_object check (jsonb_typeof(awards) = 'object');

-- On the log and not on the event: every change is an act, so one place holds for all of them.
alter table log_heads
    add column frozen_at timestamptz,
    -- Who, by name.
    add column frozen_by text,
    add column frozen_reason text,
    add constraint log_heads_frozen_whole check ((frozen_at is null) = (frozen_by is null));
