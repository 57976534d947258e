"""The pages of the experiments: their commands, their counts, and their figures."""

from __future__ import annotations

import json
import re

import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from weir.lab.sweeping import asking, axes

FOLDER = CODEGEN.parent / "docs" / "experiments"
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
NAMES = ("null_rand_latency", "tracing_overhead", "saxpy_single_core", "saxpy_multi_core", "grcon_throughput",
         "load_curve",
         "radio", "realtime_response", "realtime_radio", "volk_type_conversions", "volk_math", "alignment")


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_has_a_page_of_four_parts_and_its_figures(name):
    text = page(name)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["What the source found", "How it is measured here",
                                                            "What this machine found",
                                                            "Where they differ, and why"]
    figures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert bool(figures) != ("still to be measured" in text) and all((FOLDER / figure).is_file() for figure in figures)
    assert f"({name}.md)" in INDEX and "foreign" in text and "not enough blocks for intervals" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_forms_of_a_page_are_those_of_the_project(name):
    it = json.loads((EXAMPLES / f"{name}.weir.json").read_text())
    for sweep in it["sweeps"]:
        cpus = max(2, *sweep["vary"].get("workers", [1]))
        for quick in (False, True):
            asked = asking.asked_for(it, sweep["name"], [], None, quick, cpus=cpus)
            points = len(axes.cells(asked, it, None))
            told = f"| `{sweep['name']}`, {'quick' if quick else 'full'} | {points} | {points * asked.repetitions:,} |"
            assert told in page(name), told
