-- Several who are checked in with one press are acts that were done together too.
alter table batches drop constraint batches_kind_known;
alter table batches add constraint batches_kind_known
    check (kind in ('list', 'sign_ups', 'sit_out', 'withdrawal', 'here'));
