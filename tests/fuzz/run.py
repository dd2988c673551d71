"""Starts a server with events in every state on the database of DATABASE_URL, and lets schemathesis ask it.

    run.py TIANYUAN SEED SECONDS

First as somebody unknown, then as a director whose rights reach everywhere.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
CHECKS = ",".join(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "ignored_auth",
    ]
)


class Api:
    """The API with a director's token."""

    def __init__(self, base, token):
        self.base, self.token = base + "/api/v1", token

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "authorization": f"Bearer {self.token}",
                "content-type": "application/json",
                "if-match": "*",
            },
        )
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def event(self, name, entries=6, **settings):
        event = self.ask("POST", "/events", {"name": name, "rounds": 5, **settings})
        path = f"/events/{event['slug']}"
        self.ask("POST", path + "/entries", [{"name": f"Player {i}", "team": f"Team {i % 3}"} for i in range(entries)])
        return path

    def round(self, path, results=()):
        number = self.ask("POST", path + "/rounds")["round"]
        self.ask("POST", f"{path}/rounds/{number}/publish")
        boards = [{"board": board + 1, "result": result} for board, result in enumerate(results)]
        if boards:
            self.ask("PUT", f"{path}/rounds/{number}/results", {"results": boards})


def fill(api):
    """Events in different states: results, a draft, hidden, nothing but entries, groups of a family."""
    played = api.event("fuzz")
    api.round(played, ["black", "white", "draw"])
    api.round(played, ["black"])
    hidden = api.event("hidden", visibility="hidden")
    api.round(hidden, ["black", "white", "draw"])
    drafted = api.event("drafted")
    api.round(drafted, ["black", "white", "draw"])
    api.ask("POST", drafted + "/rounds")
    api.event("scratch")
    for group in ("group-a", "group-b"):
        api.round(api.event(group), ["black"])
    groups = [{"event": "group-a", "label": "A"}, {"event": "group-b", "label": "B"}]
    api.ask("POST", "/families", {"name": "groups", "groups": groups})


def main():
    program, seed, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        with log.open("w") as writer:
            server = subprocess.Popen(
                [program, "serve", "--listen", "127.0.0.1:0", "--demo"],
                stdout=subprocess.PIPE,
                stderr=writer,
                text=True,
            )
        try:
            base = re.search(r"http://\S+", server.stdout.readline()).group()
            command(program, ["user", "add", "director", "--role", "admin", "--password-stdin"], "fuzz the doors of it\n")
            token = re.search(r"ty_[0-9a-f]+", command(program, ["token", "add", "director"])).group()
            fill(Api(base, token))
            failed = [who for who, headers in [("nobody", []), ("director", [f"Authorization: Bearer {token}"])]
                      if not fuzz(base, headers, seed, seconds // 2, folder)]
            alive = server.poll() is None
        finally:
            server.terminate()
            server.wait(timeout=30)
        told = log.read_text()
        panics = [line for line in told.splitlines() if "internal failure" in line]
        if failed or panics or not alive:
            print(told[-4000:], *panics, sep="\n", file=sys.stderr)
            sys.exit(f"asked as {' and '.join(failed) or 'everybody'}: failed")


def command(program, arguments, told=""):
    """What a command of the program prints."""
    return subprocess.run([program, *arguments], input=told, text=True, capture_output=True, check=True).stdout


def fuzz(base, headers, seed, seconds, folder):
    """Whether every answer was one that the description names."""
    arguments = [
        str(pathlib.Path(sys.executable).parent / "schemathesis"),
        "--config-file",
        str(HERE / "schemathesis.toml"),
        "run",
        base + "/api/v1/openapi.json",
        "--checks",
        CHECKS,
        "--phases",
        "examples,coverage,fuzzing",
        "--seed",
        str(seed),
        "--max-time",
        str(seconds),
        "--request-timeout",
        "30",
        # It goes on until the client ends it, which schemathesis does not; it has tests of its own.
        "--exclude-path",
        "/api/v1/events/{event}/stream",
        "--generation-database",
        "none",
        "--warnings",
        "off",
    ]
    for header in headers:
        arguments += ["--header", header]
    # In what calls itself CI hypothesis asks other questions for the same seed.
    surroundings = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(arguments, check=False, cwd=folder, env={**surroundings, "NO_COLOR": "1"}).returncode == 0


if __name__ == "__main__":
    main()
