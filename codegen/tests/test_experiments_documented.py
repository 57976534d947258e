"""Check the pages of the experiments: their commands, counts and figures."""

from __future__ import annotations

import json
import re

import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from weir.lab.sweeping import axes, definition

FOLDER = CODEGEN.parent / "docs" / "experiments"
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
NAMES = ("null_rand_latency", "tracing_overhead", "saxpy_single_core", "saxpy_multi_core", "grcon_throughput",
         "load_curve",
         "radio", "realtime_response", "realtime_radio", "volk_type_conversions", "volk_math", "alignment")


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_has_a_page_of_the_same_parts_and_its_figures(name):
    text = page(name)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Question", "Command", "Figure", "Result",
                                                            "Differences from the source", "Notes"]
    figures = re.findall(r"!\[[^\]]+\.\]\(([^)]+)\)", text)
    assert figures and all((FOLDER / figure).is_file() for figure in figures)
    assert "axis is" in text and f"({name}.md)" in INDEX


@pytest.mark.parametrize("name", NAMES)
def test_a_result_has_its_date_its_interference_and_says_whether_it_has_intervals(name):
    result = page(name).partition("\n## Result\n")[2].partition("\n## ")[0]
    assert re.search(r"\b2026-\d\d-\d\d\b", result) and "nterference" in result
    assert "(no intervals)" in result or "95 % intervals" in page(name)
    assert "too few for intervals" in INDEX and "`other_programs`" in INDEX


@pytest.mark.parametrize("name", NAMES)
def test_the_forms_of_a_page_are_those_of_the_project(name):
    project = json.loads((EXAMPLES / f"{name}.weir.json").read_text())
    for sweep in project["sweeps"]:
        forms = [definition.sweep_definition(project, sweep["name"], [], None, quick, cpus=2)
                 for quick in (False, True)]
        full, quick = (f"{len(axes.cells(form, project, None))}×{form.repetitions}" for form in forms)
        line = rf"^- `{sweep['name']}`: {full}\b.*; quick: {quick}\b"
        assert re.search(line, page(name), re.MULTILINE), (full, quick)
