"""Test the tables of docs/experiments, which a script writes from the committed tables of the sweeps."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from conftest import CODEGEN
from sweep_world import program, sweep

sys.path.insert(0, str(CODEGEN.parent / "docs"))

import make_experiments as made  # noqa: E402

PLACE = '<!-- table: {} -->\n{}<!-- end of table -->\n'
SHARES = {"from": "p-s", "rows": "deployment", "columns": "stages", "show": "of_ceiling"}


def committed(folder: Path, rounds: int = 2, **more) -> None:
    """Write a committed table of two contenders, last points first. `more`: columns of every run."""
    (folder / "tables").mkdir(exist_ok=True)
    with (folder / "tables" / "p-s.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["deployment", "stages", *made.KEPT], lineterminator="\n")
        table.writeheader()
        for round_ in range(rounds):
            for point, (name, stages) in reversed(list(enumerate([("a", 1), ("a", 2), ("b", 1), ("b", 2)]))):
                table.writerow({"deployment": name, "stages": stages, "round": round_, "point": point,
                                "round_disturbed": "false", "other_programs": 0.01 * (1 + round_), "status": "ok",
                                "started": "2026-12-01T10:00:00Z", "window_s": 0.1 if name == "b" else 1.5,
                                "of_ceiling": (1 if name == "a" else 0.5) / stages / (1 + round_ / 10),
                                "elapsed_s": (1 if name == "a" else 2) * (1 + round_), "cpus": 2,
                                "cpu": "Some CPU", "kernel": "Linux 6.18.4 x86_64", **more})


def lines(folder: Path, **wanted) -> list[str]:
    text = made.renewed(PLACE.format(json.dumps({**SHARES, **wanted}), ""), folder / "tables")
    return text.splitlines()[2:-2]


def test_a_table_has_the_estimates_of_the_sweep_in_the_order_of_its_points(tmp_path):
    committed(tmp_path)
    *table, _, said, more = lines(tmp_path)
    assert table == ["| share of the bare kernel, by stages | 1 | 2 |", "| --- | --- | --- |",
                     "| `a` | 0.953 (0.909–1.00) | 0.477 (0.455–0.500) |",
                     "| `b` | 0.477\\* (0.455–0.500) | 0.238\\* (0.227–0.250) |"]
    assert said.startswith("[p-s.csv](tables/p-s.csv): 2 rounds (no intervals), 2026-12-01, on 2 CPUs of Some CPU, "
                           "Linux 6.18.4. In")
    assert f"{said} {more}".endswith("In brackets: the range of the rounds. Interference: 1 to 2 % (median 1.5 %), 0 "
                                     "disturbed rounds. \\* uncertain: a window under 0.2 s.")


def test_without_columns_each_quantity_has_its_own(tmp_path):
    committed(tmp_path, rounds=1)
    wanted = {"show": ["of_ceiling", "elapsed_s"], "columns": None, "only": {"stages": [2]}}
    assert lines(tmp_path, **wanted)[:4] == [
        "| deployment | share of the bare kernel | run time |", "| --- | --- | --- |",
        "| `a` | 0.500 | 1.00 s |", "| `b` | 0.250\\* | 2.00 s\\* |"]


def test_enough_rounds_give_intervals_and_a_reference_gives_differences(tmp_path):
    committed(tmp_path, rounds=8)
    assert "In brackets: 95 % intervals." in " ".join(lines(tmp_path))
    table = lines(tmp_path, show="elapsed_s", against={"deployment": "a"}, only={"stages": [2]})
    assert table[0] == "| run time, by stages | 2 |"
    assert table[2].startswith("| `a` | 4.00 s (") and table[3] == "| `b` | +100.0 %\\* (+100.0 %…+100.0 %) |"
    # `only` also holds for the reference.
    table = lines(tmp_path, rows="stages", columns=None, show="elapsed_s", against={"stages": 1},
                  only={"deployment": ["b"]})
    assert table[2].startswith("| `1` | 8.00 s\\* (")


def test_a_mean_has_its_percentiles_and_what_did_not_keep_up_has_no_number(tmp_path):
    committed(tmp_path, latency_mean_ns=5000, latency_p5_ns=1000, latency_p95_ns=9000)
    it = lines(tmp_path, show="latency_mean_ns", columns=None)
    assert it[2] == "| `a` | 5.00 µs (1.00 µs–9.00 µs) |" and "5th and 95th percentile" in " ".join(it)
    it = lines(tmp_path, show=["latency_mean_ns", "of_ceiling"], only={"stages": [1]})
    assert it[0] == "| mean latency; share of the bare kernel, by stages | 1 |"
    assert it[3] == "| `b` | 5.00 µs\\* (1.00 µs–9.00 µs); 0.477\\* (0.455–0.500) |"
    assert "In brackets: 5th and 95th percentile of a mean; the range of the rounds." in " ".join(it)
    committed(tmp_path, kept_up="false")
    assert lines(tmp_path)[2] == "| `a` | not kept up | not kept up |"
    committed(tmp_path, status="invalid")
    assert lines(tmp_path)[2] == "| `a` | – | – |"


@pytest.mark.parametrize("wanted, said", [
    ({"rows": "deploymen"}, "no axis `deploymen`"), ({"show": ["elapsed_s", "speed"]}, "`speed` is no column"),
    ({"only": {"stages": [9]}}, "no run has"), ({"from": "other"}, "No such file"), ({"only": 3}, "TypeError")])
def test_a_wrong_place_is_named(wanted, said, tmp_path, capsys):
    committed(tmp_path)
    (tmp_path / "page.md").write_text(PLACE.format(json.dumps({**SHARES, **wanted}), ""))
    assert made.main(["--check"], tmp_path) == 3
    fault = capsys.readouterr().err
    assert fault.startswith("page.md: {") and said in fault


def test_a_number_that_somebody_typed_is_out_of_date(tmp_path, capsys):
    committed(tmp_path)
    page = tmp_path / "page.md"
    page.write_text("before\n" + PLACE.format(json.dumps(SHARES), "") + "after\n")
    assert made.main(["--check"], tmp_path) == 1 and "page.md is out of date" in capsys.readouterr().out
    assert made.main([], tmp_path) == 0 and made.main(["--check"], tmp_path) == 0
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("after\n")
    page.write_text(text.replace("0.953", "0.99"))
    assert made.main(["--check"], tmp_path) == 1
    assert made.main(["--chek"], tmp_path) == made.main(["--take"], tmp_path) == 2


def test_the_table_of_a_sweep_is_taken_with_the_columns_that_pages_use(tmp_path, capsys):
    sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1).go_on()
    assert made.main(["--take", str(tmp_path / "out")], tmp_path) == 0
    [taken] = (tmp_path / "tables").iterdir()
    axes, rows = made.rows_of(taken)
    assert axes == ["deployment", "stages"] and [row["point"] for row in rows] == list(range(6))
    assert "throughput_items_per_s" in rows[0] and "binary_hash" not in rows[0]
    assert made.main(["--take", str(tmp_path / "world")], tmp_path) == 3 and "no sweep" in capsys.readouterr().err


def test_the_pages_are_those_of_the_committed_tables():
    assert made.main(["--check"]) == 0, "renew them: /usr/bin/python3 docs/make_experiments.py"
