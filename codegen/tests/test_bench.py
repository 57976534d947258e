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
from weir.bench.witness import marked
from weir.comparing.statistics import MIN_BLOCKS
from weir.document import shape
from weir.document.project import load_project
from weir.planning.topology import this_machine
from weir.measuring.witness import BEHIND_LIMIT, CHANGE_LIMIT

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
    measurement = {"work": "saxpy", "n": 1, "m": 1, "round": 0, "contender": "bare", "items_per_s": 1.0,
                   "witness_items_per_s": [1.0, 1.0], "slowed": False}
    found = [row for count in (1, MIN_BLOCKS) for row in rows(Cell("saxpy", 1, 1), count).values()]
    document = {"rows": found, "environment": measure._environment(this_machine()), "raw": [measurement]}
    VALIDATOR.validate(document)
    for row in found:
        row["unknown"] = 1
    assert not VALIDATOR.is_valid(document)


def witnessed(speeds: dict[tuple[int, str], list[float]], n: int = 1) -> tuple[dict[str, dict], list[dict]]:
    """The rows and the measurements of three rounds; `speeds`: (round, contender) -> the witness, else 100 G."""
    cell = Cell("saxpy", n, 1)
    rates = {"bare": [100.0] * 3, "flow": [50.0] * 3, "single_thread": [40.0] * 3}
    raw = [{"work": "saxpy", "n": n, "m": 1, "round": number, "contender": name, "items_per_s": 1.0,
            "witness_items_per_s": speeds.get((number, name), [100e9, 100e9])} for number in range(3) for name in rates]
    found, measurements = marked(rows_of(cell, rates, {}, "-O3"), raw)
    return {row.contender: row.as_json() for row in found}, measurements


def test_rounds_on_a_slower_machine_are_marked_and_counted() -> None:
    found, raw = witnessed({(1, "flow"): [100e9, 84e9], (2, "flow"): [79e9, 78e9]})
    assert {name: row["slowed"] for name, row in found.items()} == {"bare": 0, "flow": 2, "single_thread": 0}
    assert found["flow"]["witness"] == [78e9, 100e9] and found["flow"]["rounds"] == 3
    assert [(one["round"], one["contender"]) for one in raw if one["slowed"]] == [(1, "flow"), (2, "flow")]
    text = table(list(found.values()))
    assert "2 of 3 rounds" in text
    assert "78.0 Gitems/s to 100 Gitems/s; the machine slowed down in rounds of 1 of 3 rows" in text


def test_a_slowed_bare_kernel_touches_every_ratio_to_it() -> None:
    found, _ = witnessed({(0, "bare"): [10e9, 10e9]})
    assert {row["slowed"] for row in found.values()} == {1}


def test_a_machine_that_keeps_its_speed_is_not_marked() -> None:
    found, _ = witnessed({(0, "bare"): [86e9, 100e9], (1, "flow"): [81e9, 81e9]})
    text = table(list(found.values()))
    assert {row["slowed"] for row in found.values()} == {0} and "slowed down" not in text
    assert "the bare kernel ran at 81.0 Gitems/s to 100 Gitems/s" in text


def test_a_cell_that_was_slow_throughout_shows_beside_another_one() -> None:
    slow, usual = [{"work": "saxpy", "n": 1, "m": m, "round": 0, "contender": "bare", "items_per_s": 1.0,
                    "witness_items_per_s": [speed, speed]} for m, speed in ((1, 2.3e9), (3, 23e9))]
    cells = [row for m in (1, 3) for row in rows_of(Cell("saxpy", 1, m), {"bare": [1.0]}, {}, "")]
    assert [row.slowed for row in marked(cells, [slow, usual])[0]] == [1, 0]


def test_the_limits_are_those_of_a_run_and_of_the_pages() -> None:
    root = EXAMPLES.parent
    assert f"kMostChange = {CHANGE_LIMIT};" in (root / "runtime/src/app_witness.cpp").read_text()
    for page in ("docs/measuring.md", "bench/README.md"):
        text = " ".join((root / page).read_text().split())
        assert f"more than {100 * CHANGE_LIMIT:g} %" in text and f"more than {100 * BEHIND_LIMIT:g} % below" in text


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
    assert all(row["items_per_s"] > 1e6 and min(row["witness"]) > 1e6 for row in answer["rows"])
