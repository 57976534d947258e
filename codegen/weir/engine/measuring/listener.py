"""Messages and progress that a caller receives while its runs are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.engine.measuring.latency import PairSamples
    from weir.engine.measuring.runnable import Finished


@dataclass(frozen=True)
class Listener:
    """Callbacks of a caller.

    `say` gets lines for people, `progress` objects of `--progress=json`, `samples` every latency of a run.
    """

    say: Callable[[str], None]
    progress: Callable[[dict], None] | None = None
    finished: Callable[[Finished], None] = lambda finished: None
    samples: Callable[[Sequence[PairSamples]], None] = lambda pairs: None
    heard: set[str] = field(default_factory=set, init=False, repr=False)

    def once(self, line: str) -> None:
        """Say a line, unless an earlier run already said it."""
        if line not in self.heard:
            self.heard.add(line)
            self.say(line)

    def phase(self, name: str, done: int = 0, total: int | None = None, run_id: str | None = None,
              deployment: str | None = None) -> None:
        """Report that a phase began, or its progress."""
        if self.progress:
            self.progress({"phase": name, "done": done, "total": total, "eta_s": None, "run_id": run_id,
                           "items_per_s": None, "deployment": deployment})

    def step(self, deployment: str, what: str) -> None:
        """Report a step before the run, such as compiling."""
        if self.progress:
            self.phase(what, 0, 1, deployment=deployment)
        else:
            self.say(f"{deployment}: {what}")

    def runs(self, deployment: str, run_id: str) -> None:
        """Report that the program runs; from now on it reports its own progress."""
        self.phase("run", run_id=run_id, deployment=deployment)
        if not self.progress:
            self.say(f"{deployment}: running")

    def waits(self) -> None:
        """Report that another run is measuring."""
        self.phase("waiting")
        self.say("another run is measuring on this machine; waiting for it to end")
