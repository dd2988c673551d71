# What scripts/run, scripts/test and scripts/bench share: where the project is, and installing what is missing.
# To be sourced, not run.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
    say "$*"
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command quietly; its output is shown only when it fails.
quietly() {
    local output
    output=$(mktemp)
    if ! "$@" >"$output" 2>&1; then
        cat "$output" >&2
        rm -f "$output"
        return 1
    fi
    rm -f "$output"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing=()
# want PROGRAM PACKAGE... : these Debian packages are to be installed unless the program is here.
want() {
    have "$1" || missing+=("${@:2}")
}

# Whether the programs of a PostgreSQL server are where `tianyuan serve` looks for them.
have_postgresql() {
    local folder
    for folder in ${PG_BIN_DIR:+"$PG_BIN_DIR"} /usr/lib/postgresql/*/bin; do
        [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && return 0
    done
    have initdb && have postgres
}
want_postgresql() {
    have_postgresql || missing+=(postgresql)
}

install_wanted() {
    [ ${#missing[@]} -gt 0 ] || return 0
    have apt-get || die "these are missing, and this system has no apt-get to install them with: ${missing[*]}.
Install them by this system's own means, then run this script again."
    [ "$(id -u)" = 0 ] || have sudo || die "these packages are missing, and installing them needs root or sudo: ${missing[*]}.
As root: apt-get install ${missing[*]}
Then run this script again."
    say "installing ${missing[*]}"
    # Lists that are old name versions which the mirrors no longer have.
    quietly as_root apt-get update -q ||
        say "apt-get update failed; trying with the package lists that are here"
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" ||
        die "installing failed: ${missing[*]}. What apt-get said stands above."
    missing=()
}

# Rust is the one thing these scripts do not install: which one, and how, is for its owner to say.
want_rust() {
    local wanted found
    have cargo || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
    have cargo || die "cargo is missing. Install Rust (https://rustup.rs), then run this script again."
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$here/Cargo.toml")
    found=$(cargo --version | cut -d ' ' -f 2)
    printf '%s\n%s\n' "$wanted" "$found" | sort --version-sort --check=quiet ||
        die "this needs Rust $wanted or newer, and cargo here is $found. Update it (rustup update), then run this script again."
    # Rust links with the C compiler.
    want cc gcc libc6-dev
}

# need_tool NAME VERSION : a cargo subcommand from crates.io, that version or a compatible later one.
need_tool() {
    local found
    found=$(cargo "${1#cargo-}" --version 2>/dev/null | sed -n '1s/^[^ ]* \([0-9.]*\).*/\1/p') || true
    if [ -n "$found" ] && printf '%s\n%s\n' "$2" "$found" | sort --version-sort --check=quiet; then
        return 0
    fi
    say "installing $1 (a few minutes)"
    quietly cargo install --locked --force --version "^$2" "$1" || die "cargo install $1 failed. What it said stands above."
}

# One folder for everything that is built, whatever folder the caller stands in.
case ${CARGO_TARGET_DIR:=$here/target} in
    /*) ;;
    *) CARGO_TARGET_DIR=$PWD/$CARGO_TARGET_DIR ;;
esac
export CARGO_TARGET_DIR
