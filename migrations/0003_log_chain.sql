-- The log of an event is a chain of hashes (docs/log.md): each act's hash covers the act and the
-- hash before it. The server writes them from now on; what is there already is chained here.

alter table log add column hash bytea;
alter table log_heads add column hash bytea;

-- The canonical text of a JSON value, as the server writes it.
create function canonical(value jsonb) returns text language plpgsql immutable as $$
begin
    case jsonb_typeof(value)
        when 'object' then
            return '{' || coalesce((select string_agg(to_json(m.key)::text || ':' || canonical(m.value), ','
                                                      order by m.key collate "C")
                                    from jsonb_each(value) m), '') || '}';
        when 'array' then
            return '[' || coalesce((select string_agg(canonical(i.value), ',' order by i.place)
                                    from jsonb_array_elements(value) with ordinality i (value, place)), '') || ']';
        else
            return value::text;
    end case;
end
$$;

alter table log disable trigger log_append_only;
do $$
declare
    of_event uuid;
    act record;
    last bytea;
begin
    for of_event in select event_id from log_heads loop
        last := sha256(convert_to(format(E'tianyuan log 1\n%s\n', of_event), 'UTF8'));
        for act in select * from log where event_id = of_event order by seq loop
            last := sha256(convert_to(encode(last, 'hex') || E'\n' || canonical(jsonb_build_object(
                'seq', act.seq,
                'at', to_char(act.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                'actor', jsonb_build_object('user', act.actor_user, 'name', act.actor_name,
                                            'role', act.actor_role, 'via', act.actor_via),
                'action', act.action,
                'subject', jsonb_strip_nulls(jsonb_build_object(
                    'kind', act.subject, 'number', act.subject_number, 'entry', act.subject_entry,
                    'round', act.subject_round, 'board', act.subject_board)),
                'before', act.before,
                'after', act.after,
                'reason', act.reason)) || E'\n', 'UTF8'));
            update log set hash = last where event_id = of_event and seq = act.seq;
        end loop;
        update log_heads set hash = last where event_id = of_event;
    end loop;
end
$$;
alter table log enable trigger log_append_only;
drop function canonical;

alter table log alter column hash set not null,
    add constraint log_hash_is_hash check (octet_length(hash) = 32);
alter table log_heads alter column hash set not null,
    add constraint log_heads_hash_is_hash check (octet_length(hash) = 32);
