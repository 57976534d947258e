"""Test which CPUs `weir isolate` takes, what it changes on which machine, and that everything is restored."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import pytest
from isolated_machines import (  # noqa: F401
    KINDS,
    Recorded,
    add_process,
    cpus_of,
    group_in,
    in_memory,
    journal_folder,
    journals,
    recorded,
    seen_by,
    snapshot,
    what_is_said,
)
from weir.diagnostics import WeirError
from weir.machine.isolating import session
from weir.machine.isolating.machine import CPUS
from weir.machine.isolating.session import choose

GROUPS = "sys/fs/cgroup"
pytestmark = pytest.mark.usefixtures("state")


# Choice of CPUs

@pytest.mark.parametrize("asked,isolated,siblings,chosen", [
    (None, "", 2, {2, 3, 4, 5, 6, 7}), (None, "", 1, {1, 2, 3, 4, 5, 6, 7}), (None, "6-7", 2, {6, 7}),
    ("1,4-5", "", 2, {1, 4, 5})])
def test_without_a_list_those_that_the_kernel_isolates_or_all_but_the_first_core(tmp_path, asked, isolated, siblings,
                                                                                 chosen):
    here = recorded(tmp_path / "m", siblings=siblings)
    here.write(f"{CPUS}/isolated", isolated)
    found = choose(here, asked)
    assert found.cpus == found.free == chosen and found.left == frozenset(range(8)) - chosen
    if asked:
        assert found.siblings == {0} and choose(here, asked, True).free == {0, 1, 4, 5}


@pytest.mark.parametrize("asked,words", [
    ("8", "CPU 8 is missing"), ("6-9", "CPUs 8-9 are missing"), ("", "not a list"), ("a", "not a list"),
    ("1,,2", "not a list"), ("-1", "not a list"), ("0-99999999", "not a list"), ("3-2", "contains no CPU"),
    ("0-7", "leaves no CPU")])
def test_lists_that_cannot_be_are_refused(tmp_path, asked, words):
    with pytest.raises(WeirError, match=words) as caught:
        choose(recorded(tmp_path / "m"), asked)
    assert caught.value.diagnostics[0].code == "E_ISOLATE_CPUS" and caught.value.exit_code == 2


@pytest.mark.parametrize("cpus,siblings,more", [("0", 1, False), ("0-1", 2, True)])
def test_a_single_core_is_refused(tmp_path, cpus, siblings, more):
    with pytest.raises(WeirError, match="only one core") as caught:
        choose(recorded(tmp_path / "m", cpus=cpus, siblings=siblings), None)
    assert ("--cpus names" in str(caught.value)) == more


def test_siblings_that_would_leave_nothing_are_refused(tmp_path):
    with pytest.raises(WeirError, match="with siblings"):
        choose(recorded(tmp_path / "m"), "0,2,4,6", True)


# Changes

@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_moved_away_and_put_back(tmp_path, state, kind):
    here = recorded(tmp_path / "m", kind)
    before = snapshot(here.root)
    record, found = seen_by(here)
    moved = {1: "0-1,4-7", 2: "0-1,4-7", 100: "0-1,4-7", 101: "0-1,4-7", 102: "0-1", 200: "4", 300: "0", 9: "3"}
    assert {tid: cpus_of(found, tid) for tid in moved} == moved
    assert [found[f"proc/irq/{number}/smp_affinity_list"] for number in (5, 6, 7, 33)] == [
        "0-1,4-7", "0-1,4-7", "0-1", "4-5"]
    assert found["proc/irq/default_smp_affinity"] == "000000f3"
    assert [found[f"{CPUS}/cpu{cpu}/cpufreq/scaling_governor"] for cpu in (1, 2, 3, 5)] == [
        "schedutil", "performance", "performance", "powersave"]
    done = record.isolation
    assert (done["cpus"], done["free"], done["siblings"], done["tasks"], done["interrupts"]) == ("2-3", "2-3", "", 6, 4)
    assert done["governor"] == "performance" and record.exit_code == 0
    assert done["by"] == ("affinity" if kind == "none" else kind)
    assert snapshot(here.root) == before and journals(state) == []
    assert {one.outcome for one in record.undone} <= {"put back", "not made"}


def test_the_group_of_version_2_has_its_cpus_to_itself(tmp_path):
    here = recorded(tmp_path / "m", "cgroup2")
    within: list[str] = []
    record, found = seen_by(here, "2", free_siblings=True, then=lambda: within.extend(
        (path / "cgroup.procs").read_text() for path in (here.root / GROUPS).glob("weir-*")))
    group = group_in(found)
    assert found[f"{group}/cpuset.cpus"] == "2-3" and found[f"{group}/cpuset.cpus.partition"] == "root"
    assert within == [f"{os.getpid()}\n"] and here.own[1:3] == [{2}, {0, 1, 4, 5, 6, 7}]
    assert found[f"{GROUPS}/cgroup.subtree_control"] == "cpu cpuset memory"


def test_a_partition_that_is_not_granted_is_reported_and_its_group_has_the_cpus_alone(tmp_path, said):
    class Grudging(Recorded):
        def write(self, path, text):
            super().write(path, "root invalid (Cpu list in cpuset.cpus not exclusive)" if text == "root" else text)

    here = Grudging(recorded(tmp_path / "m", "cgroup2").root)
    record, found = seen_by(here, "2", free_siblings=True, said=said)
    assert found[f"{group_in(found)}/cpuset.cpus"] == "2"
    assert "not done: a partition of CPUs: root invalid (Cpu list in cpuset.cpus not exclusive)" in " ".join(said)


def test_the_group_of_version_1_has_memory_too(tmp_path):
    here = recorded(tmp_path / "m", "cgroup1")
    record, found = seen_by(here, "2", free_siblings=True)
    group = group_in(found)
    assert (found[f"{group}/cpuset.cpus"], found[f"{group}/cpuset.mems"]) == ("2", "0")


def test_started_on_the_same_cpus_its_group_goes_again_too(tmp_path):
    here = recorded(tmp_path / "m", "cgroup1")
    before = snapshot(here.root)
    here.own.append(frozenset({2, 3}))
    seen_by(here)
    assert snapshot(here.root) == before


def test_under_systemd_its_units_get_the_other_cpus_and_the_program_a_scope(tmp_path):
    here = recorded(tmp_path / "m", "systemd")
    record, found = seen_by(here)
    assert {name: found[f"units/{name}"] for name in ("init.scope", "system.slice", "user.slice")} == {
        "init.scope": "0-1,4-7", "system.slice": "0-1,6", "user.slice": "0-1,4-7"}
    assert "units/weir.slice" not in found
    scope = f"weir-{record.isolation['id']}.scope"
    assert found["words"] == (f"systemd-run --scope --quiet --collect --unit={scope} --slice=weir.slice "
                              "--property=AllowedCPUs=2-3 -- true")
    assert {2, 3} not in here.own and here.own[-1] == set(range(8))  # we ourselves stay


@pytest.mark.parametrize("governor,set_to,words", [("powersave", "powersave", ""), ("keep", "schedutil", ""),
                                                   ("turbo", "schedutil",
                                                    "`turbo` is not available, only performance")])
def test_a_governor_that_is_requested(tmp_path, said, governor, set_to, words):
    _, found = seen_by(recorded(tmp_path / "m"), "2", governor, said=said)
    assert found[f"{CPUS}/cpu2/cpufreq/scaling_governor"] == set_to and words in " ".join(said)


def test_without_rights_the_rest_is_done_and_the_rest_is_reported(tmp_path, said):
    here = replace(recorded(tmp_path / "m", "cgroup2"), refuses={
        "group": errno.EACCES, "task": errno.EPERM, "proc/irq/6": errno.EIO, "proc/irq/default": errno.EROFS})
    record, found = seen_by(here, said=said)
    told = {one["what"]: (one["reason"], one["needs"]) for one in record.isolation["refused"]}
    assert [record.isolation[key] for key in ("by", "tasks", "interrupts")] == ["affinity", 0, 3]
    assert told["6 tasks"][0] == "Operation not permitted" and "more rights" in told["6 tasks"][1]
    assert "managed_irq" in told["proc/irq/6/smp_affinity_list"][1]
    assert told["proc/irq/default_smp_affinity"] == ("Read-only file system", "a container with write access there")
    assert any("weir-" in what for what in told) and {2, 3} in here.own
    assert cpus_of(found, 100) == "0-7" and found["proc/irq/5/smp_affinity_list"] == "0-1,4-7"
    assert any("not done: 6 tasks" in line for line in said)


def test_without_a_journal_nothing_is_changed_that_would_have_to_be_put_back(tmp_path, monkeypatch, said):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    record, found = seen_by(here, said=said)
    assert {name: text for name, text in found.items() if name != "words"} == before and {2, 3} in here.own
    assert record.isolation["by"] == "affinity" and "the journal cannot be written" in " ".join(said)


def test_irqbalance_is_told_of(tmp_path, said):
    here = recorded(tmp_path / "m")
    for file in ("proc/200/stat", "proc/200/task/200/stat"):
        (here.root / file).write_text((here.root / file).read_text().replace("(a (b) 200)", "(irqbalance)"))
    seen_by(here, said=said)
    assert "irqbalance runs, and may move them back (needs sudo systemctl stop irqbalance)" in " ".join(said)


def test_a_group_of_somebody_else_is_left_alone_and_another_name_is_used(tmp_path, monkeypatch):
    here = recorded(tmp_path / "m")
    ids = iter(("0" * 16, "a" * 16, "b" * 16))  # ids of the journal and of groups
    monkeypatch.setattr("weir.machine.isolating.groups.secrets.token_hex", lambda _: next(ids))
    theirs = here.root / GROUPS / f"weir-{'a' * 16}"
    theirs.mkdir()
    (theirs / "cgroup.procs").write_text("100\n")
    before = snapshot(here.root)
    record, found = seen_by(here)
    assert record.isolation["by"] == "cgroup2" and found[f"{GROUPS}/weir-{'b' * 16}/cpuset.cpus"] == "2-3"
    assert snapshot(here.root) == before


# Restoring

def test_what_somebody_changed_since_is_left_and_told(tmp_path, said):
    here = recorded(tmp_path / "m")

    def meddle():
        here.write("proc/irq/5/smp_affinity_list", "7")
        here.write(f"{CPUS}/cpu2/cpufreq/scaling_governor", "ondemand")
        here.set_affinity(200, frozenset({6}))

    seen_by(here, said=said, then=meddle)
    after = snapshot(here.root)
    assert after["proc/irq/5/smp_affinity_list"] == "7" and after[f"{CPUS}/cpu2/cpufreq/scaling_governor"] == "ondemand"
    assert cpus_of(after, 200) == "6" and cpus_of(after, 100) == "0-7"
    assert "proc/irq/5/smp_affinity_list was 0-7 and was set to 0-1,4-7; it stays unchanged: it is 7" in said


def test_processes_that_ended_are_passed_over_also_where_another_has_their_number(tmp_path, said):
    here = recorded(tmp_path / "m")

    def others():
        add_process(here.root, 200, {200: "4"}, start=99)  # after the first process with that number was to be restored
        for name in ("300", "100"):
            (here.root / f"proc/{name}/stat").unlink()

    record, _ = seen_by(here, said=said, then=others)
    assert cpus_of(snapshot(here.root), 200) == "4"
    assert {one.change.at: one.outcome for one in record.undone if one.change.at.startswith(("200", "100 "))} == {
        "200 50": "gone", "100 50": "gone"} and not [line for line in said if "left" in line]


def test_what_moved_tasks_started_is_put_back_with_them(tmp_path):
    here = recorded(tmp_path / "m")
    late = os.sysconf("SC_CLK_TCK") * 10**9

    def begin():
        add_process(here.root, 400, {400: "0-1,4-7"}, parent=100, start=late)
        add_process(here.root, 401, {401: "0-1,4-7"}, parent=400, start=late)
        add_process(here.root, 402, {402: "5"}, parent=100, start=late)     # it chose its CPUs itself
        add_process(here.root, 403, {403: "0-1,4-7"}, parent=300, start=late)  # child of an unmoved one, below 1
        add_process(here.root, 404, {404: "0-1,4-7"}, parent=77, start=late)   # child of one that has ended
        add_process(here.root, 405, {405: "0-1,4-7"}, parent=100, start=40)    # started earlier

    seen_by(here, then=begin)
    after = snapshot(here.root)
    assert [cpus_of(after, tid) for tid in range(400, 406)] == ["0-7", "0-7", "5", "0-7", "0-1,4-7", "0-1,4-7"]


def test_processes_that_the_program_left_go_back_to_our_group(tmp_path):
    here = recorded(tmp_path / "m", "cgroup1")

    def leave():
        add_process(here.root, 500, {500: "2-3", 501: "2"}, start=99)
        group = next((here.root / GROUPS / "cpuset").glob("weir-*"))
        (group / "cgroup.procs").write_text("500\n")

    seen_by(here, then=leave)
    after = snapshot(here.root)
    assert "500" in after[f"{GROUPS}/cpuset/cgroup.procs"].split() and not [name for name in after if "weir-" in name]
    assert (cpus_of(after, 500), cpus_of(after, 501)) == ("0-7", "2")


def test_cpu_sets_that_others_use_by_now_are_not_taken_from_them(tmp_path, said):
    here = recorded(tmp_path / "m", "cgroup2")
    seen_by(here, said=said, then=lambda: (here.root / GROUPS / "user.slice/cpuset.cpus").write_text("1\n"))
    assert "cpuset" in snapshot(here.root)[f"{GROUPS}/cgroup.subtree_control"].split()
    assert "it stays unchanged: it is used by user.slice" in " ".join(said)


def test_an_exception_puts_everything_back(tmp_path, state):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    with pytest.raises(ZeroDivisionError):
        seen_by(here, then=lambda: 1 // 0)
    assert snapshot(here.root) == before and journals(state) == []


def test_an_exception_halfway_puts_everything_back(tmp_path, state, monkeypatch):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    monkeypatch.setattr(Recorded, "interrupts", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        seen_by(here)
    assert here.counted and snapshot(here.root) == before and journals(state) == []


def test_a_signal_before_the_program_is_started_keeps_it_from_being(tmp_path, state, monkeypatch):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    monkeypatch.setattr(Recorded, "interrupts", lambda _: os.kill(os.getpid(), signal.SIGTERM) or [])
    record, found = seen_by(here)
    assert record.exit_code == 128 + signal.SIGTERM and not found and record.isolation is None
    assert here.counted and snapshot(here.root) == before and journals(state) == []


def test_a_signal_while_the_program_is_started_reaches_it(tmp_path, monkeypatch):
    def start(*_, **__):
        os.kill(os.getpid(), signal.SIGTERM)
        return subprocess.Popen(["sleep", "50"])

    here = recorded(tmp_path / "m")
    monkeypatch.setattr(session, "subprocess", SimpleNamespace(Popen=start))
    assert session.isolate(here, choose(here, "2"), None, ["true"], None, str).exit_code == 128 + signal.SIGTERM
