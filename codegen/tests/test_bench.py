"""Bench rows: what each ratio is of, when there is an interval, and the schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from weir import cli
from weir.bench import measure
from weir.bench.cells import CELLS, Cell, contenders
from weir.bench.rows import MIN_ROUNDS, bootstrap_median, rows_of, table
from weir.document import shape

VALIDATOR = jsonschema.Draft202012Validator(shape.schema("bench"))


def rows(cell: Cell, rounds: int = MIN_ROUNDS) -> dict[str, dict]:
    """A machine that doubles its speed from round to round: within a round, flow has half the speed of bare."""
    bare = [100.0 * 2**i for i in range(rounds)]
    rates = {"bare": bare, "flow": [rate / 2 for rate in bare]}
    return {row.contender: row.as_json() for row in rows_of(cell, rates, {"flow": 4096}, "-O3", 1)}


def test_ratios_are_taken_within_a_round() -> None:
    found = rows(Cell("saxpy", 1, 1))
    assert found["flow"]["ratio_to_bare"] == 0.5 and found["flow"]["spread"] == [0.5, 0.5]
    assert found["bare"]["ratio_to_bare"] == found["bare"]["ratio_to_ideal"] == 1.0


def test_the_ideal_shares_the_stages_out_among_the_workers() -> None:
    assert rows(Cell("saxpy", 2, 4))["flow"]["ratio_to_ideal"] == 1.0
    assert rows(Cell("saxpy", 4, 2))["flow"]["ratio_to_ideal"] == 0.25
    assert rows(Cell("null_rand", 2, 5))["flow"]["ratio_to_ideal"] == 0.5


def test_too_few_rounds_have_no_interval() -> None:
    few = list(rows(Cell("saxpy", 1, 1), MIN_ROUNDS - 1).values())
    assert {row["spread"] for row in few} == {None}
    assert table(few).count("not enough data") == 2


def test_the_interval_holds_the_median_and_repeats() -> None:
    ratios = [0.8, 0.9, 0.95, 1.0, 1.0, 1.05, 1.1, 1.2]
    low, high = bootstrap_median(ratios, 1)
    assert 0.8 <= low < 1.0 < high <= 1.2
    assert bootstrap_median(ratios, 1) == [low, high]


def test_a_document_keeps_to_its_schema() -> None:
    measurement = {"work": "saxpy", "n": 1, "m": 1, "round": 0, "contender": "bare", "items_per_s": 1.0}
    found = [row for count in (1, MIN_ROUNDS) for row in rows(Cell("saxpy", 1, 1), count).values()]
    document = {"rows": found, "environment": measure._environment(), "raw": [measurement]}
    VALIDATOR.validate(document)
    for row in found:
        row["unknown"] = 1
    assert not VALIDATOR.is_valid(document)


def test_one_worker_is_all_that_single_thread_has() -> None:
    for cell in CELLS:
        assert ("single_thread" in {it.scheduler for it in contenders(cell)}) == (cell.n == 1)


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
