"""What a caller hears of its runs while they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.engine.measuring.latency import PairSamples
    from weir.engine.measuring.runnable import Finished


@dataclass(frozen=True)
class Listener:
    """What a caller wants to hear. `say` gets lines for people, `progress` objects of `--progress=json`, `samples`
    every latency of a run.
    """

    say: Callable[[str], None]
    progress: Callable[[dict], None] | None = None
    finished: Callable[[Finished], None] = lambda finished: None
    samples: Callable[[Sequence[PairSamples]], None] = lambda pairs: None
    heard: set[str] = field(default_factory=set, init=False, repr=False)

    def once(self, line: str) -> None:
        """For people, of all runs: what is the same for many of them is said of the first."""
        if line not in self.heard:
            self.heard.add(line)
            self.say(line)

    def phase(self, name: str, done: int = 0, total: int | None = None, run_id: str | None = None,
              deployment: str | None = None) -> None:
        """Tells that a phase began, or how far it is."""
        if self.progress:
            self.progress({"phase": name, "done": done, "total": total, "eta_s": None, "run_id": run_id,
                           "items_per_s": None, "deployment": deployment})

    def step(self, deployment: str, what: str) -> None:
        """A step on the way to a binary."""
        if self.progress:
            self.phase(what, 0, 1, deployment=deployment)
        else:
            self.say(f"{deployment}: {what}")

    def runs(self, deployment: str, run_id: str) -> None:
        """From here on it is run; how far it is, the program says itself."""
        self.phase("run", run_id=run_id, deployment=deployment)
        if not self.progress:
            self.say(f"{deployment}: running")

    def waits(self) -> None:
        """Tells that another run is measuring."""
        self.phase("waiting")
        self.say("another run is measuring on this machine; waiting for it to end")
