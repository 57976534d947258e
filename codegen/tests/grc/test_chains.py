"""Test the translation of blocks with any number of streams, and of lists of items, in both directions."""

from __future__ import annotations

import json

import pytest
from grc_world import exported, grc, made
from weir.interop.grc.importing.building import NotBuilt, build
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.reading.flowgraph import read_grc
from weir.model.catalog import load_catalog

CATALOG = load_catalog()
ENDS = [{"name": f"{kind}{i}", "id": f"blocks_null_{kind}", "type": "int"} for kind in ("source", "sink")
        for i in range(3)]


def built(block: dict, outputs: int = 1):
    flow = read_grc(grc([{"name": "dut", **block}], []))
    return build(flow.blocks[0], Variables(flow).values, CATALOG, {0}, set(range(outputs)))


def around(block: dict, inputs: int, outputs: int) -> tuple[list[dict], list]:
    """Return sources -> block -> sinks."""
    wires = [[f"source{i}", "0", "dut", str(i)] for i in range(inputs)]
    wires += [["dut", str(i), f"sink{i}", "0"] for i in range(outputs)]
    used = {end for wire in wires for end in (wire[0], wire[2])}
    return [end for end in ENDS if end["name"] in used] + [{"name": "dut", "type": "int", **block}], wires


@pytest.mark.parametrize(("block", "inputs", "outputs", "parameters"), [
    ({"id": "blocks_stream_mux", "lengths": "(2, 3, 4)", "num_inputs": "3"}, 3, 1,
     {"dut_1": {"first": 2, "second": 3}, "dut": {"first": 5, "second": 4}}),
    ({"id": "blocks_interleave", "num_streams": "3", "blocksize": "2"}, 3, 1,
     {"dut_1": {"first": 2, "second": 2}, "dut": {"first": 4, "second": 2}}),
    ({"id": "blocks_stream_demux", "lengths": "(2, 3, 4)", "num_outputs": "3"}, 1, 3,
     {"dut": {"first": 2, "second": 7}, "dut_1": {"first": 3, "second": 4}}),
    ({"id": "blocks_deinterleave", "num_streams": "2"}, 1, 2, {"dut": {"first": 1, "second": 1}}),
    ({"id": "blocks_selector", "num_inputs": "3", "num_outputs": "1", "input_index": "1"}, 3, 1,
     {"dut_1": {"index": 1}, "dut": {"index": 0}}),
])
def test_a_chain_keeps_its_streams_and_returns(tmp_path, capsys, block, inputs, outputs, parameters):
    answer, document, blocks = made(tmp_path, capsys, *around(block, inputs, outputs))
    assert answer["counts"]["kept"] == inputs + outputs + 1 and not answer["diagnostics"]
    for name, values in parameters.items():
        assert blocks[name]["parameters"] == {"item_type": "i32", **values}
    project = tmp_path / "made.weir.json"
    project.write_text(answer["document"])
    _, flow = exported(capsys, project)
    assert [(b.name, b.parameters) for b in flow.blocks if b.id == block["id"]] == [
        ("dut", {"type": "int"} | {k: v for k, v in block.items() if k != "id"})]
    del document["x_grc"]  # as a project of one's own
    for entry in document["graph"]["blocks"]:
        del entry["x_grc"]
    project.write_text(json.dumps(document))
    answer, flow = exported(capsys, project)
    assert not answer["replaced"] and len(flow.blocks) == len(document["graph"]["blocks"])


def test_outputs_that_a_selector_does_not_choose_are_empty():
    found = built({"id": "blocks_selector", "type": "float", "num_outputs": "3", "output_index": "1",
                   "input_index": "True"}, outputs=3)
    assert {part.name: (part.type, part.parameters) for part in found.parts} == {
        "": ("selector", {"index": 1}), "empty_0": ("vector_source", {"values": []}),
        "empty_2": ("vector_source", {"values": []})}
    assert found.outputs == {1: ("", "out"), 0: ("empty_0", "out"), 2: ("empty_2", "out")}


def ends(found) -> tuple[list, list, dict]:
    """Return the parts, the wires and the outputs of a chain, after checking that each input has one wire."""
    into = [(b, q) for _, _, b, q in found.wires] + [end for targets in found.inputs.values() for end in targets]
    assert len(set(into)) == len(into)
    return [(part.name, part.type) for part in found.parts], found.wires, found.outputs


def test_a_matrix_is_a_sum_of_weighted_inputs_for_each_output():
    found = built({"id": "blocks_multiply_matrix_xx", "type": "complex", "A": "((1, 2j), (0, -1))"}, outputs=2)
    parts, wires, outputs = ends(found)
    assert {part.name: part.parameters["constant"] for part in found.parts if part.type == "multiply_const"} == {
        "weight0_0": 1, "weight0_1": [0, 2], "weight1_0": 0, "weight1_1": -1}
    assert found.inputs == {i: [(f"weight{out}_{i}", "in") for out in (0, 1)] for i in (0, 1)}
    assert outputs == {out: (f"sum{out}_", "out") for out in (0, 1)} and len(parts) == 6
    assert set(wires) == {(f"weight{out}_{i}", "out", f"sum{out}_", f"in{i}") for out in (0, 1) for i in (0, 1)}


@pytest.mark.parametrize(("deint", "taken", "given"), [("False", 4, 1), ("True", 1, 4)])
def test_an_interleaver_takes_and_gives_items_of_streams_by_turns(deint, taken, given):
    found = built({"id": "blocks_matrix_interleaver", "type": "short", "rows": "3", "cols": "4", "deint": deint})
    assert [(part.type, part.parameters) for part in found.parts] == [
        ("stream_demux", {"first": taken, "second": 2 * taken}), ("stream_demux", {"first": taken, "second": taken}),
        ("stream_mux", {"first": given, "second": given}), ("stream_mux", {"first": 2 * given, "second": given})]
    assert len(ends(found)[1]) == 5 and found.outputs == {0: ("", "out")}
    [alone] = built({"id": "blocks_matrix_interleaver", "type": "short", "rows": "1", "cols": "4"}).parts
    assert alone.type == "copy"


def test_the_taps_of_a_channelizer_are_dealt_to_its_channels():
    found = built({"id": "pfb_channelizer_hier_ccf", "nchans": "3", "taps": "[1, 2, 3, 4]"}, outputs=3)
    assert [part.parameters["taps"] for part in found.parts if part.type == "fir_filter"] == [[4, 1], [0, 2], [0, 3]]
    parts, _, outputs = ends(found)
    assert len(outputs) == 3 and [kind for _, kind in parts].count("stream_demux") == 4 and not found.reason
    assert "differs in its filter" in built({"id": "pfb_channelizer_hier_ccf", "bw": "0.6"}, outputs=3).reason


def test_a_block_whose_second_input_weir_lacks_is_refused():
    flow = read_grc(grc([{"name": "dut", "id": "mmse_resampler_xx", "resamp_ratio": "2"}], []))
    with pytest.raises(NotBuilt, match="does not have its input 1"):
        build(flow.blocks[0], Variables(flow).values, CATALOG, {0, 1}, {0})


@pytest.mark.parametrize(("block", "reason"), [
    ({"id": "blocks_multiply_matrix_xx", "A": "((1, 2), (3,))"}, "no matrix"),
    ({"id": "blocks_multiply_matrix_xx", "A": "2"}, "no matrix"),
    ({"id": "blocks_multiply_matrix_xx", "A": "40 * [40 * [1]]"}, "no matrix of up to 1024"),
    ({"id": "blocks_matrix_interleaver", "rows": "2000", "cols": "2"}, "lengths of at least 1"),
    ({"id": "pfb_channelizer_hier_ccf", "taps": "[1]", "outchans": "[0, 2]"}, "all channels go out"),
    ({"id": "mmse_resampler_xx", "resamp_ratio": "1.5", "phase_shift": "0.5"}, "begins at an item"),
    ({"id": "mmse_resampler_xx", "resamp_ratio": "1 / math.pi"}, "phases is not supported"),
    ({"id": "digital_psk_mod", "constellation_points": "3"}, "a power of two"),
    ({"id": "blocks_stream_mux", "type": "byte", "lengths": "(2, 0)"}, "lengths of at least 1"),
    ({"id": "blocks_stream_mux", "type": "byte", "lengths": "(2, 1.5)"}, "lengths of at least 1"),
    ({"id": "blocks_stream_mux", "type": "byte", "lengths": "(1000001, 1)"}, "at most 1000000"),
    ({"id": "blocks_interleave", "type": "byte", "num_streams": "0"}, "lengths of at least 1"),
    ({"id": "blocks_selector", "type": "byte", "input_index": "2"}, "the block has 2 inputs"),
    ({"id": "blocks_selector", "type": "byte", "enabled": "False"}, "always enabled"),
    ({"id": "blocks_vector_source_x", "type": "byte", "vector": "[1, 256]"}, "`vector` has 256"),
    ({"id": "blocks_vector_source_x", "type": "int", "vector": "[16777217]"}, "which is no i32 that float32 holds"),
    ({"id": "blocks_vector_source_x", "type": "float", "vector": "[1j]"}, "no list of f32"),
    ({"id": "blocks_vector_source_x", "type": "float", "vector": "3"}, "no list of numbers"),
    ({"id": "blocks_vector_source_x", "type": "float", "tags": "[tag]"}, "streams carry no tags"),
    ({"id": "blocks_repack_bits_bb", "len_tag_key": "packet_len"}, "streams carry no tags"),
    ({"id": "blocks_repack_bits_bb", "k": "9"}, "repack_bits does not allow `k` of 9: at most 8"),
    ({"id": "blocks_packed_to_unpacked_xx", "type": "byte", "endianness": "gr.GR_LSB_FIRST"}, "most significant bit"),
    ({"id": "digital_chunks_to_symbols_xx", "in_type": "short"}, "chunks are bytes"),
])
def test_what_has_no_counterpart_is_refused_with_the_reason(block, reason):
    with pytest.raises(NotBuilt, match=reason):
        built(block)


def test_lists_go_back_as_items(tmp_path, capsys):
    blocks = [{"name": "dut", "id": "blocks_vector_source_x", "type": "complex", "vector": "(1, 2j)"},
              {"name": "sink", "id": "blocks_null_sink", "type": "complex"}]
    _, document, found = made(tmp_path, capsys, blocks, [["dut", "0", "sink", "0"]])
    assert found["dut"]["parameters"]["values"] == [1, 0, 0, 2]
    found["dut"]["parameters"]["values"] = [0.5, -1]
    project = tmp_path / "made.weir.json"
    project.write_text(json.dumps(document))
    _, flow = exported(capsys, project)
    assert flow.by_name["dut"].parameters["vector"] == "[complex(0.5, -1)]"
