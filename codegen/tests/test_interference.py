"""Test the loops of the interference load: their group, limit, slice and CPUs, and that none of them remains."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from isolated_machines import (  # noqa: F401
    Own,
    Recorded,
    groups_here,
    in_memory,
    journal_folder,
    journals,
    recorded,
    snapshot,
)
from weir.machine.isolating import interference
from weir.machine.isolating.interference import InterferenceLoad
from weir.machine.isolating.isolation import Isolation
from weir.machine.isolating.loops import set_slice
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.recovering import begun
from weir.machine.isolating.session import restore
from weir.machine.processes import start_time
from weir.model.document.deployment import InterferenceSettings
from weir.model.document.shape import schema
from weir.model.planning.isolation_check import Chosen

HERE = frozenset(os.sched_getaffinity(0))
GROUPS = "sys/fs/cgroup"
pytestmark = pytest.mark.usefixtures("state")


def disturbed(machine: Machine, asked: InterferenceSettings, seen=lambda it: None, cpus: frozenset[int] = HERE,
              inside: bool = False) -> dict:
    """Return its entry in results.json; `seen` observes the loops while they run."""
    with begun(machine, "", lambda _: None) as undo_log:
        with InterferenceLoad(asked, cpus, undo_log, inside) as it:
            seen(it)
        said = it.summary()
    fields = schema("results")
    jsonschema.Draft202012Validator({**fields["$defs"]["interference"], "$defs": fields["$defs"]}).validate(said)
    assert all(not Path(f"/proc/{pid}").exists() for pid in it.pids)
    return said


def group_in(root: Path) -> Path:
    [found] = root.glob(f"{GROUPS}/**/weir-*")
    return found


def files_of(group: Path) -> dict[str, str]:
    return {path.name: path.read_text().strip() for path in group.iterdir()}


# Groups

@pytest.mark.parametrize("kind,limit,written", [
    ("cgroup1", 0.4, {"cpu.cfs_quota_us": str(round(40_000 * len(HERE))), "cpu.cfs_period_us": "100000",
                      "cpu.shares": "3072"}),
    ("cgroup1", None, {"cpu.cfs_quota_us": "-1", "cpu.shares": "3072"}),
    ("cgroup2", 0.4, {"cpu.max": f"{round(40_000 * len(HERE))} 100000", "cpu.weight": "300"}),
    ("cgroup2", None, {"cpu.max": "max 100000", "cpu.weight": "300"})])
def test_loops_are_in_a_group_with_that_limit_which_weighs_as_much_as_they_would(tmp_path, state, kind, limit, written):
    here = recorded(tmp_path / "m", kind)
    before, found = snapshot(here.root), {}

    def look(it):
        found.update(files_of(group_in(here.root)))
        assert len(it.pids) == 3 and found["cgroup.procs"] == str(os.getpgid(it.pids[0]))

    said = disturbed(here, InterferenceSettings(3, limit), look)
    assert {name: found[name] for name in written} == written
    assert said["granted"]["cpu_limit"] == (None if limit is None else pytest.approx(limit))
    assert (said["granted"]["loops"], said["granted"]["by"], said["refused"]) == (3, kind, [])
    assert said["granted"]["throttled_s"] == 0.0  # as much as before
    assert snapshot(here.root) == before and journals(state) == []


@pytest.mark.parametrize("kind,file,written", [("cgroup1", "cpu.cfs_quota_us", "10000"),
                                               ("cgroup2", "cpu.max", "10000 100000")])
def test_a_quota_is_of_one_cpu_on_every_machine(tmp_path, kind, file, written):
    here, found = recorded(tmp_path / "m", kind), {}
    said = disturbed(here, InterferenceSettings(1, cpu_quota=0.1),
                     lambda _: found.update(files_of(group_in(here.root))))
    assert found[file] == written and said["refused"] == []
    assert (said["requested"]["cpu_limit"], said["requested"]["cpu_quota"]) == (None, 0.1)
    assert said["granted"]["cpu_quota"] == pytest.approx(0.1)
    assert said["granted"]["cpu_limit"] == pytest.approx(0.1 / len(HERE))


def test_with_version_2_the_root_gets_the_controller_and_loses_it_again(tmp_path):
    here = recorded(tmp_path / "m", "cgroup2")
    control = here.root / GROUPS / "cgroup.subtree_control"
    control.write_text("memory\n")
    disturbed(here, InterferenceSettings(1, 0.5),
              lambda _: control.read_text().split() == ["cpu", "memory"] or pytest.fail())
    assert control.read_text().split() == ["memory"]


@pytest.mark.parametrize("file,text,stays", [("cpu.weight", "200", True), ("cpu.max", "50000 100000", True),
                                             ("cpu.weight", "100", False), ("cpu.max", "max 100000", False)])
def test_with_version_2_the_controller_stays_where_a_group_of_others_came_to_use_it(tmp_path, file, text, stays):
    """Check this because its limit and its weight would be lost."""
    here = recorded(tmp_path / "m", "cgroup2")
    control, theirs = (here.root / GROUPS / name for name in ("cgroup.subtree_control", f"user.slice/{file}"))
    control.write_text("memory\n")
    with begun(here, "", lambda _: None) as undo_log, InterferenceLoad(InterferenceSettings(1, 0.5), HERE, undo_log):
        theirs.write_text(f"{text}\n")
    assert ("cpu" in control.read_text().split()) == stays and theirs.read_text() == f"{text}\n"
    told = [(one.outcome, one.reason) for one in undo_log.undone if one.change.kind == "controller"]
    assert told == [("changed since", "it is used by user.slice") if stays else ("put back", "")]


SYSTEMD_RUN = """#!/bin/sh
printf '%s\\n' "$@" > {root}/words
for word in "$@"; do
    case $word in --property=CPUQuota=*) quota=${{word#--property=CPUQuota=}} ;; esac
done
mkdir -p {root}/proc/$$ {root}/sys/fs/cgroup/user.slice/loops.scope
echo 0::/user.slice/loops.scope > {root}/proc/$$/cgroup
/usr/bin/awk -v quota="${{quota%\\%}}" 'BEGIN {{ print (quota ? quota * 1000 : "max"), 100000 }}' \\
    > {root}/sys/fs/cgroup/user.slice/loops.scope/cpu.max
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


@pytest.fixture
def systemd(tmp_path, monkeypatch) -> Recorded:
    """Return a tree with a replacement for systemd-run, which makes the scope there."""
    here = recorded(tmp_path / "m", "systemd")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/systemd-run").write_text(SYSTEMD_RUN.format(root=here.root))
    (tmp_path / "bin/systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return here


@pytest.mark.parametrize("inside,where", [(False, "--slice-inherit"), (True, "--slice=weir.slice")])
def test_under_systemd_they_are_a_scope(systemd, monkeypatch, inside, where):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    said = disturbed(systemd, InterferenceSettings(2, 0.25), inside=inside)
    words = (systemd.root / "words").read_text().split("\n")
    assert f"--property=CPUQuota={25 * len(HERE):.2f}%" in words and "--property=CPUWeight=200" in words
    assert where in words and "--scope" in words and "--user" not in words
    assert said["granted"]["by"] == "systemd" and said["granted"]["cpu_limit"] == pytest.approx(0.25)
    assert said["granted"]["loops"] == 2 and said["refused"] == []


def test_who_is_not_root_asks_his_own_systemd(systemd, monkeypatch):
    monkeypatch.setattr(interference.os, "geteuid", lambda: 4242)
    monkeypatch.setattr("weir.machine.isolating.recovering.folder", lambda make=True: systemd.root)
    disturbed(systemd, InterferenceSettings(1))
    words = (systemd.root / "words").read_text().split("\n")
    assert "--user" in words and not any(word.startswith("--property=CPUQuota") for word in words)


def test_a_systemd_that_refuses_is_reported_and_nothing_runs_without_its_limit(systemd, tmp_path):
    (tmp_path / "bin/systemd-run").write_text("#!/bin/sh\necho Interactive authentication required. >&2\nexit 1\n")
    said = disturbed(systemd, InterferenceSettings(2, 0.25))
    assert said["granted"]["loops"] == 0 and said["granted"]["cpu_time_s"] == 0
    assert said["refused"][0]["reason"] == "Interactive authentication required."
    assert disturbed(systemd, InterferenceSettings(2))["granted"]["loops"] == 2  # without a limit they need no group


# Refusals and missing rights

@pytest.mark.parametrize("refuses,reason", [
    ({"group": errno.EACCES}, "Permission denied"), ({f"{GROUPS}/cpu/weir": errno.EINVAL}, "Invalid argument"),
    ({f"{GROUPS}/cpu/weir": errno.EROFS}, "Read-only file system")])
def test_without_rights_no_loop_has_more_than_was_requested(tmp_path, state, refuses, reason):
    here = replace(recorded(tmp_path / "m", "cgroup1"), refuses=refuses)
    before = snapshot(here.root)
    said = disturbed(here, InterferenceSettings(2, 0.5))
    assert said["granted"]["loops"] == 0 and said["granted"]["by"] is None
    told = {one["what"].split("/")[0]: one["reason"] for one in said["refused"]}
    assert told["the group sys"] == reason and "no loop was started" in told["a limit of 0.5"]
    assert snapshot(here.root) == before and journals(state) == []
    said = disturbed(here, InterferenceSettings(2))
    assert said["granted"]["loops"] == 2 and said["granted"]["by"] is None and said["refused"]


def test_without_control_groups_there_are_loops_without_a_limit_alone(tmp_path):
    here = recorded(tmp_path / "m", "none")
    said = disturbed(here, InterferenceSettings(1))
    assert said["granted"]["loops"] == 1 and "no control groups" in said["refused"][0]["reason"]
    assert disturbed(here, InterferenceSettings(1, 0.5))["granted"]["loops"] == 0


def test_a_limit_that_the_kernel_does_not_keep_is_reported(tmp_path):
    class Rounding(Recorded):
        def write(self, path, text):
            super().write(path, "20000 100000" if path.endswith("cpu.max") else text)

    said = disturbed(Rounding(recorded(tmp_path / "m", "cgroup2").root), InterferenceSettings(1, 0.5))
    assert said["granted"]["loops"] == 0 and said["refused"][0]["what"] == "a limit of 0.5"


def test_a_group_of_somebody_else_is_left_alone(tmp_path, monkeypatch):
    here = recorded(tmp_path / "m", "cgroup1")
    ids = iter(("0" * 16, "a" * 16, "b" * 16))
    monkeypatch.setattr("weir.machine.isolating.groups.secrets.token_hex", lambda _: next(ids))
    theirs = here.root / GROUPS / "cpu" / f"weir-{'a' * 16}"
    theirs.mkdir()
    (theirs / "cgroup.procs").write_text("100\n")
    before = snapshot(here.root)
    assert disturbed(here, InterferenceSettings(1, 0.5))["granted"]["loops"] == 1
    assert snapshot(here.root) == before


def test_loops_that_end_early_are_reported(tmp_path):
    said = disturbed(recorded(tmp_path / "m"), InterferenceSettings(2), lambda it: (os.kill(it.pids[0], signal.SIGKILL),
                                                                       time.sleep(0.05)))
    assert said["granted"]["loops"] == 1 and said["refused"][-1]["what"] == "1 of 2 loops"


def test_loops_may_run_on_cpus_that_are_isolated_and_keep_nobody_from_a_partition(tmp_path):
    here = recorded(tmp_path / "m", "cgroup2")
    chosen = Chosen(frozenset({2, 3}), frozenset(), frozenset({2, 3}), frozenset({0, 1}))
    with begun(here, "2-3", lambda _: None) as undo_log, Isolation(chosen, None, undo_log, shared=True) as it:
        assert files_of(group_in(here.root))["cpuset.cpus.partition"] == "member"
        assert not any(one.what == "a partition of CPUs" for one in it.refused())


# Effects on this machine

several = pytest.mark.skipif(len(HERE) < 2, reason="a single CPU")


def can_limit() -> bool:
    """Return whether control groups with CPU time can be made here."""
    return os.geteuid() == 0 and any(os.access(folder, os.W_OK) for folder in ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup"))


@pytest.mark.skipif(not can_limit(), reason="needs root, and control groups with CPU time")
def test_here_they_have_no_more_than_their_limit_and_are_stopped_for_the_rest(groups_here):  # noqa: F811
    before = groups_here()
    said = disturbed(Machine(), InterferenceSettings(3, 0.2), lambda _: time.sleep(0.8))
    granted = said["granted"]
    share = granted["cpu_time_s"] / granted["seconds"] / len(HERE)
    assert said["refused"] == [] and granted["cpu_limit"] == pytest.approx(0.2)
    assert 0.02 < share < 0.3 and granted["throttled_s"] > 0 and groups_here() == before


@pytest.mark.usefixtures("groups_here")
def test_here_they_use_what_there_is_on_their_cpus_alone():
    one = max(HERE)
    places = []
    said = disturbed(Own(), InterferenceSettings(2, None, 0, (one,)), lambda it: (
        time.sleep(0.3), places.extend(os.sched_getaffinity(pid) for pid in it.pids)))
    assert places == [{one}, {one}] and said["granted"]["cpus"] == [one] and said["granted"]["cpu_time_s"] > 0


@pytest.mark.usefixtures("groups_here")
def test_here_the_slice_is_read_back_from_the_kernel():
    said = disturbed(Own(), InterferenceSettings(2, None, 500))
    if said["granted"]["slice_us"] is None:
        assert "Linux 6.12" in said["refused"][-1]["needs"]
    else:
        assert said["granted"]["slice_us"] == 500 and not [one for one in said["refused"] if "slice" in one["what"]]


@pytest.mark.usefixtures("groups_here")
def test_a_kernel_that_gives_each_its_own_slice_is_reported(monkeypatch):
    monkeypatch.setattr(interference, "set_slice", lambda pid, us: None)
    said = disturbed(Own(), InterferenceSettings(1, None, 500))
    assert said["granted"]["slice_us"] is None and said["refused"][-1]["reason"] == "Linux gives each loop its own"
    monkeypatch.setattr(interference, "set_slice", lambda pid, us: 2800)
    assert disturbed(Own(), InterferenceSettings(1, None, 500))["refused"][-1]["reason"] == "Linux gave 2800 us"


def test_a_slice_of_nobody_is_an_error():
    with pytest.raises(ProcessLookupError):
        set_slice(2**22 - 1, 500)


def test_loops_end_with_whoever_started_them_however_he_ends(tmp_path, groups_here):  # noqa: F811
    code = ("import os, sys, time\n"
            f"sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}\n"
            "from isolated_machines import Own\n"
            "from weir.model.document.deployment import InterferenceSettings\n"
            "from weir.machine.isolating.interference import InterferenceLoad\n"
            "from weir.machine.isolating.recovering import begun\n"
            "with begun(Own(), '', lambda _: None) as log, InterferenceLoad(InterferenceSettings(3), {0}, log) as it:\n"
            "    print(*it.pids, flush=True)\n"
            "    os.kill(os.getpid(), 9)\n")
    before = groups_here()
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 3 and done.returncode == -signal.SIGKILL, done.stderr
    deadline = time.monotonic() + 5
    while any(start_time(pid) is not None for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert all(start_time(pid) is None for pid in pids)
    restore(Own(), lambda _: None)
    assert groups_here() == before
