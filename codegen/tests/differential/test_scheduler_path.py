"""A scheduler in a folder outside the tree: seen by the catalog, shown by the documentation, and right."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import CODEGEN
from library import Library
from planning import machine
from trial import try_seed

from weir import cli
from weir.catalog import ROOT, load_catalog

SCHEDULERS = CODEGEN / "tests" / "schedulers"
PAGE = ROOT / "docs" / "write-a-scheduler.md"
SEEDS = (11, pytest.param(3, marks=pytest.mark.slow))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SCHEDULERS, tmp_path / "mine"))


def test_catalog_shows_it_only_with_its_path(outside: Path, capsys: pytest.CaptureFixture) -> None:
    def listed(*arguments: str) -> dict[str, dict]:
        assert cli.main(["catalog", "--json", *arguments]) == 0
        return {s["id"]: s for s in json.loads(capsys.readouterr().out)["schedulers"]}

    assert "one_queue" not in listed()
    descriptor = json.loads((outside / "one_queue" / "scheduler.json").read_text())
    source = str(outside / "one_queue" / "one_queue.hpp")
    assert listed("--scheduler-path", str(outside))["one_queue"] == {**descriptor, "source": source}


def test_the_page_shows_the_files_that_are_tested() -> None:
    shown = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert [ROOT / name for name, _ in shown] == [SCHEDULERS / "one_queue" / "scheduler.json",
                                                  SCHEDULERS / "one_queue" / "one_queue.hpp"]
    for name, text in shown:
        assert text == (ROOT / name).read_text(), f"{name}: the page has another text"


@pytest.mark.parametrize("seed", SEEDS)
def test_it_gives_the_answer_of_numpy_and_of_one_thread(seed: int, outside: Path, tmp_path: Path) -> None:
    catalog = load_catalog(scheduler_paths=[outside])
    chosen = {name: catalog.schedulers[name] for name in ("single_thread", "one_queue")}
    catalog = replace(catalog, schedulers=chosen)
    verdict = try_seed(seed, catalog, Library(catalog), machine("two_core"), tmp_path / "project", lttng=False)
    assert verdict.schedulers["one_queue"] and verdict.compared_items
