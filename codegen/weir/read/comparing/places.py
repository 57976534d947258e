"""Where a difference is, in the words of who drew the graph: `block gain · constant` for a JSON Pointer."""

from __future__ import annotations

from collections.abc import Mapping

#: What tells the entries of a list apart.
IDENTITIES = ("id", "name", "instance")
#: The name of one entry of a list.
_ONE = {"blocks": "block", "deployments": "deployment", "groups": "group", "streams": "stream", "workers": "worker",
        "jobs": "job", "pairs": "pair", "hops": "hop", "connections": "connection"}


def place_of(part: str, place: str, *documents: object) -> str:
    """`place`: a JSON Pointer into one of `documents`, those of both sides."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in place.split("/")[1:]]
    if part == "parameters":
        return _parameter(tokens)
    found = next((words for words in (_words(tokens, document) for document in documents) if words), tokens)
    return " · ".join(found) or part


def _parameter(tokens: list[str]) -> str:
    """Of a block `gain.constant`, else of the project."""
    block, _, name = "/".join(tokens).rpartition(".")
    if not block:
        return f"parameter {name}"
    return f"scheduler · {name}" if block == "scheduler" else f"block {block} · {name}"


def _words(tokens: list[str], value: object) -> list[str]:
    """Empty where the document has no such place."""
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
    """Without the keys that only hold others: `graph`, `parameters`, and `value` of a parameter of the project."""
    if words[:1] == ["parameters"] and len(words) > 1:
        rest = words[2:] if words[2:] != ["value"] else []
        return [f"parameter {words[1]}", *rest]
    rest = words[1:] if words[:1] == ["graph"] and len(words) > 1 else words
    return [word for i, word in enumerate(rest) if word != "parameters" or i == len(rest) - 1]
