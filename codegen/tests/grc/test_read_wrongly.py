"""Test flowgraphs that were once imported wrongly, and their present reports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from grc_world import NULL, SINK, errors, exported, made, through
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.model.check import check

FILE = {"name": "s", "id": "blocks_file_source", "type": "complex", "file": "/home/someone/capture.c64",
        "repeat": "True", "length": "0", "offset": "0"}
LOGARITHM = {"name": "l", "id": "blocks_nlog10_ff", "n": "10", "k": "0"}


def became(answer: dict) -> dict[str, tuple[str, str]]:
    """Return the fate of each block and variable, with the reason."""
    return {entry["name"]: (outcome, entry["reason"]) for outcome in ("kept", "replaced", "stubbed", "dropped")
            for entry in answer[outcome]}


def back(tmp_path: Path, capsys: pytest.CaptureFixture, document: dict) -> tuple[dict, dict]:
    """Return the answer of the export, and the blocks of the flowgraph by name."""
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    answer, flow = exported(capsys, tmp_path / "p.weir.json")
    return answer, flow.by_name


@pytest.mark.parametrize(("given", "largest"), [("65536", 65536), ("0", 1e30)])
def test_an_agc_of_gnu_radio_without_a_largest_gain_has_none(given, largest, tmp_path, capsys):
    answer, _, blocks = made(tmp_path, capsys, *through({"name": "a", "id": "analog_agc2_xx", "type": "float",
                                                         "attack_rate": "1", "max_gain": given}))
    assert not errors(answer) and became(answer)["a"][0] == "replaced"
    assert blocks["a"]["parameters"]["max_gain"] == largest


@pytest.mark.parametrize(("variable", "parameter"), [("rate_ü", "rate_u"), ("x_gain", "bx_gain")])
def test_variables_get_names_that_a_project_allows(variable, parameter, tmp_path, capsys):
    answer, document, blocks = made(tmp_path, capsys, [
        {"name": variable, "id": "variable", "value": "2"},
        {"name": "s", "id": "analog_const_source_x", "type": "float", "const": variable}, SINK],
        [["s", "0", "sink", "0"]])
    assert became(answer)[variable] == ("kept", "") and list(document["parameters"]) == [parameter]
    assert {"expr": parameter} in blocks["s"]["parameters"].values()
    assert not errors(answer) and not answer["stubbed"]
    document["parameters"][parameter]["value"] = 7
    _, theirs = back(tmp_path, capsys, document)
    assert theirs[variable].parameters["value"] == "7" and theirs["s"].parameters["const"] == variable


def test_a_phase_is_the_same_without_its_whole_turns(tmp_path, capsys):
    answer, _, blocks = made(tmp_path, capsys, *through(
        {"name": "a", "id": "blocks_phase_shift", "shift": "2e6 * math.pi + 1", "is_radians": "True"}, of="complex"))
    assert not errors(answer) and became(answer)["a"][0] == "kept"
    assert blocks["a"]["parameters"]["phase"] == pytest.approx(1, abs=1e-8)


def test_the_logarithm_of_what_is_not_positive_is_that_of_gnu_radio(tmp_path, capsys):
    """Expect 10 log10(FLT_MIN), which GNU Radio 3.10 computes."""
    blocks = [NULL, {"name": "h", "id": "blocks_head", "type": "float", "num_items": "4"}, LOGARITHM,
              {"name": "f", "id": "blocks_file_sink", "type": "float", "file": "log.f32"}]
    answer, document, _ = made(tmp_path, capsys, blocks, [[a["name"], "0", b["name"], "0"]
                                                          for a, b in zip(blocks, blocks[1:])])
    assert not errors(answer) and became(answer)["l"] == ("kept", "")
    checked = check(json.dumps(document).encode(), directory=tmp_path)
    written = evaluate(checked.graph, Conditions(4, 1, tmp_path)).answers["f"]["path"]
    assert np.frombuffer(written, "<f4") == pytest.approx([-379.29779] * 4)


def test_a_logarithm_of_an_earlier_import_goes_back_as_it_came(tmp_path, capsys):
    """Use a project of an earlier import, which has no floor."""
    _, document, blocks = made(tmp_path, capsys, *through(LOGARITHM))
    del blocks["l"]["parameters"]["floor"]
    answer, _ = back(tmp_path, capsys, document)
    assert became(answer)["l"] == ("kept", "as it came")


def test_a_logarithm_that_depends_on_the_buffers_of_gnu_radio_is_said_to_differ(tmp_path, capsys):
    answer, _, _ = made(tmp_path, capsys, *through(LOGARITHM | {"k": "-60"}))
    outcome, why = became(answer)["l"]
    assert outcome == "replaced" and "differs for items of at most" in why


def read(file: str, tmp_path: Path, capsys: pytest.CaptureFixture, *words: str) -> tuple[dict, dict, dict]:
    blocks = [FILE | {"file": file}, SINK | {"type": "complex"}]
    return made(tmp_path, capsys, blocks, [["s", "0", "sink", "0"]], *words)


def test_random_items_take_the_place_of_a_recording(tmp_path, capsys):
    outside = "`/home/someone/capture.c64` lies outside the project's folder"
    answer, _, _ = read(FILE["file"], tmp_path, capsys)
    assert errors(answer) == ["E_PATH_OUTSIDE"]
    assert became(answer)["s"] == ("kept", f"{outside}; `weir import --files random` replaces it by a random source")
    answer, document, blocks = read(FILE["file"], tmp_path, capsys, "--files", "random")
    assert not errors(answer) and blocks["s"]["type"] == "random_source"
    assert became(answer)["s"] == ("replaced", f"random_source: differs in its items, which are random: {outside}")
    _, theirs = back(tmp_path, capsys, document)
    assert theirs["s"].parameters["file"] == FILE["file"]


def test_a_recording_that_is_there_stays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert "`capture.c64` is missing" in became(read("capture.c64", tmp_path, capsys)[0])["s"][1]
    (tmp_path / "capture.c64").write_bytes(b"12345678")
    answer, _, blocks = read("capture.c64", tmp_path, capsys, "--files", "random")
    assert became(answer)["s"] == ("kept", "") and blocks["s"]["type"] == "file_source"


@pytest.mark.parametrize(("kind", "items", "rest"), [
    ("wxgui_scopesink2", "float", {"type": "float"}), ("wxgui_fftsink2", "complex", {"type": "complex"}),
    ("wxgui_numbersink2", "float", {}), ("fosphor_qt_sink_c", "complex", {}), ("qtgui_compass", "float", {}),
    ("blocks_udp_sink", "short", {"type": "short"}), ("analog_probe_avg_mag_sqrd_x", "complex", {"type": "c"}),
    ("bokehgui_time_sink_x", "float", {"type": "float"}), ("digital_probe_density_b", "byte", {})])
def test_what_only_shows_or_sends_items_is_a_null_sink(kind, items, rest, tmp_path, capsys):
    source = {"name": "s", "id": "blocks_null_source", "type": items}
    answer, _, blocks = made(tmp_path, capsys, [source, {"name": "w", "id": kind, **rest}], [["s", "0", "w", "0"]])
    assert became(answer)["w"][0] == "replaced" and blocks["w"]["type"] == "null_sink" and not errors(answer)


def test_skipped_items_pass_with_a_remark(tmp_path, capsys):
    for count, outcome in ((0, "kept"), (5, "replaced")):
        answer, _, blocks = made(tmp_path, capsys, *through({"name": "a", "id": "blocks_skiphead", "type": "float",
                                                             "num_items": str(count)}))
        assert became(answer)["a"][0] == outcome and blocks["a"]["type"] == "copy"
