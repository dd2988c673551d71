-- Draws of numbers and groups that were put back.

alter table draws
    -- What was drawn counts no more since then; what was revealed stays public.
    add column put_back_at timestamptz,
    add constraint draws_put_back_was_drawn check (put_back_at is null or revealed_at is not null);
