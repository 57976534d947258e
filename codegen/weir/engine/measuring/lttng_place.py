"""A place in the session daemon: a session that is noted on disk, guarded, and gone afterwards whatever happens."""

from __future__ import annotations

import json
import secrets
import shutil
from pathlib import Path

from weir.engine.measuring.guardian import Guardian
from weir.engine.measuring.lttng_daemon import (
    SESSION_PREFIX,
    Unavailable,
    clean_undisturbed,
    leave_daemon,
    lttng,
    session_names,
    start_daemon,
    state_folder,
    undisturbed,
)
from weir.machine.processes import identity


class GuardedSession:
    """A session from `enter` to `leave`. The daemon is started where there is none, and stopped by the last to leave.

    Before it is created, its owner is written down; a guardian, or else a later run, ends it where the owner has gone.
    """

    def __init__(self, name: str, *how: str):
        """`how`: options of `lttng create`."""
        self.name = name
        self._how = how
        self._note: Path | None = None
        self._created = False
        self._guardian = Guardian()

    def enter(self) -> None:
        """Unavailable, also where nothing can be noted; then, too, it is to be left."""
        try:
            with undisturbed():
                clean_undisturbed()
                self._note = state_folder() / f"{self.name}.json"
                self._guardian.start()
                self._note.write_text(json.dumps({"owner": identity()}), encoding="utf-8")
                self._create()
        except OSError as error:
            raise Unavailable(f"no folder to note the session in: {error}") from None

    def _create(self) -> None:
        try:
            session_names()
        except Unavailable:
            if shutil.which("lttng") is None:
                raise
            start_daemon(self.name)
        self._created = True  # as far as we know: what became of a command that did not answer is the daemon's secret
        lttng("create", self.name, *self._how)

    def leave(self, wait: bool = True) -> None:
        """`wait`: until what it records is on the disk."""
        if self._created:
            self._created = False
            try:
                lttng("destroy", *([] if wait else ["--no-wait"]), self.name)
            except Unavailable:
                pass  # the daemon has gone, and its sessions with it
        if self._note:
            leave_daemon(self.name)
            self._note.unlink(missing_ok=True)
            self._note = None
        self._guardian.dismiss()

    def hand_over(self) -> None:
        """As `leave`, but nobody waits: the guardian does it, as if we had gone. The daemon takes half a second to end.
        """
        try:
            if self._note:
                self._note.write_text(json.dumps({"owner": None}), encoding="utf-8")
            if self._guardian.take_over():
                return
        except OSError:
            pass
        self.leave(wait=False)


class WaitingSession(GuardedSession):
    """One that records nothing. While it is entered the daemon stays, and its consumer, which takes longer to start."""

    def __init__(self) -> None:
        super().__init__(f"{SESSION_PREFIX}waiting-{secrets.token_hex(4)}", "--no-output")

    def enter(self) -> None:
        """Starts the session with a channel that records nothing."""
        super().enter()
        lttng("enable-channel", "--userspace", f"--session={self.name}", "--subbuf-size=4096", "--num-subbuf=2",
              "waiting")
