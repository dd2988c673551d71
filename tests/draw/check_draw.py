#!/usr/bin/env python3
"""A second checker of draw files, written from docs/draw.md alone.

    check_draw.py FILE...      says of each file what is wrong; exit 0, 1 (wrong) or 2 (unreadable)
    check_draw.py --each DIR   one line of JSON for each file of a folder, in the order of names

It repeats every shuffle, derives what is said of the players, judges the table and its criteria,
and for fields of up to ten players tries every table there is and takes the one that the rules leave.
For larger fields it holds colours, boards and legality against the rules, and trusts the pairs.
"""

import hashlib
import json
import os
import re
import sys
import unicodedata

ENGINE = "tianyuan 0.1.0"
SMALL = 10


class Unreadable(Exception):
    """The file is no draw file that can be checked."""


# Section 1: commitment and seed


def digest(lines):
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def commitment(event, draw, secret):
    return digest(["tianyuan commitment 1", event, draw, secret])


def seed_of(event, draw, secret, words):
    return digest(["tianyuan seed 1", event, draw, secret, *words])


WHITE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def is_word(word):
    return (
        isinstance(word, str)
        and 1 <= len(word) <= 200
        and unicodedata.normalize("NFC", word) == word
        and word.strip(WHITE) == word
        and not any(unicodedata.category(c) == "Cc" or c in "\u2028\u2029" for c in word)
    )


# Section 2: the generator


def chacha20_block(key, counter, nonce):
    def words(data):
        return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]

    start = words(b"expand 32-byte k") + words(key) + [counter] + words(nonce)
    x = list(start)

    def quarter(a, b, c, d):
        for one, other, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[one] = (x[one] + x[other]) & 0xFFFFFFFF
            y = x[third] ^ x[one]
            x[third] = (y << turn | y >> (32 - turn)) & 0xFFFFFFFF

    for _ in range(10):
        quarter(0, 4, 8, 12)
        quarter(1, 5, 9, 13)
        quarter(2, 6, 10, 14)
        quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return b"".join(((a + b) & 0xFFFFFFFF).to_bytes(4, "little") for a, b in zip(x, start))


class Stream:
    def __init__(self, seed, label):
        self.key = bytes.fromhex(seed)
        self.nonce = label.encode("ascii").ljust(12, b"\0")
        self.counter = 0
        self.bytes = b""

    def word(self):
        if not self.bytes:
            self.bytes = chacha20_block(self.key, self.counter, self.nonce)
            self.counter += 1
        word, self.bytes = self.bytes[:8], self.bytes[8:]
        return int.from_bytes(word, "little")

    def below(self, n):
        fair = 2**64 - 2**64 % n
        while True:
            word = self.word()
            if word < fair:
                return word % n

    def shuffle(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


# Section 3: numbers and groups


def numbers(seed, seeded, slots):
    """What each entry draws; `seeded` says of each whether it is seeded."""
    stream = Stream(seed, "numbers")
    drawn = [0] * len(seeded)
    free = [number for number in range(1, len(seeded) + 1) if number not in slots]
    for which, to in ((True, slots), (False, free)):
        for entry, number in zip(stream.shuffle(i for i, s in enumerate(seeded) if s == which), to):
            drawn[entry] = number
    return drawn


def groups(seed, count, groups, split, layer):
    """The group of each entry, from 0."""
    stream = Stream(seed, "groups")
    size = count if split == "lots" else layer
    order = []
    for start in range(0, count, size):
        order += stream.shuffle(range(start, min(start + size, count)))
    drawn = [0] * count
    for k, entry in enumerate(order):
        row, column = divmod(k, groups)
        drawn[entry] = groups - 1 - column if split == "snake" and row % 2 else column
    return drawn


# Section 4: the file


def read(data):
    def members(pairs):
        found = {}
        for name, value in pairs:
            if name in found:
                raise Unreadable(f"{name} stands twice in one object")
            found[name] = value
        return found

    def whole(text):
        if text == "-0":
            raise Unreadable("-0 is no whole number")
        return int(text)

    def fraction(text):
        raise Unreadable(f"{text} is no whole number")

    try:
        content = json.loads(
            data.decode("utf-8"), object_pairs_hook=members, parse_int=whole, parse_float=fraction, parse_constant=fraction
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    if not isinstance(content, dict):
        raise Unreadable("this is no object")
    return content


HEAD = {"format", "version", "engine", "event", "draw", "commitment", "secret", "words", "seed", "log", "sum"}
ROUND = {"input", "choices", "order", "colours", "players", "table", "criteria", "certificate"}
FIELDS = {"numbers": {"slots", "entries"}, "groups": {"groups", "split", "layer", "entries"}}


def need(condition, why):
    if not condition:
        raise Unreadable(why)


def is_hex(text):
    return isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text) is not None


def is_number(value):
    return type(value) is int and 1 <= value <= 99999


def is_list(value, of=lambda item: True):
    return isinstance(value, list) and all(of(item) for item in value)


def canonical_sum(content):
    text = json.dumps(
        {name: value for name, value in content.items() if name != "sum"},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise Unreadable("half of a character stands in a text") from error


def check(data):
    """Everything that is wrong with a draw file, a sentence each."""
    draw = read(data)
    need(draw.get("format") == "tianyuan-draw", "`format` is not tianyuan-draw")
    need(draw.get("version") == 1 and type(draw["version"]) is int, "`version` is not 1")
    need(draw.get("engine") == ENGINE, f"only the rules of {ENGINE} are known here")
    draw = {name: value for name, value in draw.items() if value is not None}
    uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    need(isinstance(draw.get("event"), str) and re.fullmatch(uuid, draw["event"]), "`event` is no event's id")
    kind = draw.get("draw")
    of_round = isinstance(kind, str) and re.fullmatch("round ([1-9][0-9]{0,8})", kind)
    need(of_round or kind in ("numbers", "groups"), "`draw` says nothing that is drawn")
    unknown = set(draw) - HEAD - (ROUND if of_round else FIELDS[kind])
    need(not unknown, f"there is no field {', '.join(sorted(unknown))} here")
    need(is_hex(draw.get("sum")), "`sum` is not 64 digits")
    need("seed" not in draw or is_hex(draw["seed"]), "`seed` is not 64 digits")
    log = draw.get("log", f"1:{64 * '0'}")
    need(isinstance(log, str) and re.fullmatch("[1-9][0-9]*:[0-9a-f]{64}", log), "`log` names no act of a log")
    parts = [name for name in ("commitment", "secret", "words") if name in draw]
    need(len(parts) in (0, 3) and (not parts or "seed" in draw), "commitment, secret, words and seed belong together")
    need(of_round or "seed" in draw, "lots are drawn, and there is no seed")

    wrong = []
    found = canonical_sum(read(data))
    if found != draw["sum"]:
        wrong.append(f"sum: the file has {draw['sum']}, its content comes to {found}")
    if parts:
        need(is_hex(draw["commitment"]) and is_hex(draw["secret"]), "commitment or secret is not 64 digits")
        need(is_list(draw["words"], is_word), "a public word is not in its form")
        if commitment(draw["event"], kind, draw["secret"]) != draw["commitment"]:
            wrong.append("commitment: it is not the secret that was promised")
        if seed_of(draw["event"], kind, draw["secret"], draw["words"]) != draw["seed"]:
            wrong.append("seed: it does not follow from secret and public words")
    try:
        if of_round:
            wrong += check_round(draw, int(of_round[1]))
        elif kind == "numbers":
            wrong += check_numbers(draw)
        else:
            wrong += check_groups(draw)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise Unreadable(f"something is missing or of another kind: {error!r}") from error
    return wrong


def check_numbers(draw):
    entries, slots = draw["entries"], draw["slots"]
    need(is_list(entries, lambda entry: set(entry) <= {"name", "seeded", "number"}), "an entry has an unknown field")
    need(all(type(entry["seeded"]) is bool and is_number(entry["number"]) for entry in entries), "no entry")
    need(is_list(slots, lambda slot: is_number(slot) and slot <= len(entries)), "a slot is no number of this draw")
    need(all(one < other for one, other in zip(slots, slots[1:])), "slots do not ascend")
    need(len(slots) == sum(entry["seeded"] for entry in entries), "not as many slots as seeded entries")
    drawn = numbers(draw["seed"], [entry["seeded"] for entry in entries], slots)
    return [
        f"entry {place}: the file has number {entry['number']}, the draw gives {number}"
        for place, (entry, number) in enumerate(zip(entries, drawn), 1)
        if entry["number"] != number
    ]


def check_groups(draw):
    entries, count = draw["entries"], draw["groups"]
    need(type(count) is int and 2 <= count <= 26 and len(entries) >= count, "no such number of groups")
    need(is_list(entries, lambda entry: set(entry) <= {"name", "number", "group"}), "an entry has an unknown field")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]
    need(all(len(entry["group"]) == 1 and entry["group"] in letters for entry in entries), "no group")
    snake = draw["split"] == "snake"
    need(snake or draw["split"] == "lots", "no way to split")
    need(snake == ("layer" in draw), "layers belong to the snake")
    layer = draw.get("layer", 1)
    need(type(layer) is int and layer >= 1, "no layer")
    drawn = groups(draw["seed"], len(entries), count, draw["split"], layer)
    return [
        f"entry {place}: the file has group {entry['group']}, the draw gives {letters[group]}"
        for place, (entry, group) in enumerate(zip(entries, drawn), 1)
        if entry["group"] != letters[group]
    ]


# Section 5: the field and its players

PLAYED = {"black", "white", "draw", "both_lose"}
POINTS = {
    "black": (2, 0),
    "white": (0, 2),
    "draw": (1, 1),
    "both_lose": (0, 0),
    "black_forfeit": (0, 2),
    "white_forfeit": (2, 0),
    "both_forfeit": (0, 0),
}
DEFAULTS = {
    "order": "classic",
    "order_by": "rating",
    "number_order": "alternate",
    "avoid_team_rounds": 1,
    "team_avoidance": "soft",
    "forbidden_pairs": [],
    "unwanted_pairs": [],
    "third_colour": "allowed",
    "colours": "number",
    "bye_score": 2,
    "absent_score": 0,
    "forfeits_may_meet_again": False,
    "avoid_repeated_floats": True,
    "stop_at": None,
}
WORDS = {
    "order": ("classic", "random", "fold", "slide"),
    "order_by": ("rating", "grade", "number"),
    "number_order": ("alternate", "ascending", "descending"),
    "team_avoidance": ("soft", "strong", "absolute"),
    "third_colour": ("allowed", "avoided", "forbidden"),
    "colours": ("number", "alternate", "lots", "nigiri"),
}


def given(of, name, otherwise):
    value = of.get(name)
    return otherwise if value is None else value


def strength(entry, order_by):
    """The larger the stronger; none for those without."""
    if order_by == "rating":
        return entry.get("rating")
    grade = entry.get("grade")
    if order_by == "number" or grade is None:
        return None
    step = int(grade[:-1])
    return {"p": 100 + step, "d": step, "k": 1 - step}[grade[-1]]


class Field:
    """The field of a round, in list order, and what the rules look at."""

    def __init__(self, draw, round_):
        file = draw["input"]
        self.settings = DEFAULTS | {k: v for k, v in given(file["event"], "pairing", {}).items() if v is not None}
        for name, words in WORDS.items():
            need(self.settings[name] in words, f"{name} is none of its words")
        self.round = round_
        rounds = given(file, "rounds", [])
        first = given(file["event"], "first_round", 1)
        need([r["round"] for r in rounds] == list(range(first, round_)), "the rounds in `input` are not those before")
        self.choices = {name: [] for name in ("pairs", "apart", "byes", "sitting_out")} | draw.get("choices", {})
        self.history(file["entries"], rounds)
        self.members(file["entries"])
        self.lots = {}
        for label, drawn in (("order", self.settings["order"] == "random"), ("colours", self.settings["colours"] == "lots")):
            need(drawn == (label in draw), f"`{label}` stands there, and no lots are drawn for it, or the other way round")
            if drawn:
                need("seed" in draw, "lots are drawn, and there is no seed")
                self.lots[label] = Stream(draw["seed"], label).shuffle(sorted(self.field))
        self.ascending = {"ascending": True, "descending": False}.get(self.settings["number_order"], round_ % 2 == 1)
        self.sort()

    def history(self, entries, rounds):
        s = self.settings
        self.entries = {entry["number"]: entry for entry in entries}
        need(len(self.entries) == len(entries), "a number stands twice")
        carried = {number: given(entry, "carried", {}) for number, entry in self.entries.items()}
        self.score, self.balance = {}, {}
        for number, entry in self.entries.items():
            self.score[number] = given(entry, "start_score", 0) + given(carried[number], "score", 0)
            sign = {"white": 1, "black": -1}.get(carried[number].get("balance"), 0)
            self.balance[number] = sign * given(carried[number], "balance_size", 1)
        self.colours = {number: "" for number in self.entries}
        self.byes = dict.fromkeys(self.entries, 0)
        self.down = dict.fromkeys(self.entries, False)
        self.up = dict.fromkeys(self.entries, False)
        self.met, self.met_before = {}, set()
        for number in self.entries:
            for other in given(carried[number], "met", []):
                self.met[frozenset((number, other))] = 1
        for past in rounds:
            before = dict(self.score)
            points = dict.fromkeys(self.entries, s["absent_score"])
            for number in given(past, "byes", []):
                points[number] = s["bye_score"]
                self.byes[number] += 1
            for board in given(past, "boards", []):
                black, white, result = board["black"], board["white"], given(board, "result", "draw")
                points[black], points[white] = POINTS[result]
                played = result in PLAYED
                if played and not board.get("nigiri"):
                    self.balance[black] -= 1
                    self.balance[white] += 1
                    self.colours[black] += "b"
                    self.colours[white] += "w"
                for me, other in ((black, white), (white, black)):
                    self.byes[me] += not played and points[me] == 2
                    self.down[me] |= before[me] > before[other]
                    self.up[me] |= before[me] < before[other]
                if played or not s["forfeits_may_meet_again"]:
                    pair = frozenset((black, white))
                    self.met[pair] = self.met.get(pair, 0) + 1
                    if past["round"] == self.round - 1:
                        self.met_before.add(pair)
            for number in self.score:
                self.score[number] += points[number]

    def members(self, entries):
        self.field, self.asked = [], []
        for entry in entries:
            number, stop = entry["number"], self.settings["stop_at"]
            last = entry.get("withdrawn_after")
            if (last is not None and last < self.round) or self.round in given(entry, "absent_rounds", []):
                continue
            if number in self.choices["sitting_out"] or (stop is not None and self.score[number] >= stop):
                continue
            if self.round in given(entry, "bye_rounds", []):
                self.asked.append(number)
            else:
                self.field.append(number)
        self.given = [number for number in self.field if number in self.choices["byes"]]

    def sort(self):
        order, by = self.settings["order"], self.settings["order_by"]
        in_lots = {number: place for place, number in enumerate(self.lots.get("order", []))}

        def key(number):
            if order == "random":
                in_group = (in_lots[number],)
            elif order == "classic":
                in_group = (number if self.ascending else -number,)
            else:
                strong = strength(self.entries[number], by)
                in_group = (strong is None, -(strong or 0), number)
            return (-self.score[number], *in_group)

        self.field.sort(key=key)
        self.place = {number: place for place, number in enumerate(self.field)}
        self.scores = sorted({self.score[number] for number in self.field}, reverse=True)
        self.group = {number: self.scores.index(self.score[number]) for number in self.field}

    def players(self):
        here = set(self.field)
        others = {number: [] for number in here}
        before = {number: [] for number in here}
        for pair, times in self.met.items():
            if len(pair) == 2 and pair <= here:
                one, other = pair
                others[one] += [other] * times
                others[other] += [one] * times
        for pair in self.met_before:
            if pair <= here:
                one, other = pair
                before[one].append(other)
                before[other].append(one)
        return [
            {
                "number": number,
                "score": self.score[number],
                "balance": self.balance[number],
                "colours": self.colours[number][-2:],
                "byes": self.byes[number],
                "floated_down": self.down[number],
                "floated_up": self.up[number],
                "met": sorted(others[number]),
                "met_just_before": sorted(before[number]),
            }
            for number in sorted(here)
        ]

    # Section 6: the rules

    def team(self, number):
        return given(self.entries[number], "team", "").strip(WHITE)

    def mates(self, a, b):
        apart = self.round <= self.settings["avoid_team_rounds"]
        return apart and self.team(a) != "" and self.team(a) == self.team(b)

    def third_time(self, a, b):
        return self.colours[a][-2:] == self.colours[b][-2:] and self.colours[a][-2:] in ("bb", "ww")

    def third_colour(self):
        return "allowed" if self.settings["colours"] == "nigiri" else self.settings["third_colour"]

    def same_sign(self, a, b):
        return self.settings["colours"] != "nigiri" and self.balance[a] * self.balance[b] > 0

    def listed(self, pairs, a, b):
        return [a, b] in pairs or [b, a] in pairs

    def contradiction(self):
        """Why the director's choices leave no table, if they do."""
        fixed = [number for pair in self.choices["pairs"] for number in pair]
        if len(set(fixed)) < len(fixed):
            return "a number is in two fixed pairs"
        for number in self.choices["byes"]:
            if number not in self.field + self.asked:
                return f"{number} is given a bye and does not play"
        for number in fixed:
            if number not in self.field or number in self.given:
                return f"{number} is in a fixed pair and cannot be paired"
        for a, b in self.choices["pairs"]:
            if not self.legal(a, b):
                return f"{a} and {b} are fixed and kept apart"
        return None

    def legal(self, a, b):
        s = self.settings
        return not (
            self.listed(self.choices["apart"], a, b)
            or self.listed(s["forbidden_pairs"], a, b)
            or (s["team_avoidance"] == "absolute" and self.mates(a, b))
            or (self.third_colour() == "forbidden" and self.third_time(a, b))
        )

    def ordered(self, a, b):
        return (a, b) if self.place[a] < self.place[b] else (b, a)

    def value(self, a, b):
        """What one pair adds to each count: {(criterion, which group or border): count}."""
        a, b = self.ordered(a, b)
        pair, add = frozenset((a, b)), {}
        high, low = self.group[a], self.group[b]
        if pair in self.met:
            add["repeats", 0] = 1
            add["repeat_meetings", 0] = self.met[pair]
            add["repeats_just_before", 0] = int(pair in self.met_before)
        if high != low:
            for border in range(high, low):
                add["floats", border] = 1
            add["float_squares", 0] = (self.score[a] - self.score[b]) ** 2
            if self.settings["avoid_repeated_floats"]:
                add["repeated_floats", low] = int(self.down[a]) + int(self.up[b])
        if self.mates(a, b) or self.listed(self.settings["unwanted_pairs"], a, b):
            add["team_mates", low] = 1
        if self.third_colour() == "avoided" and self.third_time(a, b):
            add["third_colour", low] = 1
        if self.same_sign(a, b):
            add["same_colour", low] = 1
            if min(abs(self.balance[a]), abs(self.balance[b])) >= 2:
                add["same_colour_twice", low] = 1
        return add

    def digits(self):
        """Every count of a table, the first to be minimised first."""
        groups = range(len(self.scores))
        p3 = [("floats", border) for border in groups[:-1]] + [("float_squares", 0)]
        p4 = [("team_mates", group) for group in groups]
        middle = p4 + p3 if self.settings["team_avoidance"] == "strong" else p3 + p4
        p5 = [(name, group) for name in ("third_colour", "same_colour_twice", "same_colour") for group in groups]
        p6 = [("repeated_floats", group) for group in groups]
        p1 = [("repeats", 0), ("repeat_meetings", 0), ("repeats_just_before", 0)]
        return p1 + [("bye_so_far", 0), ("bye_score", 0)] + middle + p5 + p6

    def bye_value(self, bye):
        return {} if bye is None else {("bye_so_far", 0): self.byes[bye], ("bye_score", 0): self.score[bye]}

    def criteria(self, pairs, bye):
        total = self.bye_value(bye)
        for a, b in pairs:
            for digit, count in self.value(a, b).items():
                total[digit] = total.get(digit, 0) + count

        def plain(name):
            return total.get((name, 0), 0)

        def by_group(name):
            found = ((score, total.get((name, group), 0)) for group, score in enumerate(self.scores))
            return [{"group": score, "count": count} for score, count in found if count]

        floats = [
            {"above": above, "below": below, "pairs": total["floats", border]}
            for border, (above, below) in enumerate(zip(self.scores, self.scores[1:]))
            if total.get(("floats", border))
        ]
        return {
            "P1": {name: plain(name) for name in ("repeats", "repeat_meetings", "repeats_just_before")},
            "P2": {name: plain(name) for name in ("bye_so_far", "bye_score")},
            "P3": {"floats": floats, "float_squares": plain("float_squares")},
            "P4": {"team_mates": by_group("team_mates")},
            "P5": {name: by_group(name) for name in ("third_colour", "same_colour_twice", "same_colour")},
            "P6": {"repeated_floats": by_group("repeated_floats")},
        }

    def tables(self):
        """Every table: (bye, pairs), pairs in list order."""
        fixed = [tuple(self.ordered(a, b)) for a, b in self.choices["pairs"]]
        fixed = list(dict.fromkeys(fixed))
        settled = {number for pair in fixed for number in pair} | set(self.given)
        rest = [number for number in self.field if number not in settled]
        legal = {(a, b) for i, a in enumerate(rest) for b in rest[i + 1 :] if self.legal(a, b)}

        def matchings(left):
            if not left:
                yield ()
                return
            a, others = left[0], left[1:]
            for i, b in enumerate(others):
                if (a, b) in legal:
                    for pairs in matchings(others[:i] + others[i + 1 :]):
                        yield ((a, b), *pairs)

        for bye in rest if len(rest) % 2 else [None]:
            for pairs in matchings([number for number in rest if number != bye]):
                yield bye, frozenset((*fixed, *pairs))

    def best(self):
        """The tables that are best in P1 to P6."""
        width = 40
        shift = {digit: width * at for at, digit in enumerate(reversed(self.digits()))}

        def number(counts):
            return sum(count << shift[digit] for digit, count in counts.items())

        of_pair = {}
        least, best = None, []
        for bye, pairs in self.tables():
            value = number(self.bye_value(bye))
            for pair in pairs:
                if pair not in of_pair:
                    of_pair[pair] = number(self.value(*pair))
                value += of_pair[pair]
            if least is None or value < least:
                least, best = value, []
            if value == least:
                best.append((bye, pairs))
        return best

    def chosen(self):
        """The one table that P7 leaves; none when there is no table at all."""
        left = self.best()
        if not left:
            return None

        def keep(allowed):
            nonlocal left
            some = [table for table in left if allowed(table)]
            left = some or left
            return bool(some)

        for number in reversed(self.field):
            if keep(lambda table: table[0] == number):
                break
        for border in range(len(self.scores) - 1):
            for number in self.field:
                if self.group[number] <= border:

                    def stays(table):
                        return not any(a == number and self.group[b] > border for a, b in table[1])

                    keep(stays)
        fixed = {self.ordered(a, b) for a, b in self.choices["pairs"]}
        for group in range(len(self.scores)):
            members = {n for pair in left[0][1] if pair not in fixed and self.group[pair[1]] == group for n in pair}
            unpaired = [number for number in self.field if number in members]
            for first_pass in (True, False):
                for number in list(unpaired):
                    if number not in unpaired:
                        continue
                    for partner in self.partners(unpaired[unpaired.index(number) :]):
                        pair = (number, partner)
                        if first_pass and self.same_sign(*pair):
                            continue
                        if keep(lambda table: pair in table[1]):
                            unpaired = [n for n in unpaired if n not in pair]
                            break
        return left[0]

    def partners(self, u):
        order, m = self.settings["order"], len(u)
        if order == "slide":
            return u[:0:-1]
        if order == "fold":
            half = m // 2
            return (u[half:] + u[1:half][::-1]) if half else []
        return u[1:]

    def black(self, a, b):
        def third(black, white):
            return self.colours[black][-2:] == "bb" or self.colours[white][-2:] == "ww"

        if self.third_colour() != "allowed" and third(a, b) != third(b, a):
            return b if third(a, b) else a
        if self.balance[a] != self.balance[b]:
            return a if self.balance[a] > self.balance[b] else b
        if self.settings["colours"] == "lots":
            return min(a, b, key=self.lots["colours"].index)
        if self.settings["colours"] == "alternate":
            last = (self.colours[a][-1:], self.colours[b][-1:])
            if last in (("w", "b"), ("b", "w")):
                return a if last[0] == "w" else b
        return min(a, b) if self.ascending else max(a, b)

    def boards(self, pairs):
        """The boards of a table in order, each Black and White."""

        def key(pair):
            a, b = self.ordered(*pair)
            return (self.group[b], self.group[a] == self.group[b], self.same_sign(a, b), self.place[a])

        boards = []
        for a, b in sorted(pairs, key=key):
            black = self.black(a, b)
            boards.append((black, b if black == a else a))
        return boards


def check_round(draw, round_):
    field = Field(draw, round_)
    wrong = []
    for label, drawn in field.lots.items():
        if draw[label] != drawn:
            wrong.append(f"{label}: the file has {draw[label]}, the seed gives {drawn}")
    players = field.players()
    if not same(draw["players"], players):
        wrong.append("players: what is said of them does not follow from the rounds before")
    table = draw["table"]
    need(set(table) == {"boards", "byes"}, "a table is boards and byes")
    need(is_list(table["boards"], lambda board: set(board) == {"board", "black", "white"}), "no board")
    contradiction = field.contradiction()
    if contradiction:
        return [*wrong, contradiction]
    seats = [(board["black"], board["white"]) for board in table["boards"]]
    need(all(is_number(number) for seat in seats for number in seat), "no number on a board")
    need(is_list(table["byes"], is_number), "no number with a bye")
    if not same([board["board"] for board in table["boards"]], list(range(1, len(seats) + 1))):
        wrong.append("boards are not numbered 1, 2, 3 …")
    seated = [number for seat in seats for number in seat] + table["byes"]
    if sorted(seated) != sorted(field.field + field.asked):
        return [*wrong, "not everybody has one place"]
    by_rule = [number for number in table["byes"] if number not in field.asked + field.given]
    if any(number not in field.place for seat in seats for number in seat) or len(by_rule) > 1:
        return [*wrong, "a place is not one by the rules"]
    if not same(table["byes"], sorted(field.asked + field.given + by_rule)):
        wrong.append("byes are not those by the rules")
    for pair in field.choices["pairs"]:
        if tuple(pair) not in seats and tuple(pair[::-1]) not in seats:
            wrong.append(f"{pair[0]} and {pair[1]} are fixed, and no board has them")
    for a, b in seats:
        if not field.legal(a, b):
            wrong.append(f"{a} and {b} are kept apart and meet")
    bye = by_rule[0] if by_rule else None
    if not same(draw["criteria"], field.criteria(seats, bye)):
        wrong.append("criteria: the table gives other values")
    pairs = {field.ordered(a, b) for a, b in seats}
    if len(field.field) <= SMALL:
        chosen = field.chosen()
        if chosen is None:
            return [*wrong, "there is no table at all"]
        if chosen[0] != bye:
            wrong.append(f"bye: the file has {bye}, the rules give {chosen[0]}")
        pairs = chosen[1]
    boards = field.boards(pairs)
    for board, (file, rules) in enumerate(zip(seats, boards), 1):
        if file != rules and (field.settings["colours"] != "nigiri" or set(file) != set(rules)):
            wrong.append(f"board {board}: the file has {file[0]}–{file[1]}, the rules give {rules[0]}–{rules[1]}")
    return wrong


def same(one, other):
    """Equality of JSON, in which true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def verdict(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        wrong = check(data)
    except Unreadable as error:
        return 2, [str(error)]
    return (1 if wrong else 0), wrong


def main(arguments):
    if arguments[:1] == ["--each"] and len(arguments) == 2:
        for name in sorted(os.listdir(arguments[1])):
            code, said = verdict(os.path.join(arguments[1], name))
            print(json.dumps({"file": name, "exit": code, "said": said}, ensure_ascii=False))
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    worst = 0
    for path in arguments:
        code, said = verdict(path)
        worst = max(worst, code)
        print(f"{path}: {('the draw holds', 'the draw does not hold', 'unreadable')[code]}")
        for line in said:
            print(f"  {line}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
