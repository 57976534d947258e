"""`--set`: values of the command line, written into the document before it is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, printable, resolve
from weir.model.document import jsontext
from weir.model.document.expressions import ExpressionError, evaluate
from weir.model.document.spelling import current_place
from weir.model.document.sweeps import OF_DEPLOYMENT, OF_RUN

#: Beginning of a place in every deployment.
OF_ALL = "/deployments/*/"


def apply_sets(document: dict, sets: Mapping[str, str]) -> list[Diagnostic]:
    """Change `document` in place: `name` sets a project parameter, `/json/pointer` any other value.

    A text is read as JSON if it is JSON. Otherwise, a parameter's text is an expression, and a pointer's text is a
    number with a suffix (2.4M) or plain text. Parameters of GNU Radio's blocks are always texts. `/deployments/*/…`
    sets a value of every deployment.
    """
    faults = []
    for key, text in sets.items():
        if not _is_utf8(key + text):  # Python decodes bytes that are not UTF-8 as lone surrogates
            faults.append(diagnostic("E_JSON_ENCODING", "", f"--set {printable(key)}: the text is not UTF-8"))
            continue
        if key.startswith("/"):
            for place in places_of(key, document):
                faults += _set_pointer(document, place, text)
        else:
            faults += _set_parameter(document, key, text)
    return faults


def places_of(path: str, document: Mapping[str, Any]) -> list[str]:
    """Return the JSON pointers of a `--set`: those of every deployment for `/deployments/*/…`, else itself."""
    deployments = document.get("deployments")
    if not path.startswith(OF_ALL) or not isinstance(deployments, list) or not deployments:
        return [path]
    return [f"/deployments/{number}/{path.removeprefix(OF_ALL)}" for number in range(len(deployments))]


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _set_parameter(document: dict, name: str, text: str) -> list[Diagnostic]:
    parameters = document.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    if not isinstance(parameters.get(name), dict):
        known = {**{key: f"/deployments/0/{place}" for key, place in OF_DEPLOYMENT.items()}, **OF_RUN}
        hint = (f"set an option by its JSON pointer: {known[name]}=…" if name in known else
                did_you_mean(name, parameters))
        return [diagnostic("E_SET_UNKNOWN", "", f"--set {name}: the project has no parameter `{name}`",
                           hint or "set any other value as /json/pointer=value")]
    value, problems = jsontext.read(text)
    parameters[name]["value"] = {"expr": text} if problems else value
    return []


def _set_pointer(document: dict, path: str, text: str) -> list[Diagnostic]:
    path = current_place(path)
    parent, _, last = path.rpartition("/")
    last = last.replace("~1", "/").replace("~0", "~")
    try:
        place = _owner(document, parent)
        if isinstance(place, list):
            resolve(document, path)
            at: int | str = int(last)
        elif isinstance(place, dict):
            at = last
        else:
            raise LookupError(path)
    except (LookupError, ValueError):
        return [diagnostic("E_SET_UNKNOWN", "", f"--set {path}: the document has nothing at this JSON pointer")]
    place[at] = _text(text) if _is_gnuradios(document, parent) else _value(text)
    return []


def _is_gnuradios(document: dict, path: str) -> bool:
    """Return whether a place is that of the parameters of a block of GNU Radio, which are texts."""
    block, _, key = path.rpartition("/")
    return bool(re.fullmatch(r"/graph/blocks/\d+", block)) and key == "parameters" and "gnuradio" in resolve(document,
                                                                                                             block)


def _text(text: str) -> str:
    value, _ = jsontext.read(text)
    return value if isinstance(value, str) else text


def _owner(document: dict, path: str) -> Any:
    """Return the object that contains the place. A missing object of a deployment, or `trace`, is created. Raises
    LookupError.
    """
    try:
        return resolve(document, path)
    except LookupError:
        above, _, key = path.rpartition("/")
        owner = resolve(document, above) if re.fullmatch(r"/deployments/\d+", above) or path == "/run/trace" else None
        if not isinstance(owner, dict) or key in owner:
            raise
        return owner.setdefault(key, {})


def _value(text: str) -> Any:
    value, problems = jsontext.read(text)
    if not problems:
        return value
    try:
        evaluate(text)
    except ExpressionError:
        return text
    return {"expr": text}
