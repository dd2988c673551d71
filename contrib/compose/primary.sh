#!/bin/sh
# Runs once, when the database is made: lets the replica in, and keeps for it what it has not fetched yet.
# A database that was made before there was a replica: run it by hand inside of the container.
set -eu

psql --set ON_ERROR_STOP=1 --set password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" \
    --dbname "$POSTGRES_DB" <<'SQL'
create role replication login replication password :'password';
select pg_create_physical_replication_slot('replica', true);
SQL
# What the image allows by itself does not hold for replication.
echo "host replication replication samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "select pg_reload_conf()"
