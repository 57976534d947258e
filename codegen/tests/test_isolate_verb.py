"""Test `weir isolate` on the command line, and the record that runs within it keep."""

from __future__ import annotations

import errno
import json
import os
import signal

import pytest
from conftest import keeps_to
from isolated_machines import Recorded, in_memory, journal_folder, journals, left_behind, recorded, seen_by, snapshot  # noqa: F401
from stored_runs import store
from target_world import TARGETS, small, weir, written
from weir import cli
from weir.engine.measuring.child import interesting_environment
from weir.engine.measuring.run_directory import load_run
from weir.machine import environment
from weir.machine.isolating import machine as machines
from weir.model.document.shape import schema
from weir.read.comparing.work import _machine
from weir.read.reporting.sections import environments

pytestmark = pytest.mark.usefixtures("state")


@pytest.fixture
def verb(tmp_path, monkeypatch) -> Recorded:
    here = recorded(tmp_path / "m")
    monkeypatch.setattr(machines, "Machine", lambda: here)
    return here


def test_the_verb_runs_the_program_with_our_input_and_output_and_exits_as_it_does(verb, tmp_path, capfd):
    (tmp_path / "in").write_text("typed\n")
    stdin = os.dup(0)
    os.dup2(os.open(tmp_path / "in", os.O_RDONLY), 0)
    try:
        code = cli.main(["isolate", "--cpus", "2-3", "-o", str(tmp_path / "r.json"), "--json", "--", "sh", "-c",
                         "cat; echo --json >&2; printf %s \"$WEIR_ISOLATION\"; exit 7", "--", "--cpus"])
    finally:
        os.dup2(stdin, 0)
    out, err = capfd.readouterr()
    record = json.loads((tmp_path / "r.json").read_text())
    assert code == 7 and out.startswith("typed\n")
    assert json.loads(out.removeprefix("typed\n"))["isolation"] == record["isolation"]
    assert err.splitlines()[0] == ("weir: isolates CPUs 2-3 by cgroup v2; 6 tasks and 4 interrupts moved away; "
                                   "governor `performance`")
    assert json.loads(err.splitlines()[-1]) == record and record["command"][-2:] == ["--", "--cpus"]
    keeps_to("isolation", record)


def test_a_program_that_a_signal_ends_gives_what_a_shell_would(verb):
    assert cli.main(["isolate", "--", "sh", "-c", "kill -SEGV $$"]) == 128 + signal.SIGSEGV


def test_siblings_are_reported(verb, capfd):
    cli.main(["isolate", "--cpus", "2", "--", "true"])
    cli.main(["isolate", "--cpus", "2", "--free-siblings", "--", "true"])
    err = capfd.readouterr().err
    assert "CPU 2 (with CPU 3 on the same cores, where other programs still run)" in err
    assert "same cores, free, too)" in err


def test_restore_answers_on_standard_output(verb, state, capfd):
    before = snapshot(verb.root)
    left_behind(verb, state)
    assert cli.main(["isolate", "--restore", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    keeps_to("isolation", answer)
    assert len(answer["recovered"]) == 1 and answer["isolation"] is None and snapshot(verb.root) == before


@pytest.mark.parametrize("words,code,exit_code", [
    ([], "E_USAGE", 2), (["--restore", "--", "true"], "E_USAGE", 2), (["--restore", "--cpus", "1"], "E_USAGE", 2),
    (["--cpus", "9", "--", "true"], "E_ISOLATE_CPUS", 2), (["--", "no-such-program"], "E_TOOL_MISSING", 3),
    (["-o", "/proc/none/r.json", "--", "true"], "E_FILE_MISSING", 3)])
def test_what_cannot_be_is_diagnosed(verb, state, capfd, words, code, exit_code):
    before = snapshot(verb.root)
    assert cli.main(["isolate", *words]) == exit_code
    assert code in capfd.readouterr().err and snapshot(verb.root) == before
    assert not state.exists() or journals(state) == []


def test_a_program_that_cannot_be_started_leaves_nothing(verb, state, tmp_path, capfd):
    (tmp_path / "wrong").write_text("#!/no/such/shell\n")
    (tmp_path / "wrong").chmod(0o755)
    before = snapshot(verb.root)
    assert cli.main(["isolate", "--", str(tmp_path / "wrong")]) == 3
    assert "E_TOOL_MISSING" in capfd.readouterr().err and snapshot(verb.root) == before and journals(state) == []


def test_cpus_that_nothing_may_use_are_an_error_and_everything_is_put_back(verb, monkeypatch, capfd):
    before = snapshot(verb.root)

    def refuses(self, tid, cpus):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(Recorded, "set_affinity", refuses)
    verb.refuses["group"] = errno.EACCES
    assert cli.main(["isolate", "--cpus", "2", "--", "true"]) == 2
    assert "Weir may not run anything on CPU 2: Invalid argument" in capfd.readouterr().err
    assert snapshot(verb.root) == before


# Records of runs within an isolation

def test_a_run_within_keeps_what_was_done(monkeypatch, tmp_path):
    assert environment.isolation() is None
    variables: dict[str, str] = {}
    seen_by(recorded(tmp_path / "m"), variables=variables)
    monkeypatch.setenv(environment.ISOLATION, variables[environment.ISOLATION])
    assert environment.isolation()["cpus"] == "2-3"  # while the isolating process lives
    assert environment.ISOLATION not in interesting_environment()
    project = written(tmp_path, small())
    assert weir("run", project, "--target-path", TARGETS, "--out", tmp_path / "runs") == 0
    [path] = (tmp_path / "runs").iterdir()
    assert load_run(path).run["isolation"] == environment.isolation()
    record = json.loads(variables[environment.ISOLATION])
    for other in ("", "{", "[]", json.dumps({**record, "isolation": {**record["isolation"], "cpus": "x"}}),
                  json.dumps({**record, "isolation": {**record["isolation"], "start": 1}})):
        monkeypatch.setenv(environment.ISOLATION, other)
        assert environment.isolation() is None


def test_what_run_json_keeps_is_what_the_record_has():
    assert schema("run")["properties"]["isolation"] == schema("isolation")["$defs"]["isolation"]


ISOLATED = {"id": "0" * 16, "pid": 7, "start": 9, "cpus": "2-3", "free": "2-3", "siblings": "", "by": "cgroup1",
            "tasks": 1, "interrupts": 0, "governor": None,
            "refused": [{"what": "a <b>", "reason": "because", "needs": "root (sudo)"}]}


def test_reports_and_comparisons_tell_of_it(tmp_path):
    runs = []
    for name, isolation in (("a", None), ("b", ISOLATED), ("c", {**ISOLATED, "tasks": 2})):
        path = store(tmp_path / name)
        run = json.loads((path / "run.json").read_text()) | ({"isolation": isolation} if isolation else {})
        (path / "run.json").write_text(json.dumps(run))
        runs.append(load_run(path))
    first, second = (dict(view["rows"]) for view in environments(runs))
    assert first["Isolation"] == "none"
    assert second["Isolation"] == ("CPUs 2-3 by cgroup v1; 1 task moved away; "
                                   "not done: a <b>: because (needs root (sudo))")
    assert _machine(*runs[:2]) == ["the machines differ: isolation none → CPUs 2-3 by cgroup v1"]
