"""Test that journals restore what killed isolations left, and nothing else."""

from __future__ import annotations

import errno
import json
import os
import stat
from dataclasses import replace

import pytest
from conftest import keeps_to
from isolated_machines import (  # noqa: F401
    BOUND,
    Recorded,
    add_process,
    cpus_of,
    in_memory,
    journal_folder,
    journals,
    left_behind,
    recorded,
    seen_by,
    snapshot,
    what_is_said,
)
from weir.diagnostics import WeirError
from weir.machine.isolating import recovering
from weir.machine.isolating.changes import FAILED, GONE, Change, change_of
from weir.machine.isolating.journal import kept
from weir.machine.isolating.session import choose, isolate, restore
from weir.machine.processes import is_alive

GROUPS = "sys/fs/cgroup"
pytestmark = pytest.mark.usefixtures("state")
LINE = {"kind": "interrupt", "at": "proc/irq/5/smp_affinity_list", "before": "0-7", "to": "0-1", "home": ""}


@pytest.mark.parametrize("changes", [
    {"at": "etc/passwd"}, {"at": "proc/irq/5/../../../etc/smp_affinity_list"}, {"at": "/proc/irq/5/smp_affinity_list"},
    {"kind": "group", "at": f"{GROUPS}/user.slice"}, {"kind": "group", "at": f"../{'0' * 16}"},
    {"kind": "unit", "at": "--help"}, {"kind": "group", "at": f"{GROUPS}/weir-{'0' * 16}", "home": "../etc"},
    {"kind": "task", "at": "1"}, {"kind": "nothing"}, {"before": 7}, {"before": "a-b"}, {"more": ""}])
def test_a_journal_reaches_nothing_but_what_isolations_change(changes):
    assert change_of(LINE) is not None and change_of({**LINE, **changes}) is None


@pytest.mark.parametrize("kind", ["group", "loops"])
def test_a_process_that_cannot_be_seen_from_here_is_neither_ended_nor_moved(tmp_path, kind):
    """Use a process of another PID namespace: in a group its number is 0, which in every call means the caller."""
    class Watched(Recorded):
        def end(self, pid):
            pytest.fail(f"{pid} is ended")

        def write(self, path, text):
            pytest.fail(f"{text} is written to {path}")

    here = Watched(recorded(tmp_path / "m").root)
    one = Change(kind, f"{GROUPS}/weir-{'0' * 16}", *(("0-7", "2-3", GROUPS) if kind == "group" else ("", "loops")))
    one.make(here)
    (here.root / one.at / "cgroup.procs").write_text("0\n")
    assert one.put_back(here) == (FAILED, "it has a process of another PID namespace")


def test_nobody_has_the_number_0(tmp_path):
    here = recorded(tmp_path / "m")
    assert Change("task", "0 0", "0-7", "0-1").put_back(here) == (GONE, "") and here.own == []
    assert not is_alive({"pid": 0, "start": 0}) and not is_alive({"pid": 0, "start": None})


@pytest.mark.parametrize("kind", ["cgroup2", "cgroup1", "none"])
def test_restore_puts_back_what_a_kill_left_and_says_so(tmp_path, state, said, kind):
    here = recorded(tmp_path / "m", kind)
    before = snapshot(here.root)
    left_behind(here, state)
    assert snapshot(here.root) != before
    record = restore(here, said.append)
    assert snapshot(here.root) == before and journals(state) == [] and record.all_is_back
    assert "killed before it could undo its changes" in said[0] and "Weir has now undone" in said[0]
    restore(here, said.append)
    assert said[-1] == "there is nothing left to restore"
    keeps_to("isolation", record.as_json())


def test_the_next_one_puts_it_back_too(tmp_path, state, said):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    left_behind(here, state)
    record, found = seen_by(here, "6", said=said)
    assert cpus_of(found, 101) == "3" and "Weir has now undone" in said[0] and len(record.recovered) == 1
    assert snapshot(here.root) == before and journals(state) == []


def test_one_that_is_in_force_is_neither_joined_nor_put_back(tmp_path, state):
    here = recorded(tmp_path / "m")

    def again():
        seen = snapshot(here.root)
        for attempt in (lambda: isolate(here, choose(here, "6"), None, ["true"], None, str),
                        lambda: restore(here, str)):
            with pytest.raises(WeirError, match=f"process {os.getpid()} isolates CPUs 2-3") as caught:
                attempt()
            assert caught.value.diagnostics[0].code == "E_ISOLATE_BUSY"
        assert snapshot(here.root) == seen

    record, _ = seen_by(here, then=again)
    assert record.exit_code == 0


def test_a_damaged_journal_is_kept_aside_and_what_can_be_read_is_put_back(tmp_path, state, said):
    here = recorded(tmp_path / "m")
    path = left_behind(here, state)
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b"proc/irq/5/" in line)
    path.write_bytes(b"".join([*lines[:at], b"\x00\xff{\n", *lines[at + 1:]]))
    assert not restore(here, said.append).all_is_back
    after = snapshot(here.root)
    assert after["proc/irq/5/smp_affinity_list"] == "0-1,4-7" and after["proc/irq/6/smp_affinity_list"] == "3"
    assert journals(state) == [path.with_suffix(".damaged").name] and "is damaged and kept as" in said[-1]
    path.with_suffix(".damaged").rename(path)
    path.write_bytes(b'{"format": 1, "owner": {"start": 1}}\n' * 3)
    restore(here, said.append)
    assert "unreadable journal" in said[-2] and journals(state) == [path.with_suffix(".damaged").name]
    assert path.with_suffix(".damaged").read_bytes() == b'{"format": 1, "owner": {"start": 1}}\n' * 3


def test_half_a_line_at_the_end_was_never_done(tmp_path, state, said):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    path = left_behind(here, state)
    path.write_bytes(path.read_bytes() + b'{"kind": "interr')
    restore(here, said.append)
    assert snapshot(here.root) == before and journals(state) == []


@pytest.mark.parametrize("change,words,stays", [({"boot": "another"}, "rebooted since", False),
                                                ({"host": "elsewhere"}, "nothing left to restore", True)])
def test_journals_of_another_boot_or_machine_change_nothing(tmp_path, state, said, change, words, stays):
    here = recorded(tmp_path / "m")
    path = left_behind(here, state)
    seen = snapshot(here.root)
    head, rest = path.read_text().split("\n", 1)
    head = json.loads(head)
    head["owner"].update(change)
    path.write_text(json.dumps(head) + "\n" + rest)
    restore(here, said.append)
    assert snapshot(here.root) == seen and words in " ".join(said) and path.exists() == stays


def test_a_process_that_has_the_number_of_the_killed_one_is_not_it(tmp_path, state, said):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    path = left_behind(here, state)
    head, rest = path.read_text().split("\n", 1)
    head = json.loads(head)
    head["owner"]["pid"] = os.getpid()  # alive, but started at another time
    path.write_text(json.dumps(head) + "\n" + rest)
    restore(here, said.append)
    assert snapshot(here.root) == before


def test_what_cannot_be_put_back_is_said_once_and_set_aside_until_it_can(tmp_path, state, said, monkeypatch):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    aside = left_behind(here, state).with_suffix(".unsettled")
    stubborn = replace(here, refuses={"proc/irq/5/": errno.EPERM})
    monkeypatch.setattr(recovering, "Machine", lambda: stubborn)
    for _ in range(3):
        recovering.recover_before(said.append)
    fails = "proc/irq/5/smp_affinity_list cannot be restored to 0-7: Operation not permitted"
    assert said[1:] == [fails,
                        f"the journal of this isolation was moved to {aside}: `weir isolate --restore` tries again"]
    assert journals(state) == [aside.name]
    assert not restore(stubborn, said.append).all_is_back and said.count(fails) == 2 and journals(state) == [aside.name]
    restore(here, said.append)
    assert snapshot(here.root) == before and journals(state) == []


def test_what_cannot_be_put_back_at_the_end_is_set_aside_too(tmp_path, state, said):
    here = recorded(tmp_path / "m")
    refuses = {}
    stubborn = replace(here, refuses=refuses)
    seen_by(stubborn, said=said, then=lambda: refuses.update({"proc/irq/5/": errno.EPERM}))
    [aside] = journals(state)
    assert aside.endswith(".unsettled") and str(state / aside) in said[-1]
    seen_by(stubborn, said=said)
    assert sum("cannot be restored" in line for line in said) == 1


def test_threads_of_the_kernel_that_belong_to_their_cpu_are_nobodys_heirs(tmp_path, state, said):
    """Move the thread that starts them: the threads it starts for a CPU run there, and cannot be moved."""
    here = recorded(tmp_path / "m")
    left_behind(here, state)
    ours, clock = cpus_of(snapshot(here.root), 2), 1 << 40
    add_process(here.root, 500, {500: ours}, parent=2, start=clock, flags=BOUND)
    add_process(here.root, 501, {501: ours}, parent=2, start=clock)
    assert restore(replace(here, refuses={"task 500": errno.EINVAL}), said.append).all_is_back
    after = snapshot(here.root)
    assert (cpus_of(after, 500), cpus_of(after, 501)) == (ours, "0-7") and journals(state) == []


def test_the_folder_of_another_user_is_not_read(tmp_path, state, monkeypatch):
    here = recorded(tmp_path / "m")
    left_behind(here, state)
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    with pytest.raises(WeirError, match="not a folder of this user"):
        restore(here, str)


def test_half_a_line_on_a_full_disk_damages_no_journal(tmp_path, state, monkeypatch, said):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    write, damaged = os.write, []
    monkeypatch.setattr(os, "write", lambda file, data: write(
        file, data[:len(data) // 2] if b'"interrupt"' in data else data))
    _, found = seen_by(here, said=said, then=lambda: damaged.extend(one.damaged for one in kept(state)))
    assert "No space left on device" in " ".join(said) and found["proc/irq/5/smp_affinity_list"] == "0-7"
    assert damaged == [False] and snapshot(here.root) == before


def test_a_full_disk_is_a_reason_to_change_nothing_more(tmp_path, monkeypatch, said):
    here = recorded(tmp_path / "m")
    before = snapshot(here.root)
    synced, fsync = [], os.fsync

    def full(file):
        synced.append(file)
        if stat.S_ISREG(os.fstat(file).st_mode) and len(synced) > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    record, found = seen_by(here, said=said)
    assert "No space left on device" in " ".join(said) and found["proc/irq/5/smp_affinity_list"] == "0-7"
    assert record.isolation["by"] == "cgroup2" and snapshot(here.root) == before
