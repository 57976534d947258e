"""Test profiles from a file and from a run directory, and the report about anything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planning import EXAMPLES, MACHINES
from stored_runs import planned, store
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring.profiles import read_profile
from weir.engine.rerunning.remake import read_remake
from weir.model.planning.profile import BlockCost, profile_from_json

QUICKSTART = str(EXAMPLES / "quickstart.weir.json")
TWO_CORE = ("--machine", str(MACHINES / "two_core.json"))


def blocks(clock_ns: float) -> list[dict]:
    """Return a profile with 10 calls, 1000 items and 2 ns per item for each instance, not counting the clock."""
    _, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    return [{"id": b["instance"], "worker": b["worker"], "calls": 10, "unaligned_calls": 0,
             "items_in": 1000 if b["in_rates"] else 0, "items_out": 1000 if b["out_rates"] else 0,
             "busy_ns": int(2000 + 10 * clock_ns),
             "items_per_call": {"p5": 96.0, "p50": 96.0, "p95": 96.0, "distribution": [[96, 10]]}}
            for b in plan["blocks"]]


def run_of_a_profile(folder: Path, **more) -> Path:
    cost = {"clock_read_ns": 30.0, "clock_reads": 20, "share": 0.1}
    return store(folder, throughput=4e8, **more,
                 changes={"metrics": "profile", "metrics_cost": cost, "blocks": blocks(30.0)})


def test_a_run_directory_is_a_profile_without_its_clock(tmp_path: Path) -> None:
    profile = read_profile(run_of_a_profile(tmp_path))
    assert set(profile.blocks) == {block["block"] for block in planned(EXAMPLES / "quickstart.weir.json")[1]["blocks"]}
    assert set(profile.blocks.values()) == {BlockCost(2.0, 100.0)}
    assert profile.items_per_s == 4e8
    assert profile_from_json(profile.as_json()) == profile
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(profile.as_json()))
    assert read_profile(file) == profile and read_profile(file).hash == profile.hash


def test_plan_shows_what_was_measured(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    run = run_of_a_profile(tmp_path)
    assert cli.main(["plan", QUICKSTART, *TWO_CORE, "--profile", str(run)]) == 0
    text = capsys.readouterr().out
    assert "measured: 400 M items/s" in text and "ns per item" in text and "profile " in text
    assert cli.main(["plan", QUICKSTART, *TWO_CORE, "--profile", str(run), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["predicted"]["costs"] == "measured" and plan["profile"]["run"]["items_per_s"] == 4e8


def test_a_run_is_done_again_with_the_profile_that_its_plan_had(tmp_path: Path) -> None:
    run = store(tmp_path)
    assert read_remake(run).profile is None
    profile = read_profile(run_of_a_profile(tmp_path / "profiled"))
    plan = json.loads((run / "plan.json").read_text())
    for changes, found in (({}, profile), ({"profile_hash": "0" * 64}, None), ({"profile": {"format": 1}}, None)):
        made = {**plan, "profile": profile.as_json(), "profile_hash": profile.hash, **changes}
        (run / "plan.json").write_text(json.dumps(made))
        if found:
            assert read_remake(run).profile == found
        else:
            with pytest.raises(WeirError) as error:
                read_remake(run).profile  # noqa: B018
            assert [d.code for d in error.value.diagnostics] == ["E_RUN_DIRECTORY"]


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"format": 1, "blocks": {"a": {"ns_per_item": -1}}}'])
def test_what_is_no_profile(text: str, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    file.write_text(text)
    with pytest.raises(WeirError) as error:
        read_profile(file)
    assert {d.code for d in error.value.diagnostics} == {"E_PROFILE"}


def test_a_run_without_a_profile_and_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for path, code, exit_code in ((store(tmp_path), "E_PROFILE", 3), (tmp_path / "none.json", "E_FILE_MISSING", 3),
                                  (tmp_path, "E_RUN_DIRECTORY", 4)):
        assert cli.main(["plan", QUICKSTART, *TWO_CORE, "--profile", str(path)]) == exit_code
        assert code in capsys.readouterr().err


def test_blocks_that_share_a_time_are_no_profile(tmp_path: Path) -> None:
    shared = blocks(30.0)
    shared[1]["busy_ns"] = None
    cost = {"clock_read_ns": 30.0, "clock_reads": 20, "share": 0.1}
    run = store(tmp_path, throughput=4e8, changes={"metrics": "profile", "metrics_cost": cost, "blocks": shared})
    with pytest.raises(WeirError) as raised:
        read_profile(run)
    [fault] = raised.value.diagnostics
    assert fault.code == "E_PROFILE" and f"`{shared[1]['id']}` has no time of its own" in fault.message
