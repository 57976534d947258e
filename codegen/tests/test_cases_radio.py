"""Recordings and flowgraphs that were once read wrongly, and what is said of them now."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from weir.cli import main
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.interop.grc.reading.flowgraph import read_grc
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import Checked, check

CASES = Path(__file__).parent / "cases"
SIGMF, SMALL, BESIDE = (CASES / name for name in ("06-sigmf-start", "08-grc-small", "09-grc-beside-gnuradio"))


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def with_recording(name: str, catalog: Catalog) -> Checked:
    text = (SIGMF / "sig.weir.json").read_text().replace("a.sigmf-meta", f"{name}.sigmf-meta")
    return check(text.encode(), directory=SIGMF, catalog=catalog)


@pytest.mark.parametrize(("name", "said"), [
    ("dup", 'global.core:datatype: line 1, column 38: the key "core:datatype" is there twice'),
    ("leadzero", "global.core:sample_rate: line 1, column 57: a JSON number cannot begin with 0"),
    ("nullf", "global.core:num_channels: must be a number")])
def test_a_recording_is_refused_with_the_name_of_the_field(name: str, said: str, catalog: Catalog) -> None:
    [fault] = with_recording(name, catalog).diagnostics
    assert (fault.code, fault.pointer) == ("E_RECORDING", "/graph/blocks/0/parameters/path")
    assert fault.message == f"`src`: {name}.sigmf-meta: {said}"


@pytest.mark.parametrize(("name", "first"), [("a", 0), ("bom", 0), ("start5", 5)])
def test_a_recording_begins_with_its_first_capture(name: str, first: int, catalog: Catalog) -> None:
    """The block itself is held against the same reference by its own tests."""
    checked = with_recording(name, catalog)
    assert not checked.diagnostics
    written = evaluate(checked.graph, Conditions(1000, 1, SIGMF)).answers["sink"]["path"]
    whole = np.fromfile(SIGMF / f"{name}.sigmf-data", "<i2").astype(np.float32) / np.float32(32768)
    assert written == whole[2 * first:].tobytes()


def imported(capsys: pytest.CaptureFixture, file: Path, *words: str) -> tuple[dict, dict, dict[str, tuple[str, str]]]:
    """The answer, the project, and what became of each block and variable, and why."""
    assert main(["import", str(file), "-o", "-", "--json", *words]) == 0
    answer = json.loads(capsys.readouterr().out)
    became = {entry["name"]: (outcome, entry["reason"]) for outcome in ("kept", "replaced", "stubbed", "dropped")
              for entry in answer[outcome]}
    return answer, json.loads(answer["document"]), became


def errors(answer: dict) -> list[str]:
    return [fault["code"] for fault in answer["diagnostics"] if fault["severity"] == "error"]


@pytest.mark.parametrize(("file", "block", "why"), [
    (SMALL / "delayneg.grc", "thr", "delay takes no `items` of -5 items: at least 0 items"),
    (SMALL / "filewin.grc", "src", "`length` is `100`: a file is read to its end here"),
    (BESIDE / "min_agc.grc", "a", "agc takes no `attack` of 10: at most 1.0")], ids=lambda value: str(value)[-12:])
def test_what_a_block_does_not_take_is_told_by_the_import(file: Path, block: str, why: str,
                                                          capsys: pytest.CaptureFixture) -> None:
    answer, _, became = imported(capsys, file)
    assert became[block] == ("stubbed", why)
    assert errors(answer) == ["E_BLOCK_TYPE"]


@pytest.mark.parametrize(("given", "largest"), [("65536", 65536), ("0", 1e30)])
def test_an_agc_of_gnu_radio_without_a_largest_gain_has_none(given: str, largest: float, tmp_path: Path,
                                                             capsys: pytest.CaptureFixture) -> None:
    text = (BESIDE / "min_agc.grc").read_text().replace("'10'", "'1'").replace("'65536'", f"'{given}'")
    (tmp_path / "x.grc").write_text(text)
    answer, document, became = imported(capsys, tmp_path / "x.grc")
    assert not errors(answer) and became["a"][0] == "replaced"
    assert document["graph"]["blocks"][1]["parameters"]["max_gain"] == largest


@pytest.mark.parametrize(("file", "variable", "parameter"), [(SMALL / "uni.grc", "rate_ü", "rate_u"),
                                                             (BESIDE / "min_x.grc", "x_gain", "bx_gain")])
def test_variables_get_names_that_a_project_allows(file: Path, variable: str, parameter: str, tmp_path: Path,
                                                   capsys: pytest.CaptureFixture) -> None:
    answer, document, became = imported(capsys, file)
    assert became[variable] == ("kept", "") and list(document["parameters"]) == [parameter]
    assert {"expr": parameter} in document["graph"]["blocks"][0]["parameters"].values()
    assert not errors(answer) and not answer["stubbed"]
    document["parameters"][parameter]["value"] = 7
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    assert main(["export", str(tmp_path / "p.weir.json"), "-o", "-"]) == 0
    back = read_grc(capsys.readouterr().out.encode()).by_name
    assert back[variable].parameters["value"] == "7"
    assert variable in (back["src"] if "src" in back else back["s"]).parameters.values()


def test_a_phase_is_the_same_without_its_whole_turns(capsys: pytest.CaptureFixture) -> None:
    answer, document, became = imported(capsys, BESIDE / "min_xlat.grc")
    assert not errors(answer) and became["a"][0] == "kept"
    shift, taps = (block["parameters"] for block in document["graph"]["blocks"] if "a" in block["id"].split("_"))
    turns = 434e6 / 32768 * (len(taps["taps"]) - 1) / 2
    assert math.cos(shift["phase"] + 2 * math.pi * (turns % 1)) == pytest.approx(1, abs=1e-9)


def test_the_logarithm_of_what_is_not_positive_is_that_of_gnu_radio(tmp_path: Path, catalog: Catalog,
                                                                    capsys: pytest.CaptureFixture) -> None:
    """As 3.10 computes it: 10 log10(FLT_MIN)."""
    answer, document, became = imported(capsys, BESIDE / "min_log.grc")
    assert not errors(answer) and became["l"] == ("kept", "")
    checked = check(json.dumps(document).encode(), directory=tmp_path, catalog=catalog)
    written = evaluate(checked.graph, Conditions(4, 1, tmp_path)).answers["f"]["path"]
    assert np.frombuffer(written, "<f4") == pytest.approx([-379.29779] * 4)


def test_a_logarithm_of_an_earlier_import_goes_back_as_it_came(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Its project has no floor."""
    _, document, _ = imported(capsys, BESIDE / "min_log.grc")
    del next(block for block in document["graph"]["blocks"] if block["id"] == "l")["parameters"]["floor"]
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    assert main(["export", str(tmp_path / "p.weir.json"), "-o", "-", "--json"]) == 0
    kept = {entry["name"]: entry["reason"] for entry in json.loads(capsys.readouterr().out)["kept"]}
    assert kept["l"] == "as it came"


def test_a_logarithm_that_depends_on_the_buffers_of_gnu_radio_is_said_to_differ(tmp_path: Path,
                                                                               capsys: pytest.CaptureFixture) -> None:
    text = (BESIDE / "min_log.grc").read_text()
    assert "k: '0'" in text
    (tmp_path / "x.grc").write_text(text.replace("k: '0'", "k: '-60'"))
    outcome, why = imported(capsys, tmp_path / "x.grc")[2]["l"]
    assert outcome == "replaced" and "differs for items of at most" in why


def test_random_items_take_the_place_of_a_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                    capsys: pytest.CaptureFixture) -> None:
    monkeypatch.chdir(tmp_path)
    answer, document, became = imported(capsys, BESIDE / "min_file.grc")
    assert errors(answer) == ["E_PATH_OUTSIDE"]
    assert became["s"] == ("kept", "`/home/someone/capture.c64` lies outside the project's folder; "
                                   "`weir import --files random` puts a random source here")
    answer, document, became = imported(capsys, BESIDE / "min_file.grc", "--files", "random")
    assert not errors(answer) and document["graph"]["blocks"][0]["type"] == "random_source"
    assert became["s"] == ("replaced", "random_source: differs in its items, which are random: "
                                       "`/home/someone/capture.c64` lies outside the project's folder")
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    assert main(["export", str(tmp_path / "p.weir.json"), "-o", "-"]) == 0
    assert "file: /home/someone/capture.c64" in capsys.readouterr().out


def test_a_recording_that_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture) -> None:
    monkeypatch.chdir(tmp_path)
    text = (BESIDE / "min_file.grc").read_text().replace("/home/someone/", "")
    (tmp_path / "x.grc").write_text(text)
    assert "`capture.c64` is not there" in imported(capsys, tmp_path / "x.grc")[2]["s"][1]
    (tmp_path / "capture.c64").write_bytes(b"12345678")
    answer, document, became = imported(capsys, tmp_path / "x.grc", "--files", "random")
    assert became["s"] == ("kept", "") and document["graph"]["blocks"][0]["type"] == "file_source"
