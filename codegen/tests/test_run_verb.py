"""Test the arguments of `weir run`, and how its summary counts sinks."""

import argparse
import errno
import json
import os
import threading
from types import SimpleNamespace

import pytest
from planning import EXAMPLES, MACHINES, chain
from stored_runs import store
from weir import cli
from weir.cli.verbs._running import prepare_all
from weir.cli.verbs.run import items_of
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.runnable import Finished, Runnable
from weir.engine.pipeline import Pipeline
from weir.engine.targets.interface import Program
from weir.read.reporting.summary import _sinks


@pytest.mark.parametrize("text, items", [("1", 1), ("100000", 100_000), ("2M", 2_000_000), ("1.5 k", 1500)])
def test_items_take_the_suffixes_of_a_project(text, items):
    assert items_of(text) == items


@pytest.mark.parametrize("text", ["0", "-3", "2.5", "1u", "many", "", "9**9**9"])
def test_what_is_not_a_count_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a count"):
        items_of(text)


@pytest.mark.parametrize("short, end", [(4, "of 9 items"), (6, "of 9 items, 2 more")])
def test_short_sinks_beyond_four_are_counted(short, end):
    text = _sinks([{"id": f"sink@p{i}", "items": 3, "expected": 9, "digest": None} for i in range(short)])
    assert text.count("sink@") == 4 and text.endswith(end)


@pytest.mark.parametrize("asked, code", [([], 0), (["--deployment", "good"], 0), (["--deployment", "bad"], 1)])
def test_an_error_in_a_deployment_that_was_not_asked_for_does_not_stop_the_others(asked, code, tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed_twice()))
    assert cli.main(["plan", str(file), "--machine", str(MACHINES / "two_core.json"), *asked]) == code
    assert "E_WORKER_UNKNOWN" in capsys.readouterr().err
    assert cli.main(["validate", str(file)]) == 1


@pytest.mark.parametrize("words", [["run"], ["sweep", "--vary", "chunk_items=256,512"], ["tune"], ["rate"]])
@pytest.mark.parametrize("fault, code", [(errno.ENOSPC, "E_DISK_FULL"), (errno.EROFS, "E_FILE_PERMISSION"),
                                         (None, "E_FILE_IO")])
def test_a_folder_that_cannot_keep_runs_is_found_out_before_anything_is_built(words, fault, code, tmp_path, capsys,
                                                                              monkeypatch):
    monkeypatch.setattr(Pipeline, "build", lambda *_: pytest.fail("something is built"))
    (tmp_path / "file").touch()
    out = tmp_path / "file/runs" if fault is None else tmp_path / "new/runs"
    if fault is not None:
        monkeypatch.setattr(os, "posix_fallocate", refusal(fault))
    verb, *more = words
    assert cli.main([verb, str(EXAMPLES / "quickstart.weir.json"), *more, "--out", str(out)]) == 3
    assert f"{code}: cannot keep runs in {out}" in capsys.readouterr().err and not (tmp_path / "new").exists()


def refusal(fault: int):
    def refused(*_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    return refused


def test_fewer_items_than_the_warm_up_takes_are_reported_before_anything_is_built(tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({**chain(2), "run": {"items": 100_000, "warmup_items": 1000}}))
    for items, said in (("1001", False), ("1000", True)):  # and the project's own 100,000 are not mentioned
        assert cli.main(["run", str(file), "--items", items, "--deployment", "none_such"]) == 2
        assert ("/run/warmup_items: warning W_WARMUP: `sink` gets 1\u202f000 items, and the first 1\u202f000 "
                "are warm-up: nothing is measured\n"
                "    hint: reduce the warm-up, or run more items" in capsys.readouterr().err) == said


def deployed_twice() -> dict:
    good = {"name": "good", "scheduler": "flow", "workers": 2}
    return {**chain(2), "deployments": [good, {**good, "name": "bad", "affinity": {"w7": [0]}}]}


@pytest.mark.parametrize("param, said", [
    ("stage.a", "expected instance.parameter=value"), ("stagee.a=2", "did you mean `stage.a`?"),
    ("stage.item_type=f64", "no such parameter"), ("scheduler.steps=2", "no such parameter")])
def test_parameters_that_no_program_has_are_refused_before_one_is_built(param, said, tmp_path, capsys):
    out = tmp_path / "runs"
    assert cli.main(["run", str(EXAMPLES / "quickstart.weir.json"), "--param", param, "--out", str(out)]) == 2
    assert said in capsys.readouterr().err and not out.exists()


def prepared(folder):
    return lambda pipeline, planned, command, listener: Runnable(
        pipeline.checked.project.document, folder, planned.plan.as_json(), {}, Program.of(folder), {}, command)


@pytest.mark.parametrize("digest, code", [("0123456789abcdef", 0), ("f" * 16, 4)])
def test_deployments_of_one_command_are_compared_with_each_other(digest, code, tmp_path, capsys, monkeypatch):
    project = EXAMPLES / "quickstart.weir.json"
    other = [{"id": "sink", "items": 1000, "expected": 1000, "digest": digest}]
    paths = [store(tmp_path, deployment="flow"), store(tmp_path, deployment="single_thread", changes={"sinks": other})]

    def run_all(runnables, options, listener):
        for path in paths:
            listener.finished(Finished(path, load_run(path).results, json.loads(project.read_text())))

    monkeypatch.setattr("weir.cli.verbs._running.prepare", prepared(tmp_path))
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", run_all)
    assert cli.main(["run", str(project), "--json", "--deployment", "flow", "--deployment", "single_thread"]) == code
    said = capsys.readouterr()
    printed = json.loads(said.out)
    assert printed == [load_run(path).results for path in paths]
    assert [r["status"] for r in printed] == (["invalid"] * 2 if code else ["ok"] * 2)
    assert ("did equal work, but the digests of sink differ" in said.err) == bool(code)


@pytest.mark.parametrize("ok, code", [(True, 0), (False, 4)])
def test_only_verifying_stores_no_run(ok, code, tmp_path, capsys, monkeypatch):
    from weir.engine.verifying.verification import Verification

    found = Verification(ok, 5, "numpy", None, "0" * 64, (), "as it should be" if ok else "wrong")
    monkeypatch.setattr("weir.cli.verbs._running.prepare", prepared(tmp_path))
    monkeypatch.setattr("weir.engine.measuring.runner.verify_all", lambda runnables, options, listener: [found])
    out = tmp_path / "runs"
    assert cli.main(["run", str(EXAMPLES / "quickstart.weir.json"), "--verify", "--out", str(out)]) == code
    said = capsys.readouterr().out
    assert said == f"quickstart · flow  {'verified: as it should be' if ok else 'NOT VERIFIED: wrong'}\n"
    assert not out.exists()


def to_run(names: str) -> list[SimpleNamespace]:
    """Return planned deployments of these names."""
    return [SimpleNamespace(plan=SimpleNamespace(deployment=SimpleNamespace(name=name))) for name in names]


def test_deployments_are_built_side_by_side_and_keep_their_order(monkeypatch):
    together = threading.Barrier(2)

    def prepare(pipeline, planned, command, listener):
        together.wait(timeout=120)  # continues once another one works, too
        return command

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr("weir.cli.verbs._running.prepare", prepare)
    assert prepare_all(None, to_run("dcba"), str.upper, None) == ["D", "C", "B", "A"]


@pytest.mark.parametrize("cpus", [1, 2])
def test_of_deployments_that_do_not_build_the_first_is_reported_and_no_more_are_begun(cpus, monkeypatch):
    begun: list[str] = []

    def prepare(pipeline, planned, command, listener):
        begun.append(command)
        if command in "bcd":
            raise WeirError(diagnostic("E_BUILD_FAILED", "", command))
        return command

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cpus)))
    monkeypatch.setattr("weir.cli.verbs._running.prepare", prepare)
    with pytest.raises(WeirError, match="^b$"):
        prepare_all(None, to_run("abcdefgh"), str.lower, None)
    assert "b" in begun and not set(begun) & set("efgh")
