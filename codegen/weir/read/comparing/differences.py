"""Differences of two runs in project, plan, request, sources, binary and environment, by JSON Pointer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import pointer
from weir.engine.measuring.run_directory import StoredRun
from weir.read.comparing.documents import deployment, isolation, plan, project

_MISSING = object()
#: Files of a generated project that only repeat the project and the plan.
_REPEATED = ("README.md", "plan.json", "project.json")
#: Fields of an environment that differ in every run.
_FLEETING = ("load", "runnable", "steal", "other_programs")
#: JSON Pointers at which a difference changes the amount or kind of work. Parameters are a separate part; those of a
#: scheduler change no item.
_WORK = ("/graph", "/run/items", "/run/warmup_items", "/run/seed", "/items")


@dataclass(frozen=True)
class Difference:
    """Difference at a JSON Pointer. `has_a`, `has_b`: whether the side has a value; `where`: the pointer in words."""

    part: str
    pointer: str
    a: object
    b: object
    has_a: bool = True
    has_b: bool = True
    where: str = ""

    @property
    def says(self) -> tuple[str, str]:
        """Return the two values in words."""
        lacks = ("unknown" if self.part == "environment" else
                 "none" if isinstance(self.a, Mapping) or isinstance(self.b, Mapping) else NOT_SET)
        a, b = (lacks if value is None else words_of(value) for value in (self.a, self.b))
        return a, b

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain JSON values."""
        return {"part": self.part, "pointer": self.pointer, "where": self.where,
                **({"a": self.a} if self.has_a else {}), **({"b": self.b} if self.has_b else {}),
                "says_a": self.says[0], "says_b": self.says[1]}

    @property
    def changes_items(self) -> bool:
        """Return whether only the number of items differs, which a comparison reports separately."""
        return (self.part, self.pointer) in (("project", "/run/items"), ("request", "/items"))

    @property
    def changes_work(self) -> bool:
        """Return whether the difference changes the result of the computation, not only its execution."""
        if self.part == "parameters":
            return not self.pointer.startswith("/scheduler.")
        return self.part in ("project", "request") and any(
            self.pointer == w or self.pointer.startswith(w + "/") for w in _WORK)


def differences(a: StoredRun, b: StoredRun) -> list[Difference]:
    """Return the differences of all parts, the most likely causes first."""
    found = []
    for part, of in (("project", _undeployed), ("parameters", lambda run: run.results["parameters"]),
                     ("request", _request), ("deployment", deployment),
                     ("plan", _planned), ("sources", _sources),
                     ("binary", lambda run: {"hash": run.results["binary_hash"]}), ("environment", _environment)):
        one, other = of(a), of(b)
        if part == "plan" and not (one and other):
            continue  # a side without a plan has nothing to compare
        found += [Difference(part, place, None if x is _MISSING else x, None if y is _MISSING else y,
                             x is not _MISSING, y is not _MISSING,
                             # If A lacks the value, the pointer refers to B: A may have another entry at that index.
                             place_of(part, place, *((other, one) if x is _MISSING else (one, other))))
                  for place, x, y in json_diff(one, other)]
    return found


def json_diff(a: object, b: object, place: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield (pointer, value in a, value in b) of every leaf that differs; _MISSING means that a side has no value.

    Entries of lists match by their id, name or instance; the pointer refers to `a`, or to `b` if `a` lacks the entry.
    An object that only one side has yields each field; a list entry that only one side has yields one difference.
    """
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            x, y = a.get(key, _MISSING), b.get(key, _MISSING)
            yield from json_diff(_beside(x, y), _beside(y, x), place + pointer(key))
    elif isinstance(a, list) and isinstance(b, list):
        identity = next((key for key in IDENTITIES if _identifies(key, a) and _identifies(key, b)), None)
        if identity and (a or b):
            in_a, in_b = ({entry[identity]: (i, entry) for i, entry in enumerate(side)} for side in (a, b))
            for name in dict.fromkeys([*in_a, *in_b]):
                index = (in_a.get(name) or in_b[name])[0]
                yield from json_diff(in_a.get(name, (0, _MISSING))[1], in_b.get(name, (0, _MISSING))[1],
                                     place + pointer(index))
        elif len(a) == len(b) and any(isinstance(entry, (list, Mapping)) for entry in a):
            for i, (x, y) in enumerate(zip(a, b)):
                yield from json_diff(x, y, place + pointer(i))
        elif a != b:
            yield place, a, b
    elif type(a) is not type(b) or a != b:
        # 1 and 1.0 are one number; True and 1 are not.
        if not (a == b and isinstance(a, (int, float)) and isinstance(b, (int, float))
                and not isinstance(a, bool) and not isinstance(b, bool)):
            yield place, a, b


def _beside(value: object, other: object) -> object:
    return {} if value is _MISSING and isinstance(other, Mapping) and other else value


def _identifies(key: str, entries: list) -> bool:
    names = [entry.get(key) if isinstance(entry, Mapping) else None for entry in entries]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _undeployed(run: StoredRun) -> dict:
    """Return the project without deployments: the one that ran is a separate part, the others have no effect."""
    return {key: value for key, value in project(run).items() if key != "deployments"}


def _request(run: StoredRun) -> dict:
    request = run.run.get("request", {})
    return {"items": run.results["items"],  # the project's number unless the command line sets one
            **{key: request.get(key) for key in ("trace", "keep_trace", "catalog_paths")}}


def _planned(run: StoredRun) -> dict:
    """Return the plan without the parts that repeat the deployment."""
    return {key: value for key, value in plan(run).items() if key not in ("deployment", "scheduler")}


def _sources(run: StoredRun) -> dict:
    return {path: digest for path, digest in run.run.get("sources", {}).items() if path not in _REPEATED}


def _environment(run: StoredRun) -> dict:
    environment = {key: value for key, value in run.results["environment"].items() if key not in _FLEETING}
    return {**environment, "host": run.run["host"], "variables": run.run["environment"],
            "versions": run.run["versions"], "isolation": isolation(run)}


NOT_SET = "not set"
_HASH = re.compile("[0-9a-f]{64}")


def words_of(value: object) -> str:
    """Return a value in words: a worker by its blocks, a block by its type, other objects like `strategy contiguous`,
    and the first digits of a digest.
    """
    if value is None or value == "":
        return NOT_SET
    if isinstance(value, Mapping):
        shown = next((value[key] for key in ("instances", "type") if value.get(key)), None)
        # Fields that are not set are left out.
        fields = ", ".join(f"{key} {words_of(it)}" for key, it in value.items() if it not in (None, {}))
        return words_of(shown) if shown else fields or "nothing"
    if isinstance(value, list):
        return ", ".join(map(words_of, value)) or "none"
    if isinstance(value, str):
        return value[:8] if _HASH.fullmatch(value) else value
    return json.dumps(value)


#: Fields that identify the entries of a list.
IDENTITIES = ("id", "name", "instance")
#: The name of one entry of a list.
_ONE = {"blocks": "block", "deployments": "deployment", "groups": "group", "streams": "stream", "workers": "worker",
        "jobs": "job", "pairs": "pair", "hops": "hop", "connections": "connection"}


def place_of(part: str, place: str, *documents: object) -> str:
    """Return a JSON Pointer in words. `documents`: those of both sides; `place` points into one of them."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in place.split("/")[1:]]
    if part == "parameters":
        return _parameter(tokens)
    found = next((words for words in (_words(tokens, document) for document in documents) if words), tokens)
    return " · ".join(found) or part


def _parameter(tokens: list[str]) -> str:
    """Return a parameter in words: `gain.constant` is one of a block, others are of the project."""
    block, _, name = "/".join(tokens).rpartition(".")
    if not block:
        return f"parameter {name}"
    return f"scheduler · {name}" if block == "scheduler" else f"block {block} · {name}"


def _words(tokens: list[str], value: object) -> list[str]:
    """Return a pointer in words, [] if the document has no such place."""
    words: list[str] = []
    for token in tokens:
        if isinstance(value, list):
            if not token.isdigit() or int(token) >= len(value):
                return []
            value = value[int(token)]
            name = next((value[key] for key in IDENTITIES if isinstance(value, Mapping)
                         and isinstance(value.get(key), str)), str(int(token) + 1))
            words[-1:] = [f"{_ONE.get(kind, kind)} {name}" for kind in words[-1:]] or [name]
        elif isinstance(value, Mapping) and token in value:
            value = value[token]
            words.append(token)
        else:
            return []
    return _said(words)


def _said(words: list[str]) -> list[str]:
    """Drop keys that only hold others: `graph`, `parameters`, and `value` of a project parameter."""
    if words[:1] == ["parameters"] and len(words) > 1:
        rest = words[2:] if words[2:] != ["value"] else []
        return [f"parameter {words[1]}", *rest]
    rest = words[1:] if words[:1] == ["graph"] and len(words) > 1 else words
    return [word for i, word in enumerate(rest) if word != "parameters" or i == len(rest) - 1]
