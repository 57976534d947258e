"""Machines whose CPUs can be isolated: the tests' own processes on this machine, and trees of other machines."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import keeps_to
from weir.machine.isolating import session
from weir.machine.isolating.machine import CPUS, Machine
from weir.machine.isolating.session import Record, choose, isolate
from weir.model.planning.topology import parse_list, write_list

KINDS = ("systemd", "cgroup2", "cgroup1", "none")
#: pid -> threads (tid -> CPUs) of a machine with 8 CPUs, two per core. 9 is bound to CPU 3.
TASKS = {1: {1: "0-7"}, 2: {2: "0-7"}, 9: {9: "3"}, 100: {100: "0-7", 101: "3", 102: "0-2"}, 200: {200: "3-4"},
         300: {300: "0"}}
BOUND = 0x04000000
_MOUNTS = {"systemd": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0", "cgroup2": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0",
           "cgroup1": "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
                      "none /sys/fs/cgroup/unified cgroup2 rw 0 0",
           "none": "tmpfs /run tmpfs rw 0 0"}
_GROUP_FILES = {"cgroup.procs": "", "cpuset.cpus": "", "cpuset.mems": "", "cpuset.cpus.partition": "member"}
_TIME_FILES = {"cgroup2": {"cgroup.procs": "", "cpu.max": "max 100000", "cpu.weight": "100",
                           "cpu.stat": "usage_usec 0\nthrottled_usec 2500000"},
               "cgroup1": {"cgroup.procs": "", "cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000",
                           "cpu.shares": "1024", "cpu.stat": "nr_throttled 5\nthrottled_time 2500000000"}}


@pytest.fixture
def groups_here() -> Iterator[Callable[[], set[str]]]:
    """List Weir's control groups on this machine. Tests that create groups take turns, since each sees all groups."""
    with open(Path(tempfile.gettempdir()) / f"weir-tests-groups-{os.geteuid()}", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield lambda: {str(path) for path in Path("/sys/fs/cgroup").glob("**/weir-*")}
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # closing is not enough: a forked child may also have the file open


@dataclass(frozen=True)
class Own(Machine):
    """This machine, restricted to these processes and interrupts."""

    pids: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    def processes(self) -> list[int]:
        return list(self.pids)

    def interrupts(self) -> list[int]:
        return list(self.numbers)


@dataclass(frozen=True)
class Recorded(Machine):
    """Tree that answers as the kernel and systemd do.

    `dies_after`: number of changes after which it dies by kill -9. `refuses`: beginning of a path, or `task`, `unit`,
    `group` -> error number.
    """

    dies_after: int = 0
    refuses: Mapping[str, int] = field(default_factory=dict)
    counted: list = field(default_factory=list)
    own: list = field(default_factory=list)

    def _changed(self) -> None:
        self.counted.append(1)
        if len(self.counted) == self.dies_after:
            os.kill(os.getpid(), signal.SIGKILL)

    def _may(self, what: str) -> None:
        for beginning, number in self.refuses.items():
            if what.startswith(beginning):
                raise OSError(number, os.strerror(number))

    def write(self, path: str, text: str) -> None:
        self._may(path)
        file = self.root / path
        said = file.read_text()
        if file.name == "cgroup.procs":
            for other in self.root.glob("sys/fs/cgroup/**/cgroup.procs"):
                other.write_text("".join(f"{pid}\n" for pid in other.read_text().split() if pid != text))
            file.write_text(file.read_text() + f"{text}\n")
        elif file.name == "cgroup.subtree_control":
            words = set(said.split()) - {text[1:]} | ({text[1:]} if text[0] == "+" else set())
            file.write_text(" ".join(sorted(words)) + "\n")
        else:
            file.write_text(text + "\n")
        self._changed()

    def make_group(self, path: str) -> None:
        self._may("group")
        super().make_group(path)
        time = _TIME_FILES["cgroup1" if "/cpu/" in path else "cgroup2"]
        for name, text in {**_GROUP_FILES, **time}.items():
            (self.root / path / name).write_text(text)
        self._changed()

    def remove_group(self, path: str) -> None:
        if (self.root / path / "cgroup.procs").read_text().split():
            raise OSError(16, "Device or resource busy")
        shutil.rmtree(self.root / path)
        self._changed()

    def end(self, pid: int) -> None:
        """End a process of the tests."""
        super().end(pid)
        for group in self.root.glob("sys/fs/cgroup/**/cgroup.procs"):
            group.write_text("".join(f"{one}\n" for one in group.read_text().split() if one != str(pid)))
        self._changed()

    def call(self, *words: str) -> str:
        unit = self.root / "units" / words[-1 if words[1] == "show" else -2]
        if words[1] == "show":
            return unit.read_text().strip() if unit.exists() else ""
        self._may("unit")
        assert words[:4] == ("systemctl", "--no-ask-password", "set-property", "--runtime")
        unit.write_text(words[-1].removeprefix("AllowedCPUs="))
        self._changed()
        return ""

    def affinity(self, tid: int) -> frozenset[int]:
        if tid == os.getpid():
            return self.own[-1] if self.own else frozenset(range(8))
        return super().affinity(tid)

    def set_affinity(self, tid: int, cpus: frozenset[int]) -> None:
        if tid == os.getpid():
            self.own.append(cpus)
            return
        self._may(f"task {tid}")
        assert cpus
        file = self.root / f"proc/{tid}/status"
        file.write_text(re.sub(r"(Cpus_allowed_list:\s+).*", rf"\g<1>{write_list(cpus)}", file.read_text()))
        self._changed()


@pytest.fixture(name="tmp_path")
def in_memory() -> Iterator[Path]:
    """Return a folder in memory if possible: trees change thousands of times, and journals are synced."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="weir-", dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


def add_process(root: Path, pid: int, threads: Mapping[int, str], parent: int = 1, start: int = 50,
                flags: int = 0) -> None:
    for tid, cpus in threads.items():
        for folder in {root / f"proc/{pid}/task/{tid}", root / f"proc/{tid}"}:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "stat").write_text(f"{tid} (a (b) {tid}) S {parent} 1 1 0 -1 {flags} {'0 ' * 12}{start} 0\n")
            (folder / "status").write_text(f"Name:\ta\nCpus_allowed:\tff\nCpus_allowed_list:\t{cpus}\n")


def recorded(root: Path, kind: str = "cgroup2", cpus: str = "0-7", siblings: int = 2) -> Recorded:
    """Return the tree of one machine. `siblings`: threads of a core."""
    def put(path: str, text: str) -> None:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    put(f"{CPUS}/online", cpus)
    put(f"{CPUS}/isolated", "")
    for cpu in sorted(parse_list(cpus)):
        first = cpu - cpu % siblings
        put(f"{CPUS}/cpu{cpu}/topology/thread_siblings_list", write_list(range(first, first + siblings)))
        put(f"{CPUS}/cpu{cpu}/cpufreq/scaling_governor", "schedutil" if cpu != 5 else "powersave")
        put(f"{CPUS}/cpu{cpu}/cpufreq/scaling_available_governors", "performance powersave schedutil")
    put("proc/irq/default_smp_affinity", "000000ff")
    for number, where in {5: "0-7", 6: "3", 7: "0-2", 33: "2-5"}.items():
        put(f"proc/irq/{number}/smp_affinity_list", where)
    for pid, threads in TASKS.items():
        add_process(root, pid, threads, flags=BOUND if pid == 9 else 0)
    put("proc/self/mounts", _MOUNTS[kind])
    put("proc/self/cgroup", ("4:cpuset:/\n3:cpu:/\n" if kind == "cgroup1" else "") + "0::/user.slice")
    if kind in ("systemd", "cgroup2"):
        put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory")
        put("sys/fs/cgroup/cgroup.subtree_control", "cpu memory")
        for name in ("init.scope", "system.slice", "user.slice"):
            put(f"sys/fs/cgroup/{name}/cgroup.procs", "")
    if kind == "systemd":
        (root / "run/systemd/system").mkdir(parents=True)
        (root / "units").mkdir()
        put("sys/fs/cgroup/weir.slice/cgroup.procs", "")
        put("units/system.slice", "0-3 6")
    if kind == "cgroup1":
        put("sys/fs/cgroup/cpuset/cpuset.mems", "0")
        put("sys/fs/cgroup/cpu/cgroup.procs", "")
        put("sys/fs/cgroup/cpuset/cgroup.procs", "")
        put("sys/fs/cgroup/unified/cgroup.controllers", "hugetlb")
    return Recorded(root)


def snapshot(root: Path) -> dict[str, str]:
    """Return the whole state of the tree.

    It lists only the tree's processes in groups and, like systemd, only the units with a setting.
    """
    found = {str(path.relative_to(root)): path.read_text().strip()
             for path in sorted(root.rglob("*")) if path.is_file()}
    return {path: "\n".join(pid for pid in text.split() if (root / "proc" / pid).exists())
            if path.endswith("cgroup.procs") else text
            for path, text in found.items() if text or not path.startswith("units/")}


@pytest.fixture(name="state")
def journal_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/weir/isolation"


@pytest.fixture(name="said")
def what_is_said() -> list[str]:
    return []


def journals(state: Path) -> list[str]:
    return sorted(path.name for path in state.iterdir() if path.name != "lock")


def seen_by(here: Recorded, cpus: str = "2-3", governor: str | None = None, free_siblings: bool = False,
            said: list[str] | None = None, then=None, variables: dict | None = None) -> tuple[Record, dict[str, str]]:
    """Run the program on the tree."""
    found: dict[str, str] = {}

    def start(words, stdout, env):
        (variables if variables is not None else {}).update(env)
        found.update(snapshot(here.root))
        found["words"] = " ".join(words)
        if then is not None:
            then()
        return subprocess.Popen(["true"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "subprocess", SimpleNamespace(Popen=start))
        record = isolate(here, choose(here, cpus, free_siblings), governor, ["true"], None,
                         (said if said is not None else []).append)
    keeps_to("isolation", record.as_json())
    return record, found


def group_in(found: dict[str, str]) -> str:
    [name] = {path.rpartition("/")[0] for path in found if "/weir-" in path}
    return name


def cpus_of(found: dict[str, str], tid: int) -> str:
    return found[f"proc/{tid}/status"].rpartition("\t")[2]


def left_behind(here: Recorded, state: Path) -> Path:
    """Return the journal of an isolation that was killed while its program ran."""
    child = os.fork()
    if child == 0:
        try:
            isolate(here, choose(here, "2-3"), None, ["sh", "-c", "kill -9 $PPID"], None, lambda _: None)
        finally:
            os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    [name] = journals(state)
    return state / name
