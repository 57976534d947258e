"""Replacements of hardware, windows and throttles: what stands in for each block, and that all else stays."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import keeps_to
from grc_world import INSTALLED, grc, needs_examples, needs_grcc
from weir.cli import main
from weir.cli.verbs.run import add_parser
from weir.engine.generation.emit import generate
from weir.interop.grc.exporting.exporter import export_project
from weir.interop.grc.importing.importer import Options, import_flowgraph
from weir.interop.grc.reading.block_files import FOLDERS, block_file, block_files
from weir.interop.grc.reading.flowgraph import Flowgraph, read_grc
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.flowgraph.gnuradio import of_gnuradio
from weir.model.flowgraph.graph import Instance
from weir.model.flowgraph.replacing import Replacement, needs_hardware, said
from weir.model.planning.plan import Plan, make_plan
from weir.model.planning.topology import this_machine

needs_blocks = pytest.mark.skipif(not any(it.is_dir() for it in FOLDERS), reason="GNU Radio is not installed")
pytestmark = needs_blocks
WORDS = {"replace": ["hardware"]}
RATE = {"name": "samp_rate", "id": "variable", "value": "32000"}


def sink(kind: str, name: str = "null", **parameters: str) -> dict:
    return {"name": name, "id": "blocks_null_sink", "type": kind, **parameters}


def source(kind: str, **parameters: str) -> dict:
    return {"name": "zero", "id": "blocks_null_source", "type": kind, **parameters}


def planned(blocks: list[dict], wires: list, **words: object) -> tuple[Plan, Flowgraph, str]:
    """Return the plan with these settings, the flowgraph that GNU Radio gets, and its text."""
    document = import_flowgraph(read_grc(grc([RATE, *blocks], wires)), load_catalog(), Options("host")).document
    document["deployments"][0] |= words
    checked = check(jsontext.write(document)).valid()
    plan = make_plan(checked.project, checked.graph, checked.catalog, this_machine(), None, None, checked.rates).plan
    keeps_to("plan", json.loads(json.dumps(plan.as_json())))
    text = generate(plan, checked.project, checked.catalog)["flowgraph.grc"]
    return plan, read_grc(text), text.decode()


def through(first: dict, last: dict, ports: int = 1) -> tuple[list[dict], list]:
    return [first, last], [[first["name"], str(i), last["name"], str(i)] for i in range(ports)]


AUDIO = {"name": "it", "id": "audio_source", "samp_rate": "48000", "num_outputs": "2"}
USRP = {"name": "it", "id": "uhd_usrp_source", "type": "fc32", "samp_rate": "samp_rate*2", "nchan": "1"}
STATIC = {"it": ("analog_fastnoise_source_x", "complex"), "it_throttle": ("blocks_throttle", "complex")}
HISS = {name: (kind, "float") for name, (kind, _) in STATIC.items()}
BLOCKS: dict[str, tuple[dict, dict, int, str, dict[str, tuple[str, str]]]] = {
    # A block, its other end, the wires between them, what stands in, and the blocks there with their types.
    "uhd": (USRP, sink("complex"), 1, "noise", STATIC),
    "uhd of integers": (USRP | {"type": "sc16"}, sink("int"), 1, "zeros",
                        {"it": ("blocks_null_source", "int"), "it_throttle": ("blocks_throttle", "int")}),
    "soapy": ({"name": "it", "id": "soapy_rtlsdr_source", "type": "fc32", "samp_rate": "samp_rate"}, sink("complex"), 1,
              "noise", STATIC),
    "pluto": ({"name": "it", "id": "iio_pluto_source", "type": "fc32", "samplerate": "samp_rate"}, sink("complex"), 1,
              "noise", STATIC),
    "two channels of sound": (AUDIO, sink("float", num_inputs="2"), 2, "noise",
                              HISS | {"it_1": HISS["it"], "it_1_throttle": HISS["it_throttle"]}),
    "a network": ({"name": "it", "id": "network_udp_source", "type": "byte", "port": "2000"}, sink("byte"), 1, "noise",
                  {"it": ("analog_random_source_x", "byte")}),
    "vectors": ({"name": "it", "id": "zeromq_sub_source", "type": "float", "vlen": "4"}, sink("float", vlen="4"), 1,
                "zeros", {"it": ("blocks_null_source", "float")}),
    "not installed": ({"name": "it", "id": "osmosdr_source", "type": "fc32", "sample_rate": "samp_rate"},
                      sink("complex"), 1, "noise", STATIC),
    "uhd sink": (source("complex"), {"name": "it", "id": "uhd_usrp_sink", "type": "fc32"}, 1, "null sink",
                 {"it": ("blocks_null_sink", "complex")}),
    "sound": (source("float"), {"name": "it", "id": "audio_sink", "samp_rate": "48000"}, 1, "null sink",
              {"it": ("blocks_null_sink", "float")}),
    "zeromq sink": (source("int"), {"name": "it", "id": "zeromq_pub_sink", "type": "int", "vlen": "1"}, 1, "null sink",
                    {"it": ("blocks_null_sink", "int")}),
}


@pytest.mark.parametrize("case", BLOCKS)
def test_a_block_of_hardware_is_replaced_by_one_of_the_same_items(case: str) -> None:
    first, last, ports, by, wanted = BLOCKS[case]
    plan, flow, _ = planned(*through(first, last, ports), **WORDS)
    assert [(it.instance, it.by, len(it.ports)) for it in plan.replaced] == [("it", by, ports)]
    other = {block["name"]: block for block in (first, last)}.keys() - {"it"}
    kinds = {name: (block.id, block.parameters["type"]) for name, block in flow.by_name.items() if name != "samp_rate"}
    assert {name: kind for name, kind in kinds.items() if name not in other} == wanted
    if throttle := flow.by_name.get("it_throttle"):
        assert throttle.parameters["samples_per_second"] == (first.get("samp_rate") or "samp_rate")
        assert ("it", "0", "it_throttle", "0") in {c.ends for c in flow.connections}
    assert len(flow.connections) == ports * (2 if "it_throttle" in flow.by_name else 1)


@needs_grcc
@pytest.mark.parametrize("case", BLOCKS)
def test_grcc_compiles_the_flowgraph_without_hardware(case: str, tmp_path: Path) -> None:
    first, last, ports, _, wanted = BLOCKS[case]
    _, _, text = planned(*through(first, last, ports), **WORDS)
    compiled(text, tmp_path)
    program = (tmp_path / "flowgraph.py").read_text()
    assert not re.search(r"\b(uhd|soapy|iio|audio|network|zeromq|osmosdr)\.", program)
    assert all(f"self.{name} = " in program for name in wanted)


def compiled(text: str, folder: Path) -> None:
    (folder / "flowgraph.grc").write_text(text)
    made = subprocess.run(["grcc", "-o", str(folder), str(folder / "flowgraph.grc")], capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(folder)}, check=False)
    assert made.returncode == 0, made.stdout + made.stderr


#: A radio with a throttle, windows, messages and a block on a network that only has messages.
RICH = [USRP | {"_at": [100, 200]},
        {"name": "slow", "id": "blocks_throttle", "type": "complex", "samples_per_second": "samp_rate", "vlen": "1"},
        {"name": "tuned", "id": "qtgui_freq_sink_x", "type": "complex", "nconnections": "1"},
        sink("complex"), {"name": "socket", "id": "network_socket_pdu", "type": "UDP_SERVER", "port": "2000"},
        {"name": "store", "id": "blocks_message_debug"},
        {"name": "version", "id": "variable", "value": "uhd.get_version_string()"}]
WIRES = [["it", "0", "slow", "0"], ["slow", "0", "tuned", "0"], ["slow", "0", "null", "0"],
         ["tuned", "freq", "it", "command"], ["socket", "pdus", "store", "print"]]


def test_nothing_else_of_the_flowgraph_changes() -> None:
    _, before, _ = planned(RICH, WIRES)
    plan, after, _ = planned(RICH, WIRES, **WORDS)
    assert {it.instance: (it.by, it.rate, it.unwired) for it in plan.replaced} == {
        "it": ("noise", "", True), "socket": ("nothing", "", True)}  # the throttle of the flowgraph holds the rate
    assert after.by_name["it"].position == (100, 200) and after.by_name["socket"].state == "disabled"
    assert after.by_name.keys() - before.by_name.keys() == {"import_uhd"}
    for name in before.by_name.keys() - {"it", "socket"}:
        assert after.by_name[name] == before.by_name[name]
    ends = {c.ends for c in before.connections}
    assert {c.ends for c in after.connections} == ends - {("tuned", "freq", "it", "command")}
    assert (after.options, after.metadata) == (before.options, before.metadata)


def test_a_throttle_is_a_wire_and_a_window_a_null_sink_when_asked() -> None:
    plan, flow, _ = planned(RICH, WIRES, replace=["hardware", "throttle"], windows="replaced")
    assert {it.instance: it.by for it in plan.replaced} == {"it": "noise", "slow": "wire", "tuned": "null sink",
                                                            "socket": "nothing"}
    assert flow.by_name["slow"].state == "bypassed" and "it_throttle" not in flow.by_name
    assert flow.by_name["tuned"].id == "blocks_null_sink"
    plan, _, _ = planned(RICH, WIRES, replace=["throttle"])
    assert [it.instance for it in plan.replaced] == ["slow"]


def test_a_recording_is_replaced_when_asked() -> None:
    recording = {"name": "it", "id": "blocks_file_source", "type": "short", "file": "gone.bin", "vlen": "1"}
    blocks, wires = through(recording, sink("short"))
    plan, flow, _ = planned(blocks, wires, replace=["files"])
    assert [(it.by, it.ports) for it in plan.replaced] == [("noise", {"0": "i16"})]
    assert flow.by_name["it"].id == "analog_fastnoise_source_x"
    assert planned(blocks, wires, **WORDS)[0].replaced == ()
    kept = {"name": "it", "id": "blocks_wavfile_sink", "file": "/gone/it.wav", "nchan": "1", "samp_rate": "48000"}
    plan, flow, _ = planned(*through(source("float"), kept), replace=["files"])
    assert [(it.by, it.ports) for it in plan.replaced] == [("null sink", {"0": "f32"})]


def test_a_window_of_wx_becomes_a_null_sink_without_a_request() -> None:
    window = {"name": "it", "id": "wxgui_fftsink2", "type": "complex"}
    plan, flow, _ = planned(*through(source("complex"), window))
    assert [(it.by, it.ports) for it in plan.replaced] == [("null sink", {"0": "c64"})]
    assert flow.by_name["it"].id == "blocks_null_sink"
    assert planned(RICH, WIRES)[0].replaced == ()


@needs_grcc
def test_message_ports_that_must_not_stay_open_are_closed(tmp_path: Path) -> None:
    blocks = [RICH[4], {"name": "stream", "id": "pdu_pdu_to_tagged_stream", "type": "byte", "tag": "packet_len"},
              sink("byte"), source("byte"),
              {"name": "packets", "id": "digital_hdlc_deframer_bp"}]
    wires = [["socket", "pdus", "stream", "pdus"], ["stream", "0", "null", "0"], ["zero", "0", "packets", "0"],
             ["packets", "out", "socket", "pdus"]]
    _, flow, text = planned(blocks, wires, **WORDS)
    assert {("no_sender", "msgout", "stream", "pdus"), ("packets", "out", "no_reader", "store")} <= {
        c.ends for c in flow.connections}
    compiled(text, tmp_path)


def test_a_recording_beside_the_flowgraph_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there.bin").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    files = {"plain": "there.bin", "quoted": "'there.bin'", "named": "recording", "missing": "other.bin",
             "whole": "/there.bin"}
    blocks = [{"name": "recording", "id": "variable", "value": "'there.bin'"}]
    blocks += [{"name": name, "id": "blocks_file_source", "type": "byte", "file": text} for name, text in files.items()]
    blocks += [sink("byte", f"{name}_end", file="there.bin") for name in files]
    _, flow, _ = planned(blocks, [[name, "0", f"{name}_end", "0"] for name in files])
    there = str(tmp_path / "there.bin")
    assert {name: flow.by_name[name].parameters["file"] for name in files} == dict.fromkeys(
        ("plain", "quoted", "named"), there) | {"missing": "other.bin", "whole": "/there.bin"}
    assert flow.by_name["plain_end"].parameters["file"] == "there.bin"


RFNOC = [{"name": "graph", "id": "uhd_rfnoc_graph"}, {"name": "radio", "id": "uhd_rfnoc_rx_radio"},
         {"name": "ddc", "id": "uhd_rfnoc_ddc"}, {"name": "it", "id": "uhd_rfnoc_rx_streamer", "output_type": "fc32"},
         sink("complex")]
ON_DEVICE = [["radio", "0", "ddc", "0"], ["ddc", "0", "it", "0"], ["it", "0", "null", "0"]]


def test_a_stream_of_rfnoc_begins_where_it_leaves_the_device() -> None:
    plan, flow, _ = planned(RFNOC, ON_DEVICE, **WORDS)
    assert {it.instance: (it.by, it.ports) for it in plan.replaced} == {
        "radio": ("nothing", {}), "ddc": ("nothing", {}), "it": ("noise", {"0": "c64"})}
    assert {name: it.state for name, it in flow.by_name.items() if it.id.startswith("uhd")} == dict.fromkeys(
        ("graph", "radio", "ddc"), "disabled")
    assert ("it", "0", "null", "0") in {c.ends for c in flow.connections}


@needs_grcc
@pytest.mark.parametrize("words", [{"replace": ["hardware"]}, {"replace": ["throttle", "hardware"]},
                                   {"replace": ["hardware"], "windows": "replaced"}], ids=str)
def test_grcc_compiles_a_flowgraph_with_all_of_them(words: dict[str, Any], tmp_path: Path) -> None:
    compiled(planned(RICH, WIRES, **words)[2].replace("generate_options: no_gui", "generate_options: qt_gui"), tmp_path)


def test_settings_of_a_replaced_source_are_those_of_what_stands_in() -> None:
    blocks, wires = through(USRP | {"affinity": "[0]"}, sink("complex"))
    document = import_flowgraph(read_grc(grc([RATE, *blocks], wires)), load_catalog(), Options("host")).document
    document["deployments"][0] |= WORDS | {"affinity": {"it": [0]}, "buffers": {"it.out0->null.in0": {"items": 4096}}}
    checked = check(jsontext.write(document)).valid()
    plan = make_plan(checked.project, checked.graph, checked.catalog, this_machine(), None, None, checked.rates).plan
    said = json.loads(generate(plan, checked.project, checked.catalog)["mapping.json"])["blocks"]
    assert said == {"it": {"affinity": [0]}, "it_throttle": {"min_output_buffer": 4096, "max_output_buffer": 4096}}


def test_buffers_have_the_sizes_that_the_flowgraph_states() -> None:
    blocks = [source("float", maxoutbuf="2*5"), {"name": "copy", "id": "blocks_copy", "type": "float",
                                                 "minoutbuf": "8", "maxoutbuf": "64"}, sink("float")]
    wires = [["zero", "0", "copy", "0"], ["copy", "0", "null", "0"]]
    document = import_flowgraph(read_grc(grc([RATE, *blocks], wires)), load_catalog(), Options("host")).document

    def said() -> dict[str, dict[str, int]]:
        checked = check(jsontext.write(document)).valid()
        made = make_plan(checked.project, checked.graph, checked.catalog, this_machine(), None, None, checked.rates)
        files = generate(made.plan, checked.project, checked.catalog)
        assert all(it.parameters.get(key, "0") == "0" for it in read_grc(files["flowgraph.grc"]).blocks
                   for key in ("minoutbuf", "maxoutbuf"))  # the runner sets them
        return json.loads(files["mapping.json"])["blocks"]

    def exported() -> dict[str, tuple[str | None, str | None]]:
        checked = check(jsontext.write(document))
        flow = export_project(checked, checked.loaded().deployments[0], None).flow
        return {name: (it.parameters.get("minoutbuf"), it.parameters.get("maxoutbuf"))
                for name, it in flow.by_name.items() if name in ("zero", "copy")}

    assert "buffers" not in document["deployments"][0]
    assert said() == {"zero": {"max_output_buffer": 10}, "copy": {"min_output_buffer": 8, "max_output_buffer": 64}}
    assert exported() == {"zero": (None, "2*5"), "copy": ("8", "64")}
    entries = {it["id"]: it["parameters"] for it in document["graph"]["blocks"]}
    entries["zero"] |= {"minoutbuf": "2**4", "maxoutbuf": "samp_rate // 2"}
    del entries["copy"]["minoutbuf"]
    assert said() == {"zero": {"min_output_buffer": 16, "max_output_buffer": 16000},
                      "copy": {"max_output_buffer": 64}}
    assert exported() == {"zero": ("2**4", "samp_rate // 2"), "copy": ("0", "64")}
    document["deployments"][0]["buffers"] = {"zero.out0->copy.in0": {"items": 4096}}
    assert said()["zero"] == {"min_output_buffer": 4096, "max_output_buffer": 4096}
    assert exported()["zero"] == ("4096", "4096")


def test_the_blocks_of_the_categories_of_devices_and_networks_are_known() -> None:
    """Compare the table with the block files of the installed GNU Radio."""
    words = ("UHD", "Soapy", "Industrial IO", "Audio", "Networking Tools", "ZeroMQ Interfaces")
    unknown = []
    for kind in block_files():
        file = block_file(kind)
        parts = file.category.split("/") if file else []
        if file and any(word in part for word in words for part in parts) and not kind.startswith("variable"):
            side = {"inputs": [{"id": "in0", "type": "c64"}]} if file.inputs and not file.outputs else {
                "outputs": [{"id": "out0", "type": "c64"}]}
            entry = {"id": "it", "type": kind.lower(), "gnuradio": {"type": kind, "name": "it", **side}}
            instance = Instance("it", "it", None, None, of_gnuradio(entry), None, {}, "enabled", False, "")
            unknown += [] if needs_hardware(instance) or not (file.inputs or file.outputs) else [kind]
    assert not unknown


def project(tmp_path: Path, **words: object) -> Path:
    document = import_flowgraph(read_grc(grc([RATE, *RICH], WIRES)), load_catalog(), Options("host")).document
    document["deployments"] += [document["deployments"][0] | {"name": "second"}]
    document["deployments"][0] |= words
    file = tmp_path / "p.weir.json"
    file.write_text(jsontext.write(document))
    return file


def test_validation_says_that_a_flowgraph_needs_hardware(tmp_path: Path) -> None:
    found = [it for it in check(project(tmp_path, **WORDS)).diagnostics if it.code == "W_HARDWARE"]
    assert [it.pointer for it in found] == ["/deployments/1"] and "socket (network_socket_pdu)" in found[0].message
    assert "--replace hardware" in found[0].hint
    assert found[0].fixes[0].as_json() == {"title": "Replace the hardware", "pointer": "/deployments/1/replace",
                                           "set": ["hardware"]}


@pytest.mark.parametrize("words, sets", [
    (["--replace", "hardware", "--replace", "throttle", "--replace", "hardware"],
     ['/deployments/*/replace=["hardware", "throttle"]']),
    (["--replace", "throttle,hardware", "--replace", "windows,files"],
     ['/deployments/*/windows=replaced', '/deployments/*/replace=["throttle", "hardware", "files"]']),
    (["--replace", "windows", "--set", "a=1"], ["/deployments/*/windows=replaced", "a=1"]),
    (["--keep-gui", "--replace", "throttle"],
     ["/deployments/*/windows=shown", '/deployments/*/replace=["throttle"]'])], ids=str)
def test_the_options_are_short_for_settings(words: list[str], sets: list[str]) -> None:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    assert parser.parse_args(["run", "p", *words]).sets == sets


def test_windows_are_not_shown_and_replaced(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        main(["run", "p", "--keep-gui", "--replace", "windows"])
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["throtle", "throttle,hardwear", "throttle,"])
def test_an_unknown_word_is_told_with_the_valid_ones(words: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "p.grc", "--replace", words])
    said = f"unknown value `{words.split(',')[-1]}`; choose one or more of `hardware`, `throttle`, `files`, `windows`"
    assert ended.value.code == 2 and f"--replace: {said}" in capsys.readouterr().err


def test_a_setting_can_be_that_of_every_deployment(tmp_path: Path) -> None:
    file = project(tmp_path)
    checked = check(file, sets={"/deployments/*/replace": '["throttle"]', "/deployments/*/windows": "shown"})
    assert [(it.replace, it.windows) for it in checked.loaded().deployments] == [(("throttle",), "shown")] * 2


def test_only_gnu_radios_own_program_replaces_blocks(tmp_path: Path) -> None:
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({
        "schema_version": 1, "name": "p", "graph": {
            "blocks": [{"id": "a", "type": "null_source", "parameters": {"item_type": "f32"}},
                       {"id": "b", "type": "null_sink"}], "connections": [["a", "out", "b", "in"]]},
        "deployments": [{"name": "d", "scheduler": "flow", "replace": ["hardware"]}]}))
    assert "E_TARGET_SETTING" in {it.code for it in check(file).diagnostics}


def test_a_replacement_is_said_with_the_value_of_its_rate() -> None:
    noise = Replacement("it", "uhd_usrp_source", "noise", {"0": "c64"}, "samp_rate*2")
    made = [noise, replace(noise, rate="firdes.rate()"),
            Replacement("tx", "zeromq_pub_msg_sink", "nothing", {}, "", True)]
    assert said([it.as_json() for it in made], {"samp_rate": 960000.0}) == [
        "`it` (uhd_usrp_source) is replaced by noise of c64 at 1\u202f920\u202f000 items/s",
        "`it` (uhd_usrp_source) is replaced by noise of c64 at firdes.rate() items/s",
        "`tx` (zeromq_pub_msg_sink) is left out, and so are its messages"]


@needs_examples
@needs_grcc
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")
def test_a_receiver_runs_without_its_radio(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    code = main(["run", str(INSTALLED / "uhd" / "uhd_wbfm_receive.grc"), "--trust", "--replace", "hardware", "--set",
                 "/run/timeout_s=2", "--out", str(tmp_path), "--json", "--trace", "memory"])
    out, err = capsys.readouterr()
    results = json.loads(out)[0]
    assert code == 0 and results["status"] == "ok", err
    notes = {it["code"]: it["message"] for it in results["reasons"]}
    noise = "`uhd_usrp_source_0` (uhd_usrp_source) is replaced by noise of c64 at 400\u202f000 items/s"
    assert noise in notes["N_REPLACED"]
    assert "the throttle behind `uhd_usrp_source_0` holds the rate" in notes["N_THROTTLED"]
    assert "`audio_sink` (audio_sink) is replaced by a null sink" in err
    assert results["coordinates"]["settings"]["/deployments/0/replace"] == ["hardware"]
    assert 3e5 < results["throughput_items_per_s"] < 5e5  # the radio's rate
