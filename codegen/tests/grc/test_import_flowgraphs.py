"""Test `weir import` with whole flowgraphs: those in data/, and those of an installed GNU Radio."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from grc_world import DATA, INSTALLED, NULL, SINK, STUBS, errors, exported, imported, made, meaning, needs_examples
from weir import ROOT
from weir.cli import main
from weir.interop.grc.reading.flowgraph import read_grc


def test_a_chain_for_cpp_with_odd_coordinates(capsys):
    answer, document = imported(capsys, DATA / "cpp_chain.grc")
    assert answer["counts"] == {"kept": 4, "replaced": 0, "stubbed": 0, "dropped": 0}
    assert document["graph"]["blocks"][0]["parameters"]["items"] == {"expr": "10 * samp_rate"}
    assert document["ui"]["positions"]["blocks_head_0"] == [400, 120]
    assert not errors(answer)


def test_a_network_that_is_not_there_keeps_the_rate_of_the_flowgraph(tmp_path, capsys):
    blocks = [NULL, SINK, {"name": "hold", "id": "blocks_throttle", "type": "float", "samples_per_second": "32e3"},
              {"name": "fast", "id": "blocks_throttle", "type": "float", "samples_per_second": "64e3"},
              {"name": "net", "id": "network_udp_source", "type": "float", "port": "2000"}, SINK | {"name": "far"},
              NULL | {"name": "free"}, SINK | {"name": "drain"}, SINK | {"name": "near"},
              {"name": "held", "id": "zeromq_pull_source", "type": "float"}]
    wires = [["source", "0", "hold", "0"], ["hold", "0", "fast", "0"], ["fast", "0", "sink", "0"],
             ["net", "0", "far", "0"], ["free", "0", "drain", "0"], ["held", "0", "slow", "0"],
             ["slow", "0", "near", "0"]]
    slow = {"name": "slow", "id": "blocks_throttle", "type": "float", "samples_per_second": "48e3"}
    answer, document, own = made(tmp_path, capsys, [*blocks, slow], wires)
    assert {"net.out > net_rate.in", "net_rate.out > far.in", "free.out > drain.in", "held.out > slow.in"} < {
        f"{a}.{p} > {b}.{q}" for a, p, b, q in document["graph"]["connections"]}
    assert own["net_rate"]["parameters"] == own["hold"]["parameters"] and "held_rate" not in own
    [said] = [entry for entry in answer["replaced"] if entry["name"] == "net"]
    assert said["became"] == ["net", "net_rate"] and said["reason"].endswith("zeros, at the rate of hold")
    assert not errors(answer) and document["run"]["items"] == 96_000
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document))
    assert meaning(exported(capsys, project)[1]) == meaning(read_grc((tmp_path / "made.grc").read_bytes()))
    off = [block | {"_state": "disabled"} if block["id"] == "blocks_throttle" else block for block in (*blocks, slow)]
    _, document, own = made(tmp_path, capsys, off, [wire for wire in wires if wire[0] in ("net", "free")])
    assert "net_rate" not in own


def test_a_project_of_before_the_rates_goes_back_too(tmp_path, capsys):
    """Export a project whose source of the network has no throttle yet."""
    hold = {"name": "hold", "id": "blocks_throttle", "type": "float", "samples_per_second": "32e3"}
    _, document, _ = made(tmp_path, capsys, [NULL, hold, SINK, {"name": "net", "id": "network_udp_source",
                                                                "type": "float"}, SINK | {"name": "far"}],
                          [["source", "0", "hold", "0"], ["hold", "0", "sink", "0"], ["net", "0", "far", "0"]])
    graph = document["graph"]
    graph["blocks"] = [block for block in graph["blocks"] if block["id"] != "net_rate"]
    graph["connections"] = [wire for wire in graph["connections"] if "net_rate" not in wire] + [
        ["net", "out", "far", "in"]]
    document["ui"]["positions"].pop("net_rate")
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document))
    assert meaning(exported(capsys, project)[1]) == meaning(read_grc((tmp_path / "made.grc").read_bytes()))


def test_states_that_are_true(capsys):
    answer, document = imported(capsys, DATA / "true_states.grc", *STUBS)
    blocks = {block["id"]: block for block in document["graph"]["blocks"]}
    assert not any("state" in block for block in blocks.values())
    assert {entry["name"] for entry in answer["stubbed"]} == {"interleave_0", "interleave_1"}
    assert blocks["source_0"]["comment"] == "path 0\nof two" and blocks["scope_1"]["type"] == "null_sink"
    assert blocks["throttle_0"]["parameters"] == {"item_type": "u8", "rate": {"expr": "samp_rate"}, "burst_items": {
        "expr": "max(1, min(floor(samp_rate), 32768 // 1))"}}
    assert document["parameters"]["samp_rate"]["value"] == 1e6
    assert document["run"]["items"] == 3_000_000


def test_a_transmitter_with_buffers_and_affinities(capsys):
    answer, document = imported(capsys, DATA / "transmitter.grc", *STUBS)
    blocks = {block["id"]: block for block in document["graph"]["blocks"]}
    first = document["deployments"][0]
    assert first["affinity"] == {"pilot": [0, 1], "mix": [2], "modulator": [1]}
    assert first["buffers"] == {"source.out->up.in": {"items": 16}, "pilot.out->mix.in1": {"items": 64},
                                "mix.out->gain.in": {"items": 16}}
    assert blocks["radio"]["type"] == "null_sink" and blocks["gain"]["parameters"]["constant"] == 0.3
    assert len(blocks["up"]["parameters"]["taps"]) > 100 and blocks["up"]["parameters"]["decimation"] == 12
    assert blocks["pilot"]["parameters"]["phase"] == pytest.approx(0.785398163)
    assert blocks["modulator"]["type"] == "frequency_modulator" and not answer["stubbed"]
    dropped = {entry["name"]: entry["reason"] for entry in answer["dropped"]}
    assert dropped["import_0"] == "Python is not executed" and "1 message connection" in dropped


def test_side_band(capsys):
    answer, document = imported(capsys, DATA / "sideband.grc")
    blocks = {block["id"]: block for block in document["graph"]["blocks"]}
    assert blocks["up"]["parameters"]["interpolation"] == {"expr": "floor(usrp_rate / samp_rate)"}
    assert ["low", "out", "both", "real"] in document["graph"]["connections"]
    assert blocks["both_imag_open"]["type"] == "null_source" and blocks["spare"]["state"] == "disabled"
    side = [block for block in blocks if block.startswith("side")]
    assert not answer["stubbed"] and {blocks[own]["type"] for own in side} == {"fir_filter", "multiply_const", "add"}
    assert "another connection" in next(e["reason"] for e in answer["dropped"] if e["kind"] == "connection")


def test_connections_of_format_2(tmp_path, capsys):
    answer, document = imported(capsys, DATA / "format_2.grc", *STUBS)
    assert document["graph"]["connections"] == [["streamer", "out", "sink", "in"]]
    # The rest is on the device, as the import says, and comes back.
    assert {it.get("name"): it["reason"] for it in answer["dropped"]} == dict.fromkeys(
        ("radio", "ddc"), "it computes on the device, which is not there") | dict.fromkeys(
        ("radio:0 -> ddc:0", "ddc:0 -> streamer:0"), "it is on the device, which is not there")
    [streamer] = answer["replaced"]
    assert streamer["name"] == "streamer" and "the device is not there" in streamer["reason"]
    project = tmp_path / "made.weir.json"
    project.write_text(answer["document"])
    _, flow = exported(capsys, project)
    assert meaning(flow) == meaning(read_grc((DATA / "format_2.grc").read_bytes()))


INSTALLED_FILES = {  # of GNU Radio 3.10.5: kept, replaced, stubbed, dropped
    "audio/dial_tone.grc": (6, 2, 0, 0), "analog/noise_power.grc": (20, 5, 0, 0),
    "blocks/peak_detector2.grc": (11, 2, 0, 0), "channels/demo_two_tone.grc": (13, 1, 0, 10),
    "filter/filter_taps.grc": (13, 2, 0, 6), "dtv/uhd_atsc_rx.grc": (6, 5, 10, 6),
    "dtv/germany-g1.grc": (7, 2, 12, 3)}


@needs_examples
@pytest.mark.parametrize("name", INSTALLED_FILES)
def test_examples_of_gnuradio(capsys, name):
    answer, document = imported(capsys, INSTALLED / name, *STUBS)
    assert tuple(answer["counts"].values()) == INSTALLED_FILES[name]
    wrong = set(errors(answer))
    assert wrong <= {"E_BLOCK_TYPE", "E_PATH_OUTSIDE"}
    assert ("E_BLOCK_TYPE" in wrong) == bool(answer["counts"]["stubbed"])
    assert len(document["graph"]["blocks"]) > 2


@needs_examples
@pytest.mark.slow
def test_every_example_of_gnuradio(capsys):
    """Check that the import takes every file, and that projects lack only blocks, and files elsewhere."""
    for file in sorted(INSTALLED.rglob("*.grc")):
        assert main(["import", str(file), "-o", "-", "--json", *STUBS]) == 0, file
        answer = json.loads(capsys.readouterr().out)
        assert set(errors(answer)) <= {"E_BLOCK_TYPE", "E_PATH_OUTSIDE", "E_GRAPH_EMPTY"}, file


def test_a_project_with_stubs_is_drawn_and_the_stubs_can_be_told(tmp_path, capsys):
    project, picture = tmp_path / "p.weir.json", tmp_path / "p.svg"
    unknown = tmp_path / "unknown.grc"
    unknown.write_text((DATA / "format_2.grc").read_text().replace("uhd_rfnoc", "unknown"))
    assert main(["import", str(unknown), "-o", str(project), *STUBS]) == 0
    capsys.readouterr()
    assert main(["export", str(project), "-o", str(picture)]) == 0
    document, said = json.loads(project.read_text()), capsys.readouterr().err
    stubs = [block for block in document["graph"]["blocks"] if block["id"] != "sink"]
    assert said.count("warning") == said.count("E_BLOCK_TYPE") == len(stubs) == 3
    root = ElementTree.parse(picture).getroot()
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {block["id"] for block in document["graph"]["blocks"]} <= set(words)
    assert picture.read_text().count('stroke-dasharray="5 4"') == len(stubs) and "unknown_ddc" in words
    wires = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke-width") == "2.5"]
    assert len(wires) == len(document["graph"]["connections"])
    # The placement of a project that cannot run cannot be drawn; other errors are reported as before.
    assert main(["export", str(project), "-o", str(picture), "--deployment", "none"]) == 1
    document["graph"]["connections"].append(["nobody", "out", "nowhere", "in"])
    project.write_text(json.dumps(document))
    assert main(["export", str(project), "-o", str(picture)]) == 1


def test_the_script_of_the_public_flowgraphs_reads_a_folder(tmp_path):
    done = subprocess.run([ROOT / "bench" / "grc_corpus.py", DATA, "--only", "open", "--answers", tmp_path / "a.json"],
                          capture_output=True, text=True, check=False)
    files = len(list(DATA.rglob("*.grc")))
    assert done.returncode == 0 and len(json.loads((tmp_path / "a.json").read_text())) == files > 3, done.stderr
