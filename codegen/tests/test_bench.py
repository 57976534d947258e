"""Bench rows: what each ratio is of, when there is an interval, which variant counts, and the schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from planning import EXAMPLES
from weir import PACKAGE, cli
from weir.engine.measuring.witness import BEHIND_LIMIT, CHANGE_LIMIT
from weir.lab.bench import measure
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, EQUAL, Entry, Facts, Outcome
from weir.lab.bench.rows import BARE, Series, rows_of
from weir.lab.bench.table import table
from weir.lab.bench.witness import marked
from weir.model.document import shape
from weir.model.planning.topology import this_machine
from weir.read.comparing.statistics import MIN_BLOCKS

VALIDATOR = jsonschema.Draft202012Validator(shape.schema("bench"))


def series(contender: str, rates: list[float], buffers: str | None = None, variant: str | None = None,
           cpu_s: float | None = None, **facts) -> Series:
    """What an entry reached that was never run."""
    entry = Entry(contender, lambda: Outcome(0), buffers, variant, Facts(**facts))
    return Series(entry, [Outcome(rate, cpu_s) for rate in rates])


def rows(cell: Cell, rounds: int = MIN_BLOCKS) -> dict[str, dict]:
    """A machine that doubles its speed from round to round: within a round, flow has half the speed of bare."""
    bare = [100.0 * 2**i for i in range(rounds)]
    flow = series("flow", [rate / 2 for rate in bare], AUTO, buffer_bytes=4096)
    return {row.contender: row.as_json() for row in rows_of(cell, [series(BARE, bare), flow])}


def test_ratios_are_taken_within_a_round() -> None:
    found = rows(Cell("saxpy", 1, 1))
    assert found["flow"]["ratio_to_bare"] == pytest.approx(0.5)
    assert found["flow"]["spread"] == pytest.approx([0.5, 0.5])
    assert found["bare"]["ratio_to_bare"] == found["bare"]["ratio_to_ideal"] == 1.0


def test_the_ideal_shares_the_stages_out_among_the_workers() -> None:
    assert rows(Cell("saxpy", 2, 4))["flow"]["ratio_to_ideal"] == pytest.approx(1.0)
    assert rows(Cell("saxpy", 4, 2))["flow"]["ratio_to_ideal"] == pytest.approx(0.25)
    assert rows(Cell("null_rand", 2, 5))["flow"]["ratio_to_ideal"] == pytest.approx(0.5)


def test_the_variant_of_the_best_median_is_the_row() -> None:
    """Not that of the best mean, nor of the best round."""
    measured = [series(BARE, [10.0, 10.0, 1000.0], variant="256 bit"),
                series(BARE, [20.0, 20.0, 20.0], variant="512 bit"),
                series("flow", [5.0, 10.0, 20.0], AUTO), series("flow", [2.0, 2.0, 2.0], EQUAL)]
    bare, auto, equal = rows_of(Cell("saxpy", 1, 1), measured)
    assert (bare.variant, bare.items_per_s, bare.ratio_to_bare) == ("512 bit", 20.0, 1.0)
    assert (auto.buffers, auto.ratio_to_bare) == (AUTO, pytest.approx(0.5))
    assert (equal.buffers, equal.ratio_to_bare) == (EQUAL, pytest.approx(0.1))


def test_there_is_no_row_without_a_bare_kernel() -> None:
    with pytest.raises(ValueError, match="nothing to compare with in saxpy, 1 worker, 2 stages"):
        rows_of(Cell("saxpy", 1, 2), [series("flow", [1.0], AUTO)])


def test_cpu_time_is_a_share_of_the_cells_cpus() -> None:
    measured = [series(BARE, [1.0] * 3), series("flow", [1.0] * 3, AUTO, cpu_s=1.5)]
    bare, flow = rows_of(Cell("saxpy", 2, 4), measured)
    assert bare.cpu_s is None and flow.cpu_s == 0.75


def test_too_few_rounds_have_no_interval_and_the_table_says_so() -> None:
    few, enough = (list(rows(Cell("saxpy", 1, 1), count).values()) for count in (MIN_BLOCKS - 1, MIN_BLOCKS))
    assert {row["spread"] for row in few} == {None}
    assert table(few).count("not enough data ") == 3  # the rows, and the line below them
    assert f"not enough data for intervals: {MIN_BLOCKS - 1} of the {MIN_BLOCKS} rounds" in table(few)
    assert "not enough data" not in table(enough)


def test_the_table_has_what_is_held_equal_beside_the_rates() -> None:
    measured = [series(BARE, [2e9], variant="512 bit"),
                series("flow", [1e9], EQUAL, cpu_s=2.0, buffer_bytes=16384, total_buffer_bytes=49152, in_place=True,
                       items_per_call=4096.0)]
    lines = table([row.as_json() for row in rows_of(Cell("saxpy", 2, 4), measured)]).splitlines()
    assert lines[0].split() == ["work", "n", "m", "contender", "buffers", "items/s", "to", "bare", "to", "ideal", "95",
                                "%", "interval", "items/call", "largest", "all", "in", "place", "CPU", "slowed"]
    assert lines[1].split()[3:11] == ["bare", "(512", "bit)", "–", "2.00", "Gitems/s", "1.000", "–"]
    assert lines[2].split() == ["saxpy", "2", "4", "flow", "equal", "1.00", "Gitems/s", "0.500", "1.000", "not",
                                "enough", "data", "4096", "16.0", "KiB", "48.0", "KiB", "yes", "1.00", "–"]


def test_a_document_keeps_to_its_schema() -> None:
    measurement = {"work": "saxpy", "n": 1, "m": 1, "round": 0, "contender": "bare", "buffers": None,
                   "variant": "512 bit", "condition": None, "items_per_s": 1.0, "cpu_s": 1.0, "latency": None,
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
    measured = [series("bare", [100.0] * 3, variant="512 bit"), series("flow", [50.0] * 3, AUTO),
                series("single_thread", [40.0] * 3, AUTO)]
    raw = [{"work": "saxpy", "n": n, "m": 1, "round": number, "contender": it.entry.contender,
            "buffers": it.entry.buffers, "variant": it.entry.variant, "condition": None, "items_per_s": 1.0,
            "cpu_s": None, "witness_items_per_s": speeds.get((number, it.entry.contender), [100e9, 100e9])}
           for number in range(3) for it in measured]
    found, measurements = marked(rows_of(cell, measured), raw)
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


def test_what_a_row_does_not_show_does_not_mark_it() -> None:
    """The other variant of bare, and the other choice of buffers."""
    cell, slow, well = Cell("saxpy", 1, 1), [10e9, 10e9], [100e9, 100e9]
    measured = [series(BARE, [1.0], variant="256 bit"), series(BARE, [2.0], variant="512 bit"),
                series("flow", [1.0], AUTO), series("flow", [1.0], EQUAL)]
    raw = [{"work": "saxpy", "n": 1, "m": 1, "round": 0, "contender": it.entry.contender, "buffers": it.entry.buffers,
            "variant": it.entry.variant, "condition": None, "witness_items_per_s": speeds}
           for it, speeds in zip(measured, (slow, well, well, slow))]
    found, _ = marked(rows_of(cell, measured), raw)
    assert [(row.contender, row.buffers, row.slowed) for row in found] == [
        ("bare", None, 0), ("flow", AUTO, 0), ("flow", EQUAL, 1)]


def test_a_machine_that_keeps_its_speed_is_not_marked() -> None:
    found, _ = witnessed({(0, "bare"): [86e9, 100e9], (1, "flow"): [81e9, 81e9]})
    text = table(list(found.values()))
    assert {row["slowed"] for row in found.values()} == {0} and "slowed down" not in text
    assert "the bare kernel ran at 81.0 Gitems/s to 100 Gitems/s" in text


def test_a_cell_that_was_slow_throughout_shows_beside_another_one() -> None:
    slow, usual = [{"work": "saxpy", "n": 1, "m": m, "round": 0, "contender": "bare", "buffers": None, "variant": None,
                    "condition": None, "items_per_s": 1.0, "witness_items_per_s": [speed, speed]}
                   for m, speed in ((1, 2.3e9), (3, 23e9))]
    found = [row for m in (1, 3) for row in rows_of(Cell("saxpy", 1, m), [series("bare", [1.0])])]
    assert [row.slowed for row in marked(found, [slow, usual])[0]] == [1, 0]


def test_the_limits_are_those_of_a_run_and_of_the_pages() -> None:
    root = EXAMPLES.parent
    assert f"kMostChange = {CHANGE_LIMIT};" in (root / "runtime/src/app_witness.cpp").read_text()
    for page in ("docs/measuring.md", "bench/README.md"):
        text = " ".join((root / page).read_text().split())
        assert f"more than {100 * CHANGE_LIMIT:g} %" in text and f"more than {100 * BEHIND_LIMIT:g} % below" in text


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
    assert cli.main(["bench", "--out", str(tmp_path / "no" / "folder" / "rows.json"),
                     "--figures", str(tmp_path / "figures")]) == 3
    captured = capsys.readouterr()
    assert "flow" in captured.out and "rows.json" in captured.err and "internal error" not in captured.err
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == ["saxpy_n1.png", "saxpy_n1.svg"]
    (tmp_path / "file").write_text("")
    assert cli.main(["bench", "--figures", str(tmp_path / "file")]) == 3
    assert "write figures to" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "expected"), [([], (8, 0.5, 21)), (["--quick"], (3, 0.2, 9)),
                                                 (["--quick", "--rounds", "9", "--work", "saxpy"], (9, 0.2, 3))])
def test_quick_is_fewer_cells_rounds_and_seconds(words: list[str], expected: tuple, capsys: pytest.CaptureFixture,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def record(choose, rounds: int, seconds: float, _) -> dict:
        asked.append((rounds, seconds, len(choose(2))))
        return {"rows": [], "environment": {}, "raw": []}

    monkeypatch.setattr(measure, "measure", record)
    assert cli.main(["bench", "--json", *words]) == 0 and capsys.readouterr().out
    assert asked == [expected]


@pytest.mark.slow
def test_the_verb_measures_every_contender(tmp_path: Path, capsys: pytest.CaptureFixture,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weir.lab.bench.cells.cells", lambda *_: [Cell("saxpy", 1, 2), Cell("null_rand", 1, 2)])
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    file = tmp_path / "rows.json"
    assert cli.main(["bench", "--rounds", "2", "--seconds", "0.02", "--json", "--out", str(file)]) == 0
    answer, written = json.loads(capsys.readouterr().out), json.loads(file.read_text())
    VALIDATOR.validate(answer)
    VALIDATOR.validate(written)
    ours = ["flow", "single_thread", "thread_per_block"]
    assert [(row["work"], row["contender"], row["buffers"]) for row in answer["rows"]] == [
        ("saxpy", "bare", None), ("saxpy", "fma_peak", None), ("saxpy", "handwritten", None),
        *(("saxpy", name, buffers) for name in (*ours, "static") for buffers in ("auto", "equal")),
        ("saxpy", "fused", "auto"),
        ("null_rand", "bare", None), *(("null_rand", name, buffers) for name in ours for buffers in ("auto", "equal"))]
    assert all(row["items_per_s"] > 1e6 and min(row["witness"]) > 1e6 for row in answer["rows"])
    equal = [row for row in answer["rows"] if row["buffers"] == "equal"]
    assert {row["buffer_bytes"] for row in equal} == {16384}
    assert all(0 < row["items_per_call"] <= 4096 and row["cpu_s"] > 0 for row in equal)
    # Each entry once a round, the variants of bare and fma_peak among them.
    entries = {(one["work"], one["contender"], one["buffers"], one["variant"]) for one in written["raw"]}
    assert len(written["raw"]) == 2 * len(entries) and len(entries) >= 9 + 1 + 1 + 6 + 2
