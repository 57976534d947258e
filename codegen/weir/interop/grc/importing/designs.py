"""What taps were designed from: the design that a project keeps beside them."""

from __future__ import annotations

from weir.interop.grc.expressions.evaluation import designer
from weir.interop.grc.expressions.parsing import Node, NotUnderstood
from weir.interop.grc.expressions.taps import ARGUMENTS, bound, design_of
from weir.interop.grc.expressions.values import Values
from weir.model.designing.design import FIELDS


def design_from(node: Node, values: Values) -> dict[str, object] | None:
    """Of taps that come from a function of `firdes`, at once or by variables; None for others."""
    try:
        while node.kind == "name" and str(node.value) in values.names.texts:
            node = values.names.node(str(node.value))
        function = designer(node)
        if function not in ARGUMENTS:
            return None
        nodes = bound(function, node.children, dict(node.keywords))
        given = {key: values.names.evaluate(child) for key, child in nodes.items()}
        entry = design_of(function, given).as_json()
        for key in FIELDS.keys() & entry.keys() & given.keys():
            entry[key] = values.number(nodes[key], given[key], "i64" if key == "number_of_taps" else "f64")
    except (NotUnderstood, ValueError, TypeError):
        return None
    if entry["gain"] == 1:
        del entry["gain"]
    return entry
