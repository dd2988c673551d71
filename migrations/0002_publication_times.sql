-- A draft can be set to be published at a moment, by whoever set it.
alter table rounds
    add column publish_at timestamptz,
    add column publish_by jsonb,
    add constraint rounds_publish_at_for_drafts check (publish_at is null or status = 'draft'),
    add constraint rounds_publish_at_by_somebody check ((publish_at is null) = (publish_by is null));
create index rounds_to_publish on rounds (publish_at) where publish_at is not null;
