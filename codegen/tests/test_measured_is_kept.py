"""Test that measurements of a program survive every fault after its end."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from stored_runs import EXAMPLES, planned, store
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring import runner
from weir.engine.measuring.ctf_reader import RECORD
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import RunDirectory, load_run
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.measuring.runner import MEASURED, run_all
from weir.engine.measuring.weir_protocol import EVENTS
from weir.engine.targets.interface import Program
from weir.machine import environment

#: The tx and the rx of a boundary of no block, in the format of the memory back-end.
RECORDED = RECORD.pack(100, 1, 0, 0, 7, -1, 0) + RECORD.pack(200, 1, 0, 1, 7, -1, 1)


@pytest.fixture
def measured(tmp_path: Path) -> dict:
    """Return the results that the program of `run` writes; a test may damage them."""
    return json.loads((store(tmp_path / "before") / "results.json").read_text())


def run(tmp_path: Path, results: dict, said: list[str], trace: str = "off", sources: Sequence[str] = ()) -> None:
    """Run a program that only writes these results and one more file. `sources`: kept with the run."""
    (tmp_path / "results").write_text(json.dumps(results))
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable}\nfrom pathlib import Path\n"
                       f"Path('results.json').write_bytes(Path({str(tmp_path / 'results')!r}).read_bytes())\n"
                       "Path('out.bin').write_text('items')\n"
                       f"Path('{EVENTS}').write_bytes({RECORDED!r})\n")
    program.chmod(0o755)
    checked, plan, machine = planned(EXAMPLES / "quickstart.weir.json")
    runnable = Runnable(checked.project.document, EXAMPLES, plan, machine.as_json(), Program.of(program), {},
                        "weir run q", kept=dict.fromkeys(sources, b"code"))
    run_all([runnable], RunOptions(tmp_path / "runs", trace=trace), Listener(said.append))


def kept(tmp_path: Path, said: list[str]) -> Path:
    [path] = (tmp_path / "runs").iterdir()
    assert said[-1] == f"Weir kept the measurements in {path}" and not path.name.startswith(".")
    assert (path / "out.bin").read_text() == "items"
    return path


def test_results_that_depart_from_their_schema_are_kept_as_an_invalid_run(tmp_path, measured, capsys):
    said: list[str] = []
    spoiled = {**measured, "tail_items": "many"}
    with pytest.raises(WeirError, match="does not match its schema"):
        run(tmp_path, spoiled, said)
    path = kept(tmp_path, said)
    stored = load_run(path)
    assert stored.status == "invalid"
    assert [reason["code"] for reason in stored.results["reasons"]] == ["E_NOT_ANALYSED"]
    assert json.loads((path / MEASURED).read_text())["tail_items"] == "many"
    assert cli.main(["runs", "rm", str(path), "--out", str(tmp_path / "runs")]) == 0 and not path.exists()


@pytest.mark.parametrize("fault",
                         [RuntimeError("a fault"), KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_any_exception_of_the_analysis_leaves_an_invalid_run(tmp_path, measured, monkeypatch, fault):
    def fails(*_: object) -> None:
        raise fault

    said: list[str] = []
    monkeypatch.setattr(runner, "write_tables", fails)
    with pytest.raises(WeirError if isinstance(fault, OSError) else type(fault)):
        run(tmp_path, measured, said)
    path = kept(tmp_path, said)
    assert load_run(path).status == "invalid"
    assert json.loads((path / MEASURED).read_text())["throughput_items_per_s"] == measured["throughput_items_per_s"]


def test_what_was_traced_in_memory_stays_where_the_analysis_fails(tmp_path, measured, monkeypatch):
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    said: list[str] = []
    monkeypatch.setattr(runner, "write_tables", fails)
    with pytest.raises(RuntimeError):
        run(tmp_path, measured, said, "memory")
    assert (kept(tmp_path, said) / EVENTS).read_bytes() == RECORDED


def test_a_tracer_that_fails_at_the_end_costs_no_results(tmp_path, measured, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(runner.Recording, "__exit__", lambda *_: (_ for _ in ()).throw(OSError(5, "no daemon")))
    with pytest.raises(WeirError):
        run(tmp_path, measured, said)
    assert json.loads((kept(tmp_path, said) / MEASURED).read_text()) == measured


def test_a_fault_in_what_only_describes_the_run_leaves_its_results(tmp_path, measured, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(environment, "host", lambda: "not what the schema says")
    with pytest.raises(WeirError, match="run.json does not match"):
        run(tmp_path, measured, said)
    path = kept(tmp_path, said)
    assert json.loads((path / "results.json").read_text())["status"] == "ok" and not (path / "run.json").exists()


def test_where_nothing_more_can_be_written_the_files_stay_as_the_program_wrote_them(tmp_path, measured, monkeypatch):
    said: list[str] = []
    write = RunDirectory.write

    def full(self: RunDirectory, name: str, value: object) -> None:
        if name == "results.json":
            raise OSError(28, "No space left on device")
        write(self, name, value)

    monkeypatch.setattr(RunDirectory, "write", full)
    with pytest.raises(WeirError) as caught:
        run(tmp_path, measured, said)
    assert caught.value.diagnostics[0].code == "E_DISK_FULL"
    path = kept(tmp_path, said)
    assert json.loads((path / MEASURED).read_text()) == measured


def test_a_run_that_measured_nothing_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "run_child", lambda *_: (_ for _ in ()).throw(OSError(13, "Permission denied")))
    said: list[str] = []
    with pytest.raises(WeirError):
        run(tmp_path, {}, said)
    assert not any("is kept" in line for line in said) and list((tmp_path / "runs").iterdir()) == []


def test_sources_in_folders_are_kept(tmp_path, measured):
    names = ["blocks/mine/py/mine.py", "schedulers/mine/a/b/..c.py", "targets/mine/x.j2", "blocks/mine/block.json"]
    run(tmp_path, measured, [], sources=names)
    [path] = (tmp_path / "runs").iterdir()
    assert load_run(path).status == "ok" and sorted(load_run(path).run["kept"]) == sorted(names)
    assert all((path / "sources" / name).read_bytes() == b"code" for name in names)


@pytest.mark.parametrize("name",
                         ["schedulers/mine/../../../../../notes.txt", "blocks/mine/../x", "/notes.txt", "blocks/x",
                                  "others/mine/x", "blocks/mine//x", "blocks/mine/./x"])
def test_what_run_json_cannot_list_is_reported_before_the_program_runs(tmp_path, measured, name):
    (tmp_path / "notes.txt").write_text("mine")
    said: list[str] = []
    with pytest.raises(WeirError, match="a run cannot keep it") as caught:
        run(tmp_path, measured, said, sources=["blocks/mine/mine.py", name])
    assert caught.value.diagnostics[0].pointer.startswith("/kept") and said == []
    assert (tmp_path / "notes.txt").read_text() == "mine" and not (tmp_path / "runs").exists()
