"""Translation of expressions between flowgraphs and projects."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import cast

from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.expressions.parsing import Node, NotUnderstood
from weir.model.document import expressions as ours

_TIGHTNESS = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 4}
_UNARY_TIGHTNESS, _ATOM = 3, 5
_SAME = {"abs": "abs", "min": "min", "max": "max", "math.floor": "floor", "math.ceil": "ceil", "math.sqrt": "sqrt",
         "math.log2": "log2", "np.floor": "floor", "np.ceil": "ceil", "np.sqrt": "sqrt"}


def to_project(node: Node, names: Namespace, renamed: Mapping[str, str]) -> str | None:
    """Return the text of a project's expression with the same value, None if there is none.

    `renamed`: variables that are parameters of the project, with their names there.
    """
    try:
        return _spell(node, names, renamed)[0]
    except (NotUnderstood, RecursionError):
        return None


def _spell(node: Node, names: Namespace, renamed: Mapping[str, str]) -> tuple[str, int]:
    if node.kind == "value":
        return _literal(node.value)
    if node.kind == "name":
        name = str(node.value)
        if name in renamed:
            return renamed[name], _ATOM
        if name not in names.texts:
            return _literal(names.evaluate(node))  # math.pi
    elif node.kind == "unary" and node.value in ("+", "-"):
        return f"{node.value}{_inside(node.children[0], _UNARY_TIGHTNESS, names, renamed)}", _UNARY_TIGHTNESS
    elif node.kind == "binary" and node.value in _TIGHTNESS:
        tight = _TIGHTNESS[str(node.value)]
        left, right = (tight + 1, _UNARY_TIGHTNESS) if node.value == "**" else (tight, tight + 1)
        a, b = (_inside(child, t, names, renamed) for child, t in zip(node.children, (left, right)))
        return f"{a} {node.value} {b}", tight
    elif node.kind == "call" and not node.keywords:
        return _call(node, names, renamed)
    raise NotUnderstood("a project cannot express it")


def _inside(node: Node, tight: int, names: Namespace, renamed: Mapping[str, str]) -> str:
    text, own = _spell(node, names, renamed)
    return text if own >= tight else f"({text})"


def _literal(value: object) -> tuple[str, int]:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise NotUnderstood("not a number")
    return repr(value), _ATOM


def _call(node: Node, names: Namespace, renamed: Mapping[str, str]) -> tuple[str, int]:
    name, inner = str(node.value), node.children
    if name == "float" and len(inner) == 1:
        return _spell(inner[0], names, renamed)
    if name == "int" and len(inner) == 1:
        name = "math.floor" if cast(float, names.evaluate(inner[0])) >= 0 else "math.ceil"
    if name not in _SAME:
        raise NotUnderstood(f"projects have no function {name}()")
    return f"{_SAME[name]}({', '.join(_inside(child, 0, names, renamed) for child in inner)})", _ATOM


# The other direction: a project's expression in Python.

_PIECE = re.compile(r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
                    r"(?: ?(?P<suffix>[pnuµμmkMGT])(?![A-Za-z0-9_]))?|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|.", re.DOTALL)
_PYTHON = {"floor": "math.floor", "ceil": "math.ceil", "sqrt": "math.sqrt", "log2": "math.log2"}


def to_python(text: str, renamed: Mapping[str, str]) -> tuple[str, bool]:
    """Return a project's expression as Python text, and whether it needs `import math`.

    `renamed`: names of the project's parameters in the flowgraph.
    """
    needs_math = False
    pieces = []
    for match in _PIECE.finditer(text):
        if match["suffix"]:
            pieces.append(repr(ours.evaluate(match[0])))
        elif match["name"]:
            word = match["name"]
            function = text[match.end():].lstrip()[:1] == "("
            needs_math |= function and word in _PYTHON
            pieces.append(_PYTHON.get(word, word) if function else renamed.get(word, word))
        else:
            pieces.append(match[0])
    return "".join(pieces).strip(), needs_math
