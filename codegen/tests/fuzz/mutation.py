"""Damage the bytes of a text, or the structure of a JSON value."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from nearly_valid import HOSTILE, NUMBERS, expression

PIECES = (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud83d", b"\x00", b"\xff", b"\xc3",
          b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"NaN", b"-Infinity", b"1e999", b"-0", b"00", b"1.",
          b".5", b"9" * 40, b"true", b"nul", b"//", b"/*", b"'", b"\r\n", b"\t", b"[" * 70,
          b'{"a":' * 70, b"\xf0\x9f\x98\x80")


def clone(value: object) -> object:
    if isinstance(value, dict):
        return {key: clone(child) for key, child in value.items()}
    return [clone(child) for child in value] if isinstance(value, list) else value


def places(value: object) -> Iterator[tuple[object, object]]:
    """Yield (container, key) of every nested value."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def any_value(dice: random.Random) -> object:
    kind = dice.randrange(9)
    if kind < 3:
        return dice.choice(NUMBERS)
    if kind < 6:
        return dice.choice(HOSTILE)
    if kind == 6:
        return {"expr": expression(dice)}
    if kind == 7:
        nested: object = dice.choice(NUMBERS)
        for _ in range(dice.choice((1, 3, 30, 62, 70))):
            nested = [nested] if dice.random() < 0.5 else {"a": nested}
        return nested
    return dice.choice((None, True, False, [], {}))


def retyped(value: object, dice: random.Random) -> object:
    """Return the value as another type."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return dice.choice((str(value), float(value), -value, [value], {"expr": str(value)}, value + 1))
    if isinstance(value, str):
        return dice.choice((value + " ", value.upper(), value[:-1], value * 40, [value], {value: value},
                            {"expr": value}))
    if isinstance(value, list):
        return dice.choice((value[::-1], value * 2, {str(i): child for i, child in enumerate(value)}, value[:1]))
    if isinstance(value, dict):
        return dice.choice(([*value.values()], [*value], {str(k).upper(): v for k, v in value.items()}))
    return dice.choice((0, "", [], {}))


def mutated_value(value: object, dice: random.Random, times: int) -> object:
    """Return a copy of a JSON value with some changes."""
    root = [clone(value)]
    for _ in range(times):
        found = list(places(root))
        container, key = dice.choice(found)
        change = dice.randrange(8)
        if change == 0 and container is not root:
            del container[key]
        elif change == 1 and isinstance(container, list):
            container.insert(dice.randint(0, len(container)), clone(container[key]))
        elif change == 2:
            other, there = dice.choice(found)
            container[key] = clone(other[there])
        elif change == 3:
            container[key] = retyped(container[key], dice)
        elif change == 4 and isinstance(container, dict):
            name = dice.choice((str(key) + "s", "x_" + str(key), str(key)[::-1], dice.choice(HOSTILE)))
            container[name] = container.pop(key)
        elif change == 5 and isinstance(container[key], dict):
            container[key][dice.choice(HOSTILE)] = any_value(dice)
        elif change == 6 and isinstance(container[key], str):
            container[key] = dice.choice((dice.choice(HOSTILE) + container[key], container[key] + dice.choice(HOSTILE)))
        else:
            container[key] = any_value(dice)
        root = [root[0]]
    return root[0]


#: Keys whose values can mostly change without invalidating a project.
FREE = {"title", "description", "comment", "items", "warmup_items", "seed", "timeout_s", "value", "chunk_items",
        "repeat", "pipes", "constant", "a", "b", "taps", "decimation", "path", "amplitude", "frequency", "phase",
        "offset", "rate", "max_copy", "probe_granularity", "workers", "repetitions"}


def changed_value(value: object, dice: random.Random, times: int) -> object:
    """Return a copy with other texts and numbers where these may vary."""
    copy = clone(value)
    found = [(container, key) for container, key in places(copy) if key in FREE]
    for container, key in dice.sample(found, min(times, len(found))):
        old = container[key]
        if isinstance(old, str):
            container[key] = dice.choice((dice.choice(HOSTILE), old + dice.choice(HOSTILE)))
        elif isinstance(old, list):
            container[key] = [dice.choice(NUMBERS) for _ in range(dice.randint(1, 4))]
        else:
            container[key] = dice.choice((dice.randint(1, 9), dice.choice(NUMBERS), {"expr": str(dice.randint(1, 99))}))
    return copy


def text_of(value: object, dice: random.Random) -> bytes:
    """Return JSON text in one of its possible forms."""
    indent = dice.choice((None, None, 2))
    return json.dumps(_string_keys(value), ensure_ascii=dice.random() < 0.7, indent=indent).encode(
        "utf-8", dice.choice(("surrogatepass", "backslashreplace")))


def _string_keys(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _string_keys(child) for key, child in value.items()}
    return [_string_keys(child) for child in value] if isinstance(value, list) else value


def mutated_bytes(data: bytes, dice: random.Random, times: int) -> bytes:
    for _ in range(times):
        at = dice.randint(0, len(data))
        end = min(len(data), at + dice.choice((0, 1, 1, 2, 5, 20)))
        change = dice.randrange(5)
        if change == 0:
            data = data[:at] + data[end:]
        elif change == 1:
            data = data[:at] + dice.choice(PIECES) + data[end:]
        elif change == 2:
            data = data[:at] + bytes((dice.randrange(256),)) + data[end:]
        elif change == 3:
            data = data[:at] + data[at:end] * dice.choice((2, 3, 50)) + data[end:]
        else:
            other = dice.randint(0, len(data))
            data = data[:at] + data[other:other + 20] + data[end:]
    return data
