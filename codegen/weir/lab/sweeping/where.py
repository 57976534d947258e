"""What the expressions of a sweep make of its points: which there are, and what its lines of reference are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.model.document.expressions import ExpressionError, Number, evaluate, holds
from weir.model.document.sweeps import CEILING, CPUS, is_number


@dataclass(frozen=True)
class Where:
    """Conditions of a project's sweep; `place`: where they stand in it; `cpus`: that there are."""

    texts: tuple[str, ...] = ()
    place: str = ""
    cpus: int = 1

    def holds(self, keys: Sequence[str], values: Sequence[Any]) -> bool:
        """At the point that has these values of these axes. WeirError where a condition cannot be evaluated there."""
        names = numbers_at(keys, values, self.cpus)
        for number, text in enumerate(self.texts):
            try:
                if not holds(text, names):
                    return False
            except ExpressionError as error:
                raise _fault(error, f"{self.place}/{number}", text, keys, values) from None
        return True


def numbers_at(keys: Sequence[str], values: Sequence[Any], cpus: int) -> dict[str, Number]:
    """What expressions know at a point."""
    return {CPUS: cpus, **{key: value for key, value in zip(keys, values) if is_number(value)}}


def reference_at(text: str, keys: Sequence[str], values: Sequence[Any], cpus: int, ceiling: float | None,
                 place: str = "") -> float:
    """A line of reference at a point. `ceiling`: in the unit of the figure, None where it shows no rate.

    WeirError, at `place`, where it cannot be evaluated there.
    """
    names: Mapping[str, Number] = {**({CEILING: ceiling} if ceiling is not None else {}),
                                   **numbers_at(keys, values, cpus)}
    try:
        return float(evaluate(text, names))
    except ExpressionError as error:
        raise _fault(error, place, text, keys, values) from None


def _fault(error: ExpressionError, place: str, text: str, keys: Sequence[str], values: Sequence[Any]) -> WeirError:
    at = ", ".join(f"{key}={value}" for key, value in zip(keys, values))
    return WeirError(diagnostic(error.code, place, f"`{text}` at {at}: {error.message}", error.hint))
