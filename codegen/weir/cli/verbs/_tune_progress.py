"""How far a search for deployments is: lines for people, or objects of `--progress=json`."""

from __future__ import annotations

import time
from dataclasses import dataclass

from weir.cli.verbs import say
from weir.engine.measuring.child import emit_progress

#: Seconds between one line about the same and the next.
QUIET_S = 10.0


@dataclass
class SearchProgress:
    """Says how far the search is, with what of the budget is left. `end`: by the monotonic clock, None until then."""

    budget_s: float
    as_json: bool
    end: float | None = None
    _said: tuple[str, float] = ("", 0.0)
    _at: tuple[str, int, int | None, int | None] = ("", 0, None, None)

    def __call__(self, what: str, done: int, total: int | None, left: int | None = None) -> None:
        self._at = what, done, total, left
        if self.as_json:
            self._emit(None)
        elif what != self._said[0] or time.monotonic() - self._said[1] > QUIET_S:
            self._said = what, time.monotonic()
            say(f"{what}, {self._left_s():.0f} s left" if self.end is not None else what)

    def begins(self, name: str) -> None:
        """A run of this candidate; the outcomes of a round come when all of it was run."""
        if self.as_json:
            self._emit(name)
            what, done, total, left = self._at
            self._at = what, done + 1, total, left

    def _left_s(self) -> float:
        return self.budget_s if self.end is None else max(0.0, self.end - time.monotonic())

    def _emit(self, deployment: str | None) -> None:
        what, done, total, left = self._at
        emit_progress({"phase": what, "done": done, "total": total, "eta_s": round(self._left_s(), 1), "run_id": None,
                       "items_per_s": None, "deployment": deployment, **({} if left is None else {"left": left})})
