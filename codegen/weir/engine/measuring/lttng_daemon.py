"""LTTng session daemon: sends commands, starts one if none runs, and cleans up after killed runs.

Weir stops only daemons that it started: the last run that uses one stops it. Before a run makes a session, it records
the session's name in the user's runtime folder. A daemon that it starts has that name in its environment. A guardian or
a later run can then find the session and the daemon.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from weir.files import lock_file
from weir.machine.processes import die_with_parent, identity, is_alive, runtime_folder

SESSION_PREFIX = "weir-"
DAEMON_MARK = "WEIR_SESSION_DAEMON"
COMMAND_TIMEOUT_S = 30.0
DAEMON_STOP_S = 5.0


class Unavailable(Exception):
    """LTTng is not available here; the message says why."""


def lttng(*arguments: str, xml: bool = False) -> str:
    """Run one command and never start a daemon. Raises Unavailable with the tool's own words if it fails."""
    command = ["lttng", "--no-sessiond", *(["--mi", "xml"] if xml else []), *arguments]
    try:
        # Use the current folder, because socket names must be short.
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=COMMAND_TIMEOUT_S,
                              stdin=subprocess.DEVNULL, cwd=_home_of_commands(),
                              env={**os.environ, "LC_ALL": "C", "LTTNG_HOME": "/proc/self/cwd"},
                              start_new_session=True, preexec_fn=die_with_parent)  # Ctrl-C must not reach it
    except FileNotFoundError:
        raise Unavailable("the command `lttng` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`lttng {arguments[0]}`: {error}") from None
    if done.returncode != 0:
        words = " ".join((done.stderr.strip() or done.stdout.strip()).split()) or f"exit code {done.returncode}"
        raise Unavailable(f"`lttng {arguments[0]}`: {words}")
    return done.stdout


def _home_of_commands() -> Path:
    """Return the folder in which the command stores its current session, to keep the user's ~/.lttngrc unchanged.

    The command also looks there for the daemon of a user other than root. Raises OSError.
    """
    theirs = _home_of_user()
    folder = runtime_folder() / "lttng-homes" / hashlib.sha256(os.fsencode(theirs)).hexdigest()[:16]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (folder / ".lttng").symlink_to(theirs / ".lttng")
    return folder


def _home_of_user() -> Path:
    return Path(os.path.abspath(os.environ.get("LTTNG_HOME") or os.path.expanduser("~")))


def elements(text: str, name: str) -> Iterable[ElementTree.Element]:
    """Return the elements of that name, in any namespace, which depends on LTTng's version."""
    return (e for e in ElementTree.fromstring(text).iter() if e.tag.rpartition("}")[2] == name)


def session_names() -> list[str]:
    """Return the sessions of the running daemon. Raises Unavailable if none runs."""
    return [name.text or "" for session in elements(lttng("list", xml=True), "session")
            for name in session if name.tag.rpartition("}")[2] == "name"]


def start_daemon(session: str) -> None:
    """Start this user's daemon. The session's name marks it, so that Weir finds it even if the start fails half-way."""
    try:
        done = subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=COMMAND_TIMEOUT_S, env={**os.environ, DAEMON_MARK: session},
                              start_new_session=True, preexec_fn=die_with_parent)
    except FileNotFoundError:
        raise Unavailable("no session daemon is running, and `lttng-sessiond` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"cannot start the session daemon: {error}") from None
    if done.returncode != 0:
        words = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise Unavailable(f"cannot start the session daemon: {words}")


def started_for(pid: int) -> str | None:
    """Return the session that Weir started this daemon for; None for any other process."""
    folder = Path("/proc") / str(pid)
    try:
        if (folder / "cmdline").read_bytes().partition(b"\0")[0].endswith(b"lttng-sessiond"):
            for entry in (folder / "environ").read_bytes().split(b"\0"):
                name, _, session = entry.decode(errors="replace").partition("=")
                if name == DAEMON_MARK:
                    return session
    except OSError:
        pass
    return None


def daemons_of(session: str) -> list[int]:
    """Return the processes of the daemon that was started for a session, [] if it has ended."""
    pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if started_for(pid) == session]


def daemon_folder() -> Path:
    """Return the folder of this user's daemon, with its sockets and its pid."""
    return Path("/run/lttng") if os.geteuid() == 0 else _home_of_user() / ".lttng"


def answering_daemon() -> int | None:
    """Return the pid that this user's daemon has registered, None if there is none."""
    try:
        return int((daemon_folder() / "lttng-sessiond.pid").read_text())
    except (OSError, ValueError):
        return None


def stop_daemon(session: str) -> None:
    """Stop the daemon started for a session, and the registered daemon if Weir started it for another session.

    Does nothing while another session exists: its owner stops the daemon later. The caller must hold `undisturbed`.
    """
    pids = set(daemons_of(session))
    try:
        if session_names():
            return
        answering = answering_daemon()
        if answering is not None and started_for(answering) is not None:
            pids.add(answering)
    except Unavailable:
        pass
    daemons = [identity(pid) for pid in pids]
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + DAEMON_STOP_S
    while any(map(is_alive, daemons)) and time.monotonic() < deadline:
        time.sleep(0.02)


def leave_daemon(session: str) -> None:
    """Call `stop_daemon` for a session that has ended, while no other run makes a session."""
    try:
        with undisturbed():
            stop_daemon(session)
    except OSError:
        pass  # no lock folder: an extra daemon is better than a run without one


def state_folder() -> Path:
    """Return the folder with the session records. Raises OSError."""
    folder = runtime_folder() / "lttng"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def clean_leftovers() -> list[str]:
    """Destroy the sessions of dead runs, and the daemons that only these used.

    Returns the names of the destroyed sessions.
    """
    with undisturbed():
        return clean_undisturbed()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold the lock for cleaning up and for making a session. Without it, a new daemon would look like a leftover.

    The lock is in the daemon's folder, because processes that share a daemon can have different runtime folders (root
    in a login and in a cron job). Two processes that start a daemon at once would get two, and one would not answer.
    """
    folder = daemon_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the daemon of root opens it to other users
    with lock_file(folder / "weir.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def clean_undisturbed() -> list[str]:
    """Do the work of `clean_leftovers`; the caller must hold `undisturbed`."""
    cleaned = []
    for path in sorted(state_folder().glob(f"{SESSION_PREFIX}*.json")):
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            state = {}
        if is_alive(state.get("owner")):
            continue
        try:
            lttng("destroy", path.stem)
            cleaned.append(path.stem)
        except Unavailable:
            pass  # the daemon has ended, or has no such session
        stop_daemon(path.stem)
        path.unlink(missing_ok=True)
    return cleaned
