"""Check that docs/tuning.md has the code's numbers, and that its files and commands are accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

from planning import chain, checked, deployed
from weir.lab.tuning import laboratory, search, space
from weir.lab.tuning.candidate import CHOICE, CUT, GOALS, PROJECT, SIZES
from weir.model.document.shape import check_shape, schema
from weir.read.comparing.statistics import MIN_ROUNDS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
PAGE = " ".join(TEXT.split())


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"At least {100 * search.RESERVE:.0f} % of the budget" in PAGE
    assert f"less than {100 * search.NEAR:.0f} % of the best" in PAGE
    assert search.LOOK_S == 0.25 and search.RUN_S == 0.5 and "for a quarter of a second" in PAGE
    assert f"and {['', 'one', 'two', 'three', 'four'][laboratory.MOST_BUILDS]} at most" in PAGE
    assert search.FINALISTS == 3 and "until three are left" in PAGE
    assert space.MOST_CUTS == 4 and "(four at most)" in PAGE and space.SIZED == 2 and "two best placements" in PAGE
    assert space.CHUNK_FACTORS == (1 / 4, 4) and "chunks a quarter and four times as large" in PAGE
    assert f"rings of {space.RING_CHUNKS[0]} and of {space.RING_CHUNKS[1]} chunks" in PAGE
    assert f"interval from {MIN_ROUNDS} runs on" in PAGE
    assert laboratory.LONGER == 4 and "up to four times as long" in PAGE and laboratory.SAMPLES >= 1000
    assert all(f"`tuned_{goal}`" in PAGE for goal in GOALS)


def test_its_strategies_are_those_of_the_schema() -> None:
    deployment = schema("project")["properties"]["deployments"]["items"]
    known = deployment["properties"]["placement"]["properties"]["strategy"]["enum"]
    assert set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)) == set(known)
    planned = schema("plan")["$defs"]["placement"]["properties"]["strategy"]["enum"]
    assert planned == known
    for strategy in known:
        placement = {"strategy": strategy, **({"map": {"*": "w0"}} if strategy == "explicit" else {})}
        assert checked(deployed(chain(2), placement=placement)).graph


def test_its_profile_is_one() -> None:
    [profile] = re.findall(r"^    (\{\"format\": 1.*\})$", TEXT, re.MULTILINE)
    assert not check_shape(json.loads(profile), "profile")


def test_the_origins_of_the_answer_are_those_of_candidates() -> None:
    row = schema("tune")["properties"]["tried"]["items"]["properties"]
    assert row["origin"]["enum"] == [PROJECT, CHOICE, CUT, SIZES]
