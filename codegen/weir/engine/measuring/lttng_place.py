"""LTTng session that is recorded on disk, guarded, and always removed at the end."""

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
    """A session from `enter` to `leave`. Starts the daemon if none runs; the last session to leave stops it.

    It records its owner before it is created. If the owner dies, a guardian or a later run ends the session.
    """

    def __init__(self, name: str, *how: str):
        """Take the session's name and options of `lttng create`."""
        self.name = name
        self._how = how
        self._note: Path | None = None
        self._created = False
        self._guardian = Guardian()

    def enter(self) -> None:
        """Create the session. Raises Unavailable, also if its record cannot be written. Call `leave` even then."""
        try:
            with undisturbed():
                clean_undisturbed()
                self._note = state_folder() / f"{self.name}.json"
                self._guardian.start()
                self._note.write_text(json.dumps({"owner": identity()}), encoding="utf-8")
                self._create()
        except OSError as error:
            raise Unavailable(f"cannot record the session on disk: {error}") from None

    def _create(self) -> None:
        try:
            session_names()
        except Unavailable:
            if shutil.which("lttng") is None:
                raise
            start_daemon(self.name)
        self._created = True  # assume so: a command that timed out may have succeeded
        lttng("create", self.name, *self._how)

    def leave(self, wait: bool = True) -> None:
        """End the session. With `wait`, return when the trace is on the disk."""
        if self._created:
            self._created = False
            try:
                lttng("destroy", *([] if wait else ["--no-wait"]), self.name)
            except Unavailable:
                pass  # the daemon has ended, and its sessions with it
        if self._note:
            leave_daemon(self.name)
            self._note.unlink(missing_ok=True)
            self._note = None
        self._guardian.dismiss()

    def hand_over(self) -> None:
        """End the session without waiting: the guardian does it, because the daemon takes half a second to end."""
        try:
            if self._note:
                self._note.write_text(json.dumps({"owner": None}), encoding="utf-8")
            if self._guardian.take_over():
                return
        except OSError:
            pass
        self.leave(wait=False)


class WaitingSession(GuardedSession):
    """A session that records nothing. While entered, it keeps the daemon and its consumer, which start slowly."""

    def __init__(self) -> None:
        super().__init__(f"{SESSION_PREFIX}waiting-{secrets.token_hex(4)}", "--no-output")

    def enter(self) -> None:
        """Start the session with a channel that records nothing."""
        super().enter()
        lttng("enable-channel", "--userspace", f"--session={self.name}", "--subbuf-size=4096", "--num-subbuf=2",
              "waiting")
