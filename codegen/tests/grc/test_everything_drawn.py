"""Connections that are no plain wire between two blocks in Companion: buses, buttons, and ports of other versions."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from grc_world import exported, grc, imported, needs_grcc
from test_hosted import needs_blocks, validated
from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.reading.flowgraph import Flowgraph, read_grc
from weir.model.document import jsontext

#: Two buses of two streams each, which cross.
SOURCES = [{"name": name, "id": "blocks_null_source", "type": "float", "num_outputs": "2",
            "bus_structure_source": "[list(map(lambda it: it, range(2)))]", "_states": {"bus_source": True}}
           for name in ("first", "second")]
SINK = {"name": "sink", "id": "blocks_null_sink", "type": "float", "num_inputs": "2*pairs",
        "bus_structure_sink": "[[0, 1], [2, 3]]", "_states": {"bus_sink": True}}
BUSES = [*SOURCES, SINK, {"name": "pairs", "id": "variable", "value": "2"}]
BUS_WIRES = [["first", "2", "sink", "5"], ["second", "2", "sink", "4"]]
STREAMS = [("first", "0", "sink", "2"), ("first", "1", "sink", "3"),
           ("second", "0", "sink", "0"), ("second", "1", "sink", "1")]


def drawn(tmp_path: Path, capsys: pytest.CaptureFixture, blocks: list[dict], wires: list) -> dict:
    """Return the project of a flowgraph in which every connection is drawn."""
    file = tmp_path / "made.grc"
    file.write_bytes(grc(blocks, wires))
    answer, document = imported(capsys, file, "--stub", "host")
    assert not answer["dropped"] and len({it["name"] for it in answer["kept"]}) == len(answer["kept"]) == len(blocks)
    return document


def back(tmp_path: Path, capsys: pytest.CaptureFixture, document: dict) -> Flowgraph:
    project = tmp_path / "made.weir.json"
    project.write_text(jsontext.write(document), encoding="utf-8")
    return exported(capsys, project)[1]


def ends(document: dict) -> list[tuple[str, ...]]:
    """Return the connections with the keys of streams, in order."""
    return sorted((a, p.removeprefix("out"), b, q.removeprefix("in"))
                  for a, p, b, q in document["graph"]["connections"])


@needs_blocks
def test_a_bus_is_drawn_as_its_streams_and_comes_back_as_a_bus(tmp_path, capsys):
    document = drawn(tmp_path, capsys, BUSES, BUS_WIRES)
    assert ends(document) == STREAMS
    flow, original = back(tmp_path, capsys, document), read_grc(grc(BUSES, BUS_WIRES))
    assert flow.blocks == original.blocks and sorted(c.ends for c in flow.connections) == [*map(tuple, BUS_WIRES)]
    # Companion hides the ports of a bus, so one that lacks a stream is no longer a bus.
    document["graph"]["connections"].remove(["first", "out1", "sink", "in3"])
    flow = back(tmp_path, capsys, document)
    assert sorted(c.ends for c in flow.connections) == [STREAMS[0], *STREAMS[2:]]
    assert not any(block.states.get(side) for block in flow.blocks for side in ("bus_source", "bus_sink"))


@needs_blocks
def test_buses_of_different_sizes_are_not_connected(tmp_path, capsys):
    file = tmp_path / "made.grc"
    wide = SINK | {"bus_structure_sink": "[[0, 1, 2], [3]]"}
    file.write_bytes(grc([*SOURCES, wide, BUSES[-1]], BUS_WIRES))
    answer, document = imported(capsys, file, "--stub", "host")
    assert not set(ends(document)) & set(STREAMS)
    assert sorted(c.ends for c in back(tmp_path, capsys, document).connections) == [*map(tuple, BUS_WIRES)]


@needs_grcc
def test_grcc_connects_the_streams_that_are_drawn(tmp_path, capsys):
    literal = [block | {"bus_structure_source": "[[0, 1]]"} for block in SOURCES]  # grcc 3.10 evaluates no inner lambda
    file = tmp_path / "made.grc"
    file.write_bytes(grc([*literal, *BUSES[2:]], BUS_WIRES))
    subprocess.run(["grcc", "-o", str(tmp_path), str(file)], check=True, capture_output=True, timeout=120)
    connected = re.findall(r"self\.connect\(\(self\.(\w+), (\d)\), \(self\.(\w+), (\d)\)\)",
                           (tmp_path / "made.py").read_text())
    assert sorted(connected) == ends(drawn(tmp_path, capsys, [*literal, *BUSES[2:]], BUS_WIRES)) == STREAMS


def test_a_function_of_one_name_is_mapped_over_a_list():
    nested = "list(map(lambda b: list(map(lambda a: b * n + a, range(n))), range(2)))"
    assert Namespace({"n": "3"}).text_value(nested) == [[0, 1, 2], [3, 4, 5]]


#: A button of Companion is a variable with a message port.
BUTTONS = [{"name": "pressed", "id": "variable_qtgui_msg_push_button", "value": "1", "msgName": "'it'"},
           {"name": "unused", "id": "variable_qtgui_msg_push_button", "value": "2"},
           {"name": "twice", "id": "variable", "value": "2*unused"},
           {"name": "debug", "id": "blocks_message_debug"}]
PRESSED = [["pressed", "pressed", "debug", "print"]]


@needs_blocks
def test_a_connected_button_is_a_block_and_another_one_a_variable(tmp_path, capsys):
    document = drawn(tmp_path, capsys, BUTTONS, PRESSED)
    blocks = {block["id"]: block for block in document["graph"]["blocks"]}
    assert set(blocks) == {"pressed", "debug"} and set(document["parameters"]) == {"unused", "twice"}
    assert document["graph"]["connections"] == [["pressed", "out_pressed", "debug", "in_print"]]
    flow, original = back(tmp_path, capsys, document), read_grc(grc(BUTTONS, PRESSED))
    assert flow.blocks == original.blocks and flow.connections == original.connections
    blocks["pressed"]["parameters"]["value"] = "7"
    flow = back(tmp_path, capsys, document)
    assert [block.parameters["value"] for block in flow.blocks if block.id != "blocks_message_debug"] == [
        "7", "2", "2*unused"]
    document["graph"] = {"blocks": [blocks["debug"]], "connections": []}
    flow = back(tmp_path, capsys, document)
    assert [block.name for block in flow.blocks] == ["unused", "twice", "debug"] and not flow.connections


@needs_blocks
def test_a_port_of_another_version_is_drawn_with_a_warning(tmp_path, capsys):
    document = drawn(tmp_path, capsys, [BUTTONS[0], BUTTONS[-1]], [*PRESSED, ["pressed", "pressed", "debug", "of_4"]])
    assert ["pressed", "out_pressed", "debug", "in_of_4"] in document["graph"]["connections"]
    project = tmp_path / "made.weir.json"
    [fault] = validated(capsys, project, document)["diagnostics"]
    assert fault["code"] == "W_BLOCK_PORTS" and "`debug`" in fault["message"]
    assert len(back(tmp_path, capsys, document).connections) == 2
