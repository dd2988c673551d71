# The server alone, without a database: for docker-compose.yml, or with DATABASE_URL naming one.

FROM rust:1-trixie AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --release --locked -p tianyuan && cp target/release/tianyuan /usr/local/bin/

# The same Debian as above, so that the C library is the one the binary was linked with.
FROM debian:trixie-slim
COPY --from=build /usr/local/bin/tianyuan /usr/local/bin/
# The server keeps no file of its own: everything is in the database.
USER nobody
EXPOSE 8080
ENTRYPOINT ["tianyuan"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
