#!/bin/sh
# Copies the database the first time, beside its place until it is whole, and follows it from then on.
set -eu

if [ ! -e "$PGDATA/PG_VERSION" ]; then
    rm -rf "$PGDATA.new"
    until pg_basebackup --pgdata "$PGDATA.new" --host "$PRIMARY_HOST" --username replication --no-password \
        --slot replica --wal-method stream --checkpoint fast --write-recovery-conf; do
        rm -rf "$PGDATA.new"
        sleep 2
    done
    mv "$PGDATA.new" "$PGDATA"
fi
# What the replica still reads is not removed in the database itself, so that no page breaks off.
exec postgres -c hot_standby_feedback=on -c listen_addresses='*'
