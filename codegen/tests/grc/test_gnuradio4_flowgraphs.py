"""Flowgraphs of GNU Radio 4: their structure in a project, what is left out, and their faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from grc_world import DATA, STUBS, errors, exported, imported
from weir.cli import main
from weir.diagnostics import WeirError
from weir.interop.grc.reading import flowgraph
from weir.interop.grc.reading.flowgraph import read_grc

FILE = DATA / "gnuradio4" / "tone.grc"
SOURCE = {"id": "gr::testing::NullSource<float32>", "name": "source"}
SINK = {"id": "gr::testing::NullSink<float32>", "name": "sink"}
ODD = {"id": "my::Odd<float32, 3ul>", "name": "odd"}


def written(tmp_path: Path, blocks: list[dict[str, Any]], connections: list[list[Any]]) -> Path:
    """Write a flowgraph; JSON is YAML. A block is {id, name, **parameters}."""
    file = tmp_path / "made.grc"
    entries = [{"id": b["id"], "parameters": {key: it for key, it in b.items() if key != "id"}} for b in blocks]
    file.write_text(json.dumps({"blocks": entries, "connections": connections}))
    return file


def blocks_of(document: dict) -> dict[str, dict]:
    return {block["id"]: block for block in document["graph"]["blocks"]}


def dropped(answer: dict) -> dict[str, str]:
    """Return the name and the reason of all that was left out or replaced."""
    return {it["name"]: it["reason"] for outcome in ("dropped", "replaced") for it in answer[outcome]}


def test_a_flowgraph_becomes_a_project_of_our_blocks(capsys):
    answer, document = imported(capsys, FILE)
    assert not errors(answer) and "gnuradio" not in document and "x_grc" not in document
    assert document["name"] == "tone"
    blocks = blocks_of(document)
    assert {name: block["type"] for name, block in blocks.items()} == {
        "tone": "signal_source", "tone_paced": "throttle", "level": "signal_source", "channel_times": "multiply",
        "channel_inner_mean": "fir_filter", "plot": "null_sink"}
    assert blocks["tone"]["parameters"] == {
        "item_type": "f32", "waveform": "cosine", "sample_rate": 8000, "frequency": 440, "amplitude": 0.5,
        "phase": 0, "offset": 0}
    assert blocks["tone_paced"]["parameters"] == {"item_type": "f32", "rate": 8000, "burst_items": 80}
    assert blocks["channel_inner_mean"]["parameters"] == {"item_type": "f32", "taps": [0.5, 0.5]}
    assert sorted(document["graph"]["connections"]) == [
        ["channel_inner_mean", "out", "plot", "in"], ["channel_times", "out", "channel_inner_mean", "in"],
        ["level", "out", "channel_times", "in1"], ["tone", "out", "tone_paced", "in"],
        ["tone_paced", "out", "channel_times", "in0"]]
    assert document["deployments"][0]["buffers"] == {"tone_paced.out->channel_times.in0": {"items": 4096}}


def test_the_report_has_a_place_for_all_that_is_left_out(capsys):
    answer, document = imported(capsys, FILE)
    said = dropped(answer)
    assert "deployment" in said["/blocks/2/scheduler"] and "drawn as its blocks" in said["/blocks/2"]
    assert "`channel/inner`" in said["/blocks/2/graph/blocks/1"] and "/dashboard" in said
    assert "control of the window" in said["knob"] and "a note" in said["knob"]
    [note] = document["ui"]["notes"].values()
    assert note["text"].splitlines()[0] == "knob: DigitizerUi::ImControlNumber"
    assert "target_map = Tone:amplitude" in note["text"] and "type" not in note["text"]
    assert note["rect"][1] + note["rect"][3] < min(y for _, y in answer["drawn"].values())


def test_a_flowgraph_can_be_planned(capsys):
    assert main(["plan", str(FILE), "--json"]) == 0
    assert "channel_inner_mean" in capsys.readouterr().out


@pytest.mark.parametrize(("port", "number"), [(0, 0), ("in", 0), ("in#2", 2), ([0, 1], 1), ("2", 2)])
def test_ports_have_numbers_or_names(tmp_path, capsys, port, number):
    total = {"id": "gr::blocks::math::Add<float32>", "name": "sum", "n_inputs": 3}
    file = written(tmp_path, [SOURCE, total, SINK], [["source", "out", "sum", port], ["sum", 0, "sink", "in"]])
    _, document = imported(capsys, file, *STUBS)
    end = [("sum_1", "in0"), ("sum_1", "in1"), ("sum", "in1")][number]
    assert ["source", "out", *end] in document["graph"]["connections"]


def test_a_name_with_a_number_sign_is_a_name(tmp_path, capsys):
    file = written(tmp_path, [ODD, SINK], [["odd", "#include <it>", "sink", 0]])
    assert imported(capsys, file)[1]["graph"]["connections"] == [["odd", "out0", "sink", "in"]]


def test_named_ports_have_the_order_of_the_table(tmp_path, capsys):
    pair = {"id": "gr::blocks::type::converter::RealImagToComplex<float32>", "name": "pair"}
    second = {"id": "gr::testing::ConstantSource<float32>", "name": "second"}
    sink = {"id": "gr::testing::NullSink<complex<float32>>", "name": "sink"}
    file = written(tmp_path, [SOURCE, second, pair, sink], [
        ["source", 0, "pair", "imag"], ["second", 0, "pair", "real"], ["pair", 0, "sink", 0]])
    answer, document = imported(capsys, file)
    assert not errors(answer) and ["source", "out", "pair", "imag"] in document["graph"]["connections"]
    assert ["second", "out", "pair", "real"] in document["graph"]["connections"]


def test_ports_of_an_unknown_block_stay_apart(tmp_path, capsys):
    sinks = [SINK | {"name": f"sink{i}"} for i in range(5)]
    ports = [1, [0, 0], [0, 1], "more", "more#of it"]
    file = written(tmp_path, [ODD, *sinks], [["odd", port, f"sink{i}", 0] for i, port in enumerate(ports)])
    answer, document = imported(capsys, file)
    assert [wire[1] for wire in document["graph"]["connections"]] == ["out2", "out0", "out1", "out3", "out4"]
    assert blocks_of(document)["odd"]["type"] == "my_odd_float32_3ul"
    assert answer["stubbed"][0]["reason"] == "Weir has no such block"
    [fault] = [it for it in answer["diagnostics"] if it["code"] == "E_BLOCK_TYPE"]
    assert fault["pointer"] == "/graph/blocks/0/type"


@pytest.mark.parametrize(("written_as", "kind"), [
    ("float32", "f32"), ("complex<float32>", "c64"), ("std::complex<float>", "c64"), ("float", "f32"),
    ("std::int16_t", "i16"), ("int32_t", "i32"), ("uint8", "u8"), ("int8", "i8")])
def test_the_template_argument_is_the_item_type(tmp_path, capsys, written_as, kind):
    blocks = [it | {"id": it["id"].replace("float32", written_as)} for it in (SOURCE, SINK)]
    _, document = imported(capsys, written(tmp_path, blocks, [["source", 0, "sink", 0]]))
    assert [block["parameters"] for block in document["graph"]["blocks"]] == [{"item_type": kind}] * 2


def test_old_files_state_names_and_types_beside_the_parameters(tmp_path, capsys):
    file = tmp_path / "old.grc"
    file.write_text("blocks:\n"
                    "- {name: source, id: gr::testing::NullSource, template_args: float}\n"
                    "- {name: sink, id: gr::testing::NullSink, template_args: float}\n"
                    "- {name: unstated, id: gr::testing::NullSink}\n"
                    "connections: [[source, 0, sink, 0], [source, 0, unstated, 0]]\n")
    answer, document = imported(capsys, file)
    assert blocks_of(document)["sink"]["parameters"] == {"item_type": "f32"}
    assert [(it["name"], it["reason"]) for it in answer["stubbed"]] == [("unstated", "items of type `unstated`")]


@pytest.mark.parametrize(("item", "reason"), [
    ("float64", "items of type `float64`"), ("gr::DataSet<float32>", "items of type `gr::DataSet<float32>`"),
    ("double", "items of type `float64`"), ("uint16", "items of type `uint16`")])
def test_items_that_we_lack_are_stubs(tmp_path, capsys, item, reason):
    file = written(tmp_path, [ODD, SINK | {"id": f"gr::testing::NullSink<{item}>"}], [["odd", 0, "sink", 0]])
    answer, _ = imported(capsys, file)
    assert {it["name"]: it["reason"] for it in answer["stubbed"]}["sink"] == reason


@pytest.mark.parametrize(("parameters", "reason"), [
    ({"signal_type": "TriangularNoise"}, "`signal_type` is `TriangularNoise`"),
    ({"frequency": 0}, "`frequency` is `0`: GNU Radio 4 then gives a constant"),
    ({"sample_rate": "fast"}, "`sample_rate` is `fast`")])
def test_values_without_a_counterpart_are_stubs(tmp_path, capsys, parameters, reason):
    block = {"id": "gr::basic::SignalGenerator<float32>", "name": "wave", **parameters}
    answer, _ = imported(capsys, written(tmp_path, [block, SINK], [["wave", 0, "sink", 0]]))
    [stub] = answer["stubbed"]
    assert stub["reason"].startswith(reason)


def test_parameters_for_other_contexts_are_left_out_with_their_place(tmp_path, capsys):
    file = tmp_path / "made.grc"
    file.write_text(json.dumps({"connections": [["it", 0, "sink", 0]], "blocks": [
        {"id": "my::Odd<float32>", "parameters": {"name": "it"}, "ctx_parameters": [
            {"gr:context": "A", "gr:ctx_time": 0, "parameters": {"x": 1}}]},
        {"id": SINK["id"], "parameters": {"name": "sink"}}]}))
    answer, _ = imported(capsys, file)
    assert "do not change during a run" in dropped(answer)["/blocks/0/ctx_parameters"]


def test_connections_lead_to_the_last_block_of_a_name(tmp_path, capsys):
    file = written(tmp_path, [SOURCE, SINK, SINK], [["source", 0, "sink", 0]])
    answer, document = imported(capsys, file)
    assert "another block has the name `sink`" in dropped(answer)["/blocks/2"]
    assert document["graph"]["connections"] == [["source", "out", "sink_2", "in"]]
    assert "sink" in document["ui"]["notes"]


def test_stubs_become_blocks_that_move_items(tmp_path, capsys):
    chart = {"id": "my::Chart<gr::DataSet<float32>>", "name": "chart"}
    file = written(tmp_path, [SOURCE, ODD, chart], [["source", 0, "odd", 0], ["odd", 0, "chart", 0]])
    assert errors(imported(capsys, file)[0]) == ["E_BLOCK_TYPE"] * 2
    answer, document = imported(capsys, file, "--stub", "copy")
    assert not errors(answer)
    assert {name: (it["type"], it["parameters"]["item_type"]) for name, it in blocks_of(document).items()} == {
        "source": ("null_source", "f32"), "odd": ("copy", "f32"), "chart": ("null_sink", "f32")}


def test_positions_are_those_of_the_file(tmp_path, capsys):
    at = [SOURCE | {"ui_constraints": {"x": 10, "y": -500.4}}, SINK | {"ui_constraints": {"x": 900, "y": "oops"}}]
    _, document = imported(capsys, written(tmp_path, at, [["source", 0, "sink", 0]]))
    assert document["ui"]["positions"] == {"source": [10, -500], "sink": [900, 0]}
    assert "ui_constraints" not in json.dumps(document)


def test_the_export_writes_a_flowgraph_of_3_10(tmp_path, capsys):
    project = tmp_path / "p.weir.json"
    assert main(["import", str(FILE), "-o", str(project)]) == 0
    capsys.readouterr()
    _, flow = exported(capsys, project)
    assert not flow.is_gr4 and "blocks_multiply_xx" in {block.id for block in flow.blocks}
    assert len(flow.connections) == 5


@pytest.mark.parametrize("words", [("import", "-o", "-", "--stub", "host"), ("run", "--replace", "hardware")])
def test_gnuradio_3_10_does_not_run_it(capsys, words):
    verb, *rest = words
    assert main([verb, str(FILE), *rest, "--json"]) != 0
    assert "E_GRC_HOST" in "".join(capsys.readouterr())


def test_verbs_say_which_blocks_are_stubs(tmp_path, capsys):
    file = written(tmp_path, [SOURCE, ODD, SINK], [["source", 0, "odd", 0], ["odd", 0, "sink", 0]])
    assert main(["validate", str(file), "--json"]) != 0
    [fault] = [it for it in json.loads(capsys.readouterr().out)["diagnostics"] if it["severity"] == "error"]
    assert fault["code"] == "E_BLOCK_TYPE" and fault["pointer"] == "/graph/blocks/1/type"


BLOCK = "{id: my::Odd, parameters: {name: a}}"


@pytest.mark.parametrize(("text", "pointer", "said"), [
    ("blocks: [3]", "/blocks/0", "not a mapping"),
    ("blocks: [{id: my::Odd, parameters: [1]}]", "/blocks/0/parameters", "not a mapping"),
    ("blocks: [{parameters: {name: a}}]", "/blocks/0/id", "the type of a block"),
    ("blocks: [{id: [1], parameters: {name: a}}]", "/blocks/0/id", "the type of a block"),
    ("blocks: [{id: my::Odd}]", "/blocks/0/parameters/name", "the name of a block"),
    (f"blocks: [{BLOCK}]\nconnections: 3", "/connections", "not a list"),
    (f"blocks: [{BLOCK}]\nconnections: [[a, 0, a]]", "/connections/0", "source, port, destination and port"),
    (f"blocks: [{BLOCK}]\nconnections: [[a, 0, b, 0]]", "/connections/0/2", "no block `b`"),
    (f"blocks: [{BLOCK}]\nconnections: [[{{x: 1}}, 0, a, 0]]", "/connections/0/0", "not a word"),
    (f"blocks: [{BLOCK}]\nconnections: [[a, -1, a, 0]]", "/connections/0/1", "a port is neither"),
    (f"blocks: [{BLOCK}]\nconnections: [[a, 0, a, [1, 2, 3]]]", "/connections/0/3", "a port is neither"),
    (f"blocks: [{BLOCK}]\nconnections: [[a, 0, a, 0, large]]", "/connections/0/4", "buffer size"),
    ("blocks: [{id: SUBGRAPH, parameters: {name: s}, graph: 3}]", "/blocks/0/graph", "`graph` of a subgraph"),
    ("blocks: [{id: SUBGRAPH, parameters: {name: s}, graph: {blocks: [1]}}]", "/blocks/0/graph/blocks/0",
     "not a mapping"),
    ("blocks: [{id: SUBGRAPH, parameters: {name: s}, graph: {exported_ports: [[a, INPUT, in]]}}]",
     "/blocks/0/graph/exported_ports/0", "an exported port"),
    ("blocks: [{id: SUBGRAPH, parameters: {name: s}, graph: {exported_ports: [[a, INPUT, in, in]]}}]",
     "/blocks/0/graph/exported_ports/0/0", "no block `a`"),
    (f"blocks: [{BLOCK}, {{id: SUBGRAPH, parameters: {{name: s}}}}]\nconnections: [[a, 0, s, in]]",
     "/connections/0/2", "the subgraph `s` exports no input `in`"),
], ids=lambda it: it[:70])
def test_a_malformed_part_has_a_place(tmp_path, capsys, text, pointer, said):
    file = tmp_path / "x.grc"
    file.write_text(text)
    assert main(["import", str(file), "-o", "-", "--json"]) == 1
    [fault] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (fault["code"], fault["pointer"]) == ("E_GRC_SHAPE", pointer)
    assert said in fault["message"] and "exported port" in fault["hint"]


@pytest.mark.parametrize(("blocks", "connections", "pointer"), [(11, 0, "/blocks"), (2, 21, "/connections")])
def test_there_is_an_end_to_blocks_and_connections(monkeypatch, blocks, connections, pointer):
    monkeypatch.setattr(flowgraph, "MAX_BLOCKS", 10)
    monkeypatch.setattr(flowgraph, "MAX_CONNECTIONS", 20)
    data = json.dumps({"blocks": [{"id": "my::Odd", "parameters": {"name": "a"}}] * blocks,
                       "connections": [["a", 0, "a", 0]] * connections})
    with pytest.raises(WeirError) as raised:
        read_grc(data.encode())
    assert [(it.code, it.pointer) for it in raised.value.diagnostics] == [("E_GRC_LIMIT", pointer)]


def test_all_faults_are_reported_at_once(tmp_path, capsys):
    file = tmp_path / "x.grc"
    file.write_text("blocks: [1, 2, {id: 3}]\nconnections: [4]")
    assert main(["import", str(file), "-o", "-", "--json"]) == 1
    assert [it["pointer"] for it in json.loads(capsys.readouterr().out)["diagnostics"]] == [
        "/blocks/0", "/blocks/1", "/blocks/2/parameters/name", "/connections/0"]


def test_tags_of_types_construct_nothing():
    flow = read_grc(b"blocks: [{id: my::Odd<float32>, parameters: {name: a, x: !!float32 1, y: !!uint8 [1, 2], "
                    b"z: !!bool true, w: !!str 7, v: [a, !!int32 2], u: {k: !!float64 3}, t: null}}]", "it")
    [block] = flow.blocks
    assert flow.is_gr4 and flow.options.parameters == {"id": "it"}
    assert block.parameters == {"type": "float32", "x": "1", "y": "[1, 2]", "z": "True", "w": "7", "v": "['a', 2]",
                                "u": "{'k': 3}", "t": ""}
