"""The figures of a benchmark: which curves and lines, and the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, EQUAL, Entry, Outcome
from weir.lab.bench.figures import drawings, write_figures
from weir.lab.bench.rows import Series, rows_of


def rows(work: str, n: int, stages: list[int]) -> list[dict]:
    """Every contender but bare has a tenth of its rate for each stage."""
    found = []
    for m in stages:
        measured = [Series(Entry(name, lambda: Outcome(0), buffers), [Outcome(rate)] * 8)
                    for name, buffers, rate in (("bare", None, 10e9), ("fma_peak", None, 20e9), ("flow", AUTO, m * 1e9),
                                                ("flow", EQUAL, m * 5e8))]
        found += [row.as_json() for row in rows_of(Cell(work, n, m), measured)]
    return found


def lines(work: str, n: int, stages: list[int]) -> dict[str, tuple[list, list]]:
    """Label -> x and y of the curves of the one figure."""
    [drawing] = drawings(rows(work, n, stages))
    axes = Figure().add_subplot()
    drawing.draw(axes)
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.get_lines()
            if not line.get_label().startswith("_")}


def test_saxpy_is_drawn_beside_both_ideal_schedulers() -> None:
    found = lines("saxpy", 2, [6, 2, 4])
    assert found.pop("ideal, stages move: n / m") == ([2, 3, 4, 5, 6], [1, pytest.approx(2 / 3), 0.5, 0.4,
                                                                        pytest.approx(1 / 3)])
    assert found.pop("ideal, stages stay: 1 / ⌈m / n⌉") == ([2, 3, 4, 5, 6], [1, 0.5, 0.5, pytest.approx(1 / 3),
                                                                              pytest.approx(1 / 3)])
    assert found == {"flow": ([2, 4, 6], pytest.approx([0.2, 0.4, 0.6])),
                     "flow, equal buffers": ([2, 4, 6], pytest.approx([0.1, 0.2, 0.3]))}


def test_null_rand_is_drawn_beside_the_runtime_less_loop() -> None:
    found = lines("null_rand", 2, [1, 5])
    assert found == {"no runtime": ([1, 5], [10e9, 10e9]), "flow": ([1, 5], [1e9, 5e9]),
                     "flow, equal buffers": ([1, 5], [5e8, 2.5e9])}


def test_a_contender_looks_the_same_in_all_figures_and_ticks_are_as_people_write_numbers() -> None:
    alone = [{**row, "contender": "single_thread"} for row in rows("saxpy", 1, [1]) if row["contender"] == "flow"]
    colours, ticks = set(), []
    for drawing in drawings([*alone, *rows("saxpy", 1, [1]), *rows("saxpy", 2, [2, 4]), *rows("null_rand", 2, [1, 5])]):
        axes = Figure().add_subplot()
        drawing.draw(axes)
        colours |= {line.get_color() for line in axes.get_lines() if line.get_label() == "flow"}
        ticks.append(axes.yaxis.get_major_formatter()(0.5))
        assert axes.get_yscale() == "log"
    assert len(colours) == 1 and ticks == ["0.5", "0.5", "0.5"]
    assert axes.yaxis.get_major_formatter()(2e9) == "2 G"


def test_a_figure_for_each_workload_and_number_of_workers_the_same_every_time(tmp_path: Path) -> None:
    found = [*rows("saxpy", 1, [1]), *rows("saxpy", 2, [2, 4]), *rows("null_rand", 2, [1, 5])]
    written = write_figures(found, tmp_path / "new" / "folder")
    assert [path.name for path in written] == [f"{name}.{form}" for name in ("saxpy_n1", "saxpy_n2", "null_rand_n2")
                                               for form in ("svg", "png")]
    assert [path.read_bytes() for path in write_figures(found, tmp_path)] == [path.read_bytes() for path in written]
