"""The session daemon: commands to it, one of our own where there is none, and what killed runs left in it.

Weir stops only what it started: whichever of its runs is the last in such a daemon stops it. Which session a run makes
is written down beforehand, in the user's runtime folder, and the daemon that it starts carries that session's name: a
guardian, or else a later run, finds both.
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
    """LTTng cannot be used here; the message says why."""


def lttng(*arguments: str, xml: bool = False) -> str:
    """Runs one command without ever starting a daemon. Unavailable with the tool's own words where it fails."""
    command = ["lttng", "--no-sessiond", *(["--mi", "xml"] if xml else []), *arguments]
    try:
        # By way of the current folder: the name of a socket has to be short.
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=COMMAND_TIMEOUT_S,
                              stdin=subprocess.DEVNULL, cwd=_home_of_commands(),
                              env={**os.environ, "LC_ALL": "C", "LTTNG_HOME": "/proc/self/cwd"},
                              start_new_session=True, preexec_fn=die_with_parent)  # Ctrl-C is not for it
    except FileNotFoundError:
        raise Unavailable("the command `lttng` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`lttng {arguments[0]}`: {error}") from None
    if done.returncode != 0:
        words = " ".join((done.stderr.strip() or done.stdout.strip()).split()) or f"exit code {done.returncode}"
        raise Unavailable(f"`lttng {arguments[0]}`: {words}")
    return done.stdout


def _home_of_commands() -> Path:
    """Where the command notes which session is the current one: in ~/.lttngrc that is the user's own choice.

    It looks there for the daemon of who is not root, too. OSError.
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
    """Elements of that name, whatever the namespace of this LTTng's version is."""
    return (e for e in ElementTree.fromstring(text).iter() if e.tag.rpartition("}")[2] == name)


def session_names() -> list[str]:
    """Sessions of the daemon that answers. Unavailable when none does."""
    return [name.text or "" for session in elements(lttng("list", xml=True), "session")
            for name in session if name.tag.rpartition("}")[2] == "name"]


def start_daemon(session: str) -> None:
    """Starts this user's daemon. It carries the session's name, by which it is found however far it got."""
    try:
        done = subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=COMMAND_TIMEOUT_S, env={**os.environ, DAEMON_MARK: session},
                              start_new_session=True, preexec_fn=die_with_parent)
    except FileNotFoundError:
        raise Unavailable("there is no session daemon, and `lttng-sessiond` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"the session daemon does not start: {error}") from None
    if done.returncode != 0:
        words = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise Unavailable(f"the session daemon does not start: {words}")


def started_for(pid: int) -> str | None:
    """The session that Weir started this daemon for; None for any other process."""
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
    """The processes of the daemon that was started for a session, none where it has gone."""
    pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if started_for(pid) == session]


def daemon_folder() -> Path:
    """The folder of this user's daemon: its sockets and its process's number are there."""
    return Path("/run/lttng") if os.geteuid() == 0 else _home_of_user() / ".lttng"


def answering_daemon() -> int | None:
    """The process that calls itself this user's daemon."""
    try:
        return int((daemon_folder() / "lttng-sessiond.pid").read_text())
    except (OSError, ValueError):
        return None


def stop_daemon(session: str) -> None:
    """Ends the daemon that was started for a session, and the one that answers where Weir started it for another.

    Not while anybody has a session in it: who is the last to leave stops it. For who is `undisturbed`.
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
    """`stop_daemon` for who has ended its session. No other run makes one meanwhile, in a daemon that is to end."""
    try:
        with undisturbed():
            stop_daemon(session)
    except OSError:
        pass  # the folder of the lock has gone: a daemon too many is better than a run without its daemon


def state_folder() -> Path:
    """Where the daemon keeps its state. OSError."""
    folder = runtime_folder() / "lttng"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def clean_leftovers() -> list[str]:
    """Destroys the sessions of runs that are gone, and the daemons that they alone used.

    Returns those sessions' names.
    """
    with undisturbed():
        return clean_undisturbed()


@contextmanager
def undisturbed() -> Iterator[None]:
    """One process at a time cleans up, or makes a session: a daemon that has none yet may be taken for a leftover.

    The lock lies beside the daemon. Processes that share the daemon can have different runtime folders (root in a login
    and in a cron job). Two of them that start it at once would get two daemons, of which one does not answer.
    """
    folder = daemon_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the daemon of root opens it to others
    with lock_file(folder / "weir.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def clean_undisturbed() -> list[str]:
    """`clean_leftovers` for who is `undisturbed` already."""
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
            pass  # the daemon has gone, or it had no such session
        stop_daemon(path.stem)
        path.unlink(missing_ok=True)
    return cleaned
