"""Python text for the values of a project, which GNU Radio evaluates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weir.interop.grc.expressions.spelling import to_python
from weir.model.document import expressions as ours
from weir.model.document.values import is_expression


@dataclass
class Spelling:
    """Converter of values to Python text. `renamed`: names of the project's parameters in the flowgraph. `numbers`:
    their values. `needs_math` becomes true when a text needs the module `math`.
    """

    renamed: Mapping[str, str]
    numbers: Mapping[str, int | float]
    run_items: object = 0
    needs_math: bool = field(default=False)

    def text(self, value: Any) -> str:
        """Return a parameter's value as Python text."""
        if is_expression(value):
            return self.expression(value["expr"])
        if isinstance(value, tuple):  # a complex number
            return f"complex({self.text(value[0])}, {self.text(value[1])})"
        if isinstance(value, list):
            return "[" + ", ".join(self.text(v) for v in value) + "]"
        if value is None:
            return "0"
        return str(value) if isinstance(value, (bool, str)) else repr(value)

    def inside(self, value: Any) -> str:
        """Return the text for use within an expression, in parentheses if needed."""
        text = self.text(value)
        return text if re.fullmatch(r"[\w.]+", text) else f"({text})"

    def expression(self, text: str) -> str:
        """Return an expression of Weir as Python text."""
        # round() of a half rounds away from zero in Weir, but to the even number in Python.
        if re.search(r"\bround\s*\(", text):
            try:
                return repr(ours.evaluate(text, self.numbers))
            except ours.ExpressionError:
                pass
        try:
            spelled, needs_math = to_python(text, self.renamed)
        except ours.ExpressionError:
            return text
        self.needs_math |= needs_math
        return spelled
