-- What a token may do of what its holder may, and when a session was last used.

alter table api_tokens
    -- everything; results: to see the results page and to enter results; reading: to see and change nothing.
    add column scope text not null default 'everything'
        constraint api_tokens_scope_known check (scope in ('everything', 'results', 'reading'));

alter table sessions
    -- To within some minutes: a page that is read must not become a write.
    -- A server of the version before, beside this one, leaves it to the database.
    add column used_at timestamptz not null default now();

-- Failed attempts at something that can be guessed, shared by all servers. What was guessed at, and from
-- where, is kept as a hash.
create table attempts (
    key_hash bytea constraint attempts_key primary key
        constraint attempts_key_is_hash check (octet_length(key_hash) = 32),
    count integer not null
        constraint attempts_count_positive check (count > 0),
    ends_at timestamptz not null
);
create index attempts_by_end on attempts (ends_at);
