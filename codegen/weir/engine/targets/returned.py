"""Validate the results of a target's functions, and its constants, before Weir uses them.

Each entry takes a value and returns the validated one; `Unfit` describes the expected value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

from weir.engine.results_model import fill_in
from weir.engine.targets.interface import Program, Tools, Verdict
from weir.model.document.shape import check_shape


class Unfit(Exception):
    """A value is invalid; the message describes the expected value."""


def _texts(value: Any) -> bool:
    """Return whether the value is a list of texts that can be words of a command."""
    return isinstance(value, (list, tuple)) and all(isinstance(it, str) and "\0" not in it and _is_whole(it)
                                                    for it in value)


def _is_whole(text: str) -> bool:
    """Return whether the text can be encoded: it has no lone surrogates."""
    return not any(0xD800 <= ord(letter) < 0xE000 for letter in text)


def _want(fits: bool, what: str) -> None:
    if not fits:
        raise Unfit(what)


def _words(value: Any, *_: object) -> list[str]:
    _want(_texts(value) and len(value) > 0, "a list of words")
    return list(value)


def _names(value: Any, *_: object) -> Mapping[str, Any]:
    _want(isinstance(value, Mapping) and all(isinstance(name, str) for name in value), "a mapping of names")
    return value


def _functions(value: Any) -> Mapping[str, Any]:
    _want(isinstance(value, Mapping) and all(map(callable, value.values())), "a mapping of names to functions")
    return _names(value)


def _tools(value: Any, *_: object) -> Tools:
    _want(isinstance(value, Tools) and _texts((value.name, value.identity)) and _texts(value.words)
          and isinstance(value.paths, Mapping) and _texts([*value.paths, *value.paths.values(), value.runtime or ""]),
          "Tools(name, words, identity, paths) of texts")
    return value


def _program(value: Any, *_: object) -> Program:
    _want(isinstance(value, Program) and _texts(value.command) and len(value.command) > 0
          and isinstance(value.files, (list, tuple)) and len(value.files) > 0
          and all(isinstance(file, Path) for file in value.files) and isinstance(value.kernels, (Path, type(None))),
          "Program(command, files, kernels) of words and paths")
    return value


def _verdict(value: Any, *_: object) -> Verdict:
    kinds = get_args(get_type_hints(Verdict)["kind"])
    _want(isinstance(value, Verdict) and value.kind in kinds and _texts(value.said)
          and _texts([value.crashed_in]) and isinstance(value.errno, int) and 0 <= value.errno < 4096,
          f"Verdict(kind, said, crashed_in, errno), whose kind is one of {', '.join(kinds)}")
    return value


def _results(value: Any, *given: object) -> dict | None:
    """Return the results as JSON reads them back. Faults that the blank results also have are ignored."""
    if value is None:
        return None
    blank: Any = given[-1]
    _want(isinstance(value, dict), "an object of results.json, or None")
    try:
        made = json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise Unfit(f"what JSON can hold: {error}") from None
    fill_in(made)  # a target for an earlier version lacks new fields
    known = {(fault.pointer, fault.message) for fault in check_shape(blank(), "results")}
    for fault in check_shape(made, "results"):
        _want((fault.pointer, fault.message) in known, f"results.json: {fault.pointer}: {fault.message}")
    return made


def _path(value: Any, *_: object) -> Path:
    _want(isinstance(value, (str, Path)), "a path")
    return Path(value)


def _progress(value: Any, *_: object) -> dict | None:
    _want(value is None or isinstance(value, dict) and not check_shape(value, "progress"),
          "an object of --progress=json, or None")
    return value


def _anything(value: Any, *_: object) -> Any:
    return value


def _texts_alone(value: Any) -> Any:
    _want(_texts(value), "a list of texts")
    return value


def _file_name(value: Any) -> str:
    _want(isinstance(value, str) and value not in ("", ".", "..") and not set(value) & {"/", "\0"}, "a file's name")
    return value


#: File of the folder -> validators of its functions, which take the result and the function's arguments.
FUNCTIONS: Mapping[str, Mapping[str, Callable[..., object]]] = {
    "view": {"context": _names},
    "toolchain": {"find": _tools, "build": _anything, "program": _program},
    "protocol": {"command": _words, "verdict": _verdict, "results": _results, "tapped": _path, "progress": _progress,
                 "as_run": _names},
}
#: File of the folder -> validators of its constants, which are all optional.
CONSTANTS: Mapping[str, Mapping[str, Callable[[object], object]]] = {
    "view": {"FILTERS": _functions}, "toolchain": {"MADE_ANEW": _names, "REFUSED": _texts_alone},
    "protocol": {"EVENTS": _file_name},
}
