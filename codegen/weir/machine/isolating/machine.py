"""CPUs, tasks, interrupts and settings of a machine through its files, below `/` or a recorded folder."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.model.planning.topology import parse_list

CPUS = "sys/devices/system/cpu"
#: Flag of a kernel thread that is bound to its CPU (PF_NO_SETAFFINITY, include/linux/sched.h).
_NO_SETAFFINITY = 0x04000000
_ANSWER_S = 30.0


@dataclass(frozen=True)
class Task:
    """Thread. `start`: in clock ticks since boot; `bound`: Linux lets no program move it."""

    tid: int
    process: int
    start: int
    parent: int
    name: str
    bound: bool


@dataclass(frozen=True)
class Machine:
    """Machine whose paths are relative to `root`. All methods that read or write raise OSError."""

    root: Path = Path("/")

    def text(self, path: str) -> str:
        """Return the content of a file without surrounding blanks."""
        return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()

    def has(self, path: str) -> bool:
        """Return whether a path exists."""
        return (self.root / path).exists()

    def names(self, path: str, pattern: str) -> list[str]:
        """Return the names in a folder that match a pattern."""
        return sorted(found.name for found in (self.root / path).glob(pattern))

    def write(self, path: str, text: str) -> None:
        """Write in one call, as Linux's files require. Never create a file."""
        file = os.open(self.root / path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)

    def make_group(self, path: str) -> None:
        """Make a control group. Raises OSError."""
        (self.root / path).mkdir(mode=0o755)

    def remove_group(self, path: str) -> None:
        """Remove a control group. Raises OSError."""
        (self.root / path).rmdir()

    def call(self, *words: str) -> str:
        """Return the output of a program."""
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=_ANSWER_S,
                                  stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
        except subprocess.TimeoutExpired:
            raise OSError(0, f"{words[0]} does not answer") from None
        if done.returncode:
            raise OSError(0, (done.stderr.strip().splitlines() or [f"{words[0]} fails"])[-1])
        return done.stdout.strip()

    def online(self) -> frozenset[int]:
        """Return the CPUs that are online."""
        return parse_list(self.text(f"{CPUS}/online"))

    def isolated(self) -> frozenset[int]:
        """Return the CPUs isolated at boot."""
        try:
            return parse_list(self.text(f"{CPUS}/isolated").replace("(null)", ""))
        except OSError:
            return frozenset()

    def siblings(self, cpu: int) -> frozenset[int]:
        """Return the other online threads of the CPU's core."""
        try:
            return (parse_list(self.text(f"{CPUS}/cpu{cpu}/topology/thread_siblings_list")) & self.online()) - {cpu}
        except OSError:
            return frozenset()

    def processes(self) -> list[int]:
        """Return all processes. A subclass may return fewer."""
        return [int(name) for name in self.names("proc", "[0-9]*")]

    def interrupts(self) -> list[int]:
        """Return all interrupts. A subclass may return fewer."""
        return sorted(int(name) for name in self.names("proc/irq", "[0-9]*"))

    def tasks(self) -> Iterator[Task]:
        """Yield the threads of `processes` that still run."""
        for pid in self.processes():
            for name in self.names(f"proc/{pid}/task", "[0-9]*"):
                task = self.task(int(name), pid)
                if task is not None:
                    yield task

    def task(self, tid: int, process: int = 0) -> Task | None:
        """Return a thread of a process, None if it has ended."""
        try:
            text = self.text(f"proc/{tid}/stat")
        except OSError:
            return None
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        if fields[0] in ("Z", "X"):
            return None
        return Task(tid, process or tid, int(fields[19]), int(fields[1]), name, bool(int(fields[6]) & _NO_SETAFFINITY))

    def affinity(self, tid: int) -> frozenset[int]:
        """Return the CPUs that a task may run on."""
        line = next((line for line in self.text(f"proc/{tid}/status").splitlines()
                     if line.startswith("Cpus_allowed_list:")), "")
        return parse_list(line.partition(":")[2])

    def set_affinity(self, tid: int, cpus: frozenset[int]) -> None:
        """Set the CPUs that a task may run on. Raises OSError."""
        os.sched_setaffinity(tid, cpus)

    def end(self, pid: int) -> None:
        """Kill a process. It may have ended already."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

