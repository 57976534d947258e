"""Bench rows: what each ratio is of, when there is an interval, and the schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from planning import EXAMPLES

from weir import cli
from weir.bench import measure
from weir.bench.cells import CELLS, PROJECTS, Cell, contenders
from weir.bench.rows import rows_of, table
from weir.comparing.statistics import MIN_BLOCKS
from weir.document import shape
from weir.document.project import load_project

VALIDATOR = jsonschema.Draft202012Validator(shape.schema("bench"))


def rows(cell: Cell, rounds: int = MIN_BLOCKS) -> dict[str, dict]:
    """A machine that doubles its speed from round to round: within a round, flow has half the speed of bare."""
    bare = [100.0 * 2**i for i in range(rounds)]
    rates = {"bare": bare, "flow": [rate / 2 for rate in bare]}
    return {row.contender: row.as_json() for row in rows_of(cell, rates, {"flow": 4096}, "-O3")}


def test_ratios_are_taken_within_a_round() -> None:
    found = rows(Cell("saxpy", 1, 1))
    assert found["flow"]["ratio_to_bare"] == pytest.approx(0.5)
    assert found["flow"]["spread"] == pytest.approx([0.5, 0.5])
    assert found["bare"]["ratio_to_bare"] == found["bare"]["ratio_to_ideal"] == 1.0


def test_the_ideal_shares_the_stages_out_among_the_workers() -> None:
    assert rows(Cell("saxpy", 2, 4))["flow"]["ratio_to_ideal"] == pytest.approx(1.0)
    assert rows(Cell("saxpy", 4, 2))["flow"]["ratio_to_ideal"] == pytest.approx(0.25)
    assert rows(Cell("null_rand", 2, 5))["flow"]["ratio_to_ideal"] == pytest.approx(0.5)


def test_too_few_rounds_have_no_interval() -> None:
    few = list(rows(Cell("saxpy", 1, 1), MIN_BLOCKS - 1).values())
    assert {row["spread"] for row in few} == {None}
    assert table(few).count("not enough data") == 2


def test_a_document_keeps_to_its_schema() -> None:
    measurement = {"work": "saxpy", "n": 1, "m": 1, "round": 0, "contender": "bare", "items_per_s": 1.0}
    found = [row for count in (1, MIN_BLOCKS) for row in rows(Cell("saxpy", 1, 1), count).values()]
    document = {"rows": found, "environment": measure._environment(), "raw": [measurement]}
    VALIDATOR.validate(document)
    for row in found:
        row["unknown"] = 1
    assert not VALIDATOR.is_valid(document)


def test_one_worker_is_all_that_single_thread_has() -> None:
    for cell in CELLS:
        schedulers = {it.scheduler for it in contenders(cell)}
        assert ("single_thread" in schedulers) == (cell.n == 1)
        assert ({"thread_pool", "work_stealing"} <= schedulers) == (cell.n > 1)


def test_every_contender_has_its_deployment_and_its_workers() -> None:
    for cell in CELLS:
        for it in contenders(cell):
            project, faults = load_project(EXAMPLES / f"{PROJECTS[cell.work]}.weir.json", sets=it.sets)
            assert not faults
            deployment = project.deployment(it.deployment)
            assert deployment.scheduler == it.scheduler
            assert not it.sets or deployment.workers == cell.n


@pytest.mark.parametrize("option", [("--rounds", "0"), ("--seconds", "nan"), ("--seconds", "-1"), ("--seconds", "x")],
                         ids=" ".join)
def test_numbers_out_of_range_are_usage_errors(option: tuple[str, str], capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", *option])
    assert ended.value.code == 2 and f"`{option[1]}`" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_costs_no_measurement(tmp_path: Path, capsys: pytest.CaptureFixture,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(rows(Cell("saxpy", 1, 1)).values())
    monkeypatch.setattr(measure, "measure", lambda *_: {"rows": found, "environment": {}, "raw": []})
    assert cli.main(["bench", "--out", str(tmp_path / "no" / "folder" / "rows.json")]) == 3
    captured = capsys.readouterr()
    assert "flow" in captured.out and "rows.json" in captured.err and "internal error" not in captured.err


@pytest.mark.slow
def test_the_verb_measures_every_contender(tmp_path: Path, capsys: pytest.CaptureFixture,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weir.bench.cells.CELLS", [Cell("saxpy", 1, 2), Cell("null_rand", 1, 2)])
    monkeypatch.setenv("PYTHONPATH", str(Path(cli.__file__).parents[1]))
    file = tmp_path / "rows.json"
    assert cli.main(["bench", "--rounds", "2", "--seconds", "0.02", "--json", "--out", str(file)]) == 0
    answer, written = json.loads(capsys.readouterr().out), json.loads(file.read_text())
    VALIDATOR.validate(answer)
    VALIDATOR.validate(written)
    assert len(answer["rows"]) == 8 and len(written["raw"]) == 16
    assert all(row["items_per_s"] > 1e6 for row in answer["rows"])
