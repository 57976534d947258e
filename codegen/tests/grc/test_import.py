"""Test `weir import` from the command line: the project is valid and canonical, and the report describes it."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
from grc_world import DATA, NULL, SINK, STUBS, errors, imported, made, through
from weir import ROOT
from weir.cli import main
from weir.diagnostics import has_errors
from weir.interop.grc import table
from weir.model.check import check
from weir.read.reporting.scene import build_scene, positions_with_room, readable_scene


def test_three_sources_and_a_sum(capsys):
    answer, document = imported(capsys, DATA / "three_tones.grc")
    checked = check(answer["document"])
    assert not has_errors(checked.diagnostics) and checked.graph is not None
    types = {block["id"]: block["type"] for block in document["graph"]["blocks"]}
    assert types == {"tone_a": "signal_source", "tone_b": "signal_source", "hiss": "noise_source", "total_1": "add",
                     "total": "add", "speaker": "null_sink"}
    assert document["parameters"]["rate"]["value"] == 32000
    [tone] = [block for block in document["graph"]["blocks"] if block["id"] == "tone_a"]
    assert tone["parameters"]["sample_rate"] == {"expr": "rate"} and tone["parameters"]["frequency"] == 350
    assert {entry["name"] for entry in answer["replaced"]} == {"hiss", "speaker"}
    assert all(entry["reason"] for entry in answer["replaced"] + answer["stubbed"] + answer["dropped"])
    [total] = [entry for entry in answer["kept"] if entry["name"] == "total"]
    assert total["became"] == ["total_1", "total"] and total["reason"].startswith("its 3 inputs are 2 blocks of two")
    assert answer["drawn"]["tone_b"] == [320, 124]
    assert document["run"]["items"] > 0


def chains(pitch: int) -> tuple[list[dict], list]:
    """Return four sources with a sink to the right of each, `pitch` apart; the last pair lies on top of another."""
    ends = [{**end, "name": f"{end['name']}{i}", "_at": [100 + 400 * column, 800 - pitch * i]}
            for i in range(4) for column, end in enumerate((NULL, SINK))]
    return ends, [[f"source{i}", "0", f"sink{i}", "0"] for i in range(4)]


def test_blocks_that_would_lie_on_each_other_are_laid_out_in_the_order_of_the_drawing(tmp_path, capsys):
    answer, document, _ = made(tmp_path, capsys, *chains(pitch=30))
    places = document["ui"]["positions"]
    assert answer["drawn"]["sink3"] == [500, 710] and document["x_grc"]["laid_out"] == places
    checked = check(answer["document"])
    scene = build_scene(checked.project, checked.catalog, checked.graph)
    assert positions_with_room(scene) is None
    for kind in ("source", "sink"):
        assert [places[f"{kind}{i}"][1] for i in range(4)] == sorted((places[f"{kind}{i}"][1] for i in range(4)),
                                                                     reverse=True)
    assert main(["import", str(tmp_path / "made.grc"), "-o", str(tmp_path / "p.weir.json")]) == 0
    assert (tmp_path / "p.weir.json").read_text() == answer["document"]
    assert "laid out" in capsys.readouterr().err


def test_a_flowgraph_is_drawn_without_blocks_on_each_other_before_its_import(tmp_path, capsys):
    answer, document, _ = made(tmp_path, capsys, *chains(pitch=30))
    del document["x_grc"]["laid_out"]  # as `weir run` reads the flowgraph
    document["ui"]["positions"] = answer["drawn"]
    checked = check(json.dumps(document))
    assert positions_with_room(build_scene(checked.project, checked.catalog, checked.graph)) is not None
    scene = readable_scene(checked.project, checked.catalog, checked.graph)
    assert positions_with_room(scene) is None
    assert main(["export", str(tmp_path / "made.grc"), "-o", str(tmp_path / "g.svg")]) == 0
    boxes = [list(map(float, found)) for found in re.findall(
        r'<g><title>(?:source|sink).*?<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"',
        (tmp_path / "g.svg").read_text(), re.DOTALL)]
    assert len(boxes) == 8 and not [1 for a in boxes for b in boxes if a is not b and a[0] <= b[0] < a[0] + a[2]
                                    and a[1] <= b[1] < a[1] + a[3]]
    # A user's own drawing stays as it is.
    del document["x_grc"]
    own = check(json.dumps(document))
    stays = readable_scene(own.project, own.catalog, own.graph)
    assert {name: [int(it.x), int(it.y)] for name, it in stays.blocks.items()} == answer["drawn"]


def test_a_drawing_with_room_stays_as_it_is(tmp_path, capsys):
    answer, document, _ = made(tmp_path, capsys, *chains(pitch=300))
    assert "drawn" not in answer and "laid_out" not in document["x_grc"]
    assert document["ui"]["positions"]["source1"] == [100, 500]


def test_a_chain_that_is_too_long_for_the_window_is_laid_out_in_rows(tmp_path, capsys):
    row = through(*({"name": f"copy{i}", "id": "blocks_copy", "type": "float"} for i in range(12)))
    _, line, _ = made(tmp_path, capsys, *row, "--room", "9000x800")
    _, rows, _ = made(tmp_path, capsys, *row)
    assert len({y for _, y in line["ui"]["positions"].values()}) == 1
    assert len({y for _, y in rows["ui"]["positions"].values()}) > 1
    with pytest.raises(SystemExit):
        main(["import", "-", "-o", "-", "--room", "wide"])


def test_without_the_program_that_lays_out_the_places_stay_and_that_is_reported(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    answer, document, _ = made(tmp_path, capsys, *chains(pitch=30))
    [said] = [fault for fault in answer["diagnostics"] if fault["code"] == "E_TOOL_MISSING"]
    assert said["severity"] == "warning" and "drawn" not in answer
    assert document["ui"]["positions"]["sink3"] == [500, 710]


def test_an_unknown_block_is_a_stub_that_keeps_everything(tmp_path, capsys):
    answer, document, blocks = made(tmp_path, capsys, *through(
        {"name": "pll", "id": "my_pll", "bw": "rate / 3", "Mode": "'a'", "affinity": "[0, 1]", "comment": "looks up"}),
        *STUBS)
    assert blocks["pll"]["type"] == "my_pll" and blocks["pll"]["comment"] == "looks up"
    assert blocks["pll"]["parameters"] == {"bw": "rate / 3", "mode": "'a'"}
    assert ["source", "out", "pll", "in0"] in document["graph"]["connections"]
    assert document["deployments"][0]["affinity"] == {"pll": [0, 1]}
    [entry] = answer["stubbed"]
    assert entry["name"] == "pll" and "no such block" in entry["reason"]
    [error] = [d for d in answer["diagnostics"] if d["severity"] == "error"]
    assert error["code"] == "E_BLOCK_TYPE" and "my_pll" in error["message"] and "--stub copy" in error["hint"]


@pytest.mark.parametrize(("text", "value"), [
    ("rate / 4", {"expr": "rate / 4"}), ("int(rate / 3)", {"expr": "floor(rate / 3)"}),
    ("(int)(rate/3)", {"expr": "floor(rate / 3)"}), ("-(rate + 1) * 2", {"expr": "-(rate + 1) * 2"}),
    ("2 ** 3 ** 2", 512), ("math.pi * 2", 6.283185307179586), ("1e3", 1000.0), ("0x10", 16),
    ("rate if rate > 3 else 1", 48000), ("math.log10(rate)", 4.681241237375588), ("[1, 2, 3][1]", 2)])
def test_expressions(tmp_path, capsys, text, value):
    blocks, connections = through({"name": "wave", "id": "blocks_multiply_const_xx", "type": "float", "const": text})
    _, document, made_of = made(tmp_path, capsys, [*blocks, {"name": "rate", "id": "variable", "value": "48000"}],
                                connections)
    assert made_of["wave"]["parameters"]["constant"] == value
    assert ("rate" in document.get("parameters", {})) == isinstance(value, dict)


@pytest.mark.parametrize(("text", "taps"), [
    ("np.array([1, 2]) * 2", [2, 4]), ("[1, 2] * 2", [1, 2, 1, 2]), ("1 - numpy.array([1, 2]) / 2", [0.5, 0]),
    ("np.zeros(2) + np.ones(2)", [1, 1]), ("-np.exp(np.array([0, 0]))", [-1, -1]), ("list(np.array([3])) * 2", [3, 3]),
    ("np.array([1, 2]) + [10, 20]", [11, 22]), ("np.real([1 + 2j, 3])", [1, 3]),
    ("np.arange(0, 1, 0.25)", [0, 0.25, 0.5, 0.75]),
    ("np.concatenate([np.linspace(0, 1, 2), [5]])", [0, 1, 5]), ("abs(np.array([-1, 2])) ** 2", [1, 4]),
    ("[(abs)(-3), np.sum(np.array([1, 2])), np.mean([1, 2])]", [3, 3, 1.5]),
    ("np.hstack([1, np.ones(2), (2, 3)])", [1, 1, 1, 2, 3]), ("numpy.hstack(([1], [2]))[::-1] * 2", [4, 2]),
    ("[1, 2, 3, 4][1:-1]", [2, 3]), ("np.arange(5)[::2] * 2", [0, 4, 8]),
    ("[int(8 * i) for i in np.linspace(0, 1, 3) if i > 0]", [4, 8]),
    ("[a * b for a, b in [(1, 2), (3, 4)]]", [2, 12]), ("[sum([i for i in range(k)]) for k in [2, 4]]", [1, 6])])
def test_arrays_of_numpy_go_item_by_item_and_lists_are_repeated(tmp_path, capsys, text, taps):
    _, _, made_of = made(tmp_path, capsys, *through({"name": "f", "id": "fir_filter_xxx", "type": "fff", "taps": text}))
    assert made_of["f"]["parameters"]["taps"] == taps
    numpy = pytest.importorskip("numpy")
    assert list(map(float, eval(text, {"np": numpy, "numpy": numpy}))) == pytest.approx(taps), "and so does numpy"


@pytest.mark.parametrize(("text", "reason"), [
    ("np.array([1, 2]) + np.array([1, 2, 3])", "different lengths"), ("np.array([[1], [2]])", "with one dimension"),
    ("np.zeros(10 ** 9)", "at most 100000 entries"), ("[1] if np.array([1, 2]) else [2]", "neither true nor false"),
    ("np.array([1, 2]) == 1", "arrays cannot be compared"), ("np.array(3)", "needs a list"),
    ("[a for a, b in [[1]]]", "shorter"), ("[1, 2][1.5:]", "slice indices"), ("[x.y for x in [1]]", "not a variable"),
    ("np.hstack(3)", "arrays are needed"), ("[1 for x in 3]", "a list is needed")])
def test_what_numpy_does_otherwise_is_not_guessed(tmp_path, capsys, text, reason):
    block = {"name": "f", "id": "fir_filter_xxx", "type": "fff", "taps": text}
    answer, _, _ = made(tmp_path, capsys, *through(block), *STUBS)
    [entry] = answer["stubbed"]
    assert reason in entry["reason"]


def test_variables_become_parameters_where_they_are_used(tmp_path, capsys):
    blocks, connections = through({"name": "gain", "id": "blocks_multiply_const_xx", "type": "float",
                                   "const": "Level * half"})
    answer, document, made_of = made(tmp_path, capsys, [
        *blocks, {"name": "Level", "id": "variable_qtgui_range", "value": "3", "start": "0", "stop": "9", "label": "L"},
        {"name": "half", "id": "variable", "value": "Level / 2"}, {"name": "unused", "id": "variable", "value": "1"},
        {"name": "loop", "id": "variable", "value": "loop + 1"},
        {"name": "bad", "id": "variable", "value": "__import__('os').system('true')"}], connections)
    assert made_of["gain"]["parameters"]["constant"] == {"expr": "level * half"}
    assert document["parameters"]["level"] | {"x_grc": 0} == {
        "value": 3, "minimum": 0, "maximum": 9, "description": "L", "x_grc": 0}
    assert document["parameters"]["half"]["value"] == {"expr": "level / 2"}
    notes = {entry["name"]: entry.get("reason") for entry in answer["kept"]}
    assert "slider" in notes["Level"] and not notes["half"]
    reasons = {entry["name"]: entry["reason"] for entry in answer["dropped"]}
    assert set(reasons) == {"unused", "loop", "bad"}
    assert "defined in terms of itself" in reasons["loop"] and "does not evaluate" in reasons["bad"]


def test_states_and_settings(tmp_path, capsys):
    blocks, connections = through({"name": "one", "id": "blocks_copy", "type": "float", "_state": "bypassed",
                                   "affinity": "1", "maxoutbuf": "size", "minoutbuf": "64"})
    blocks[0] |= {"_state": True, "affinity": "[0, 2]", "minoutbuf": "size // 2"}
    _, document, made_of = made(tmp_path, capsys, [*blocks, {"name": "size", "id": "variable", "value": "4096"}],
                                connections)
    assert "state" not in made_of["source"] and made_of["one"]["state"] == "bypassed"
    first = document["deployments"][0]
    assert first["scheduler"] == "thread_per_block" and first["affinity"] == {"source": [0, 2]}
    assert first["buffers"] == {"source.out->one.in": {"items": 2048}}


def test_a_disabled_alternative_does_not_take_the_input(tmp_path, capsys):
    answer, document, made_of = made(tmp_path, capsys, [
        NULL | {"name": "a", "_state": "disabled"}, NULL | {"name": "b"}, SINK],
        [["a", "0", "sink", "0"], ["b", "0", "sink", "0"]])
    assert document["graph"]["connections"] == [["b", "out", "sink", "in"]] and made_of["a"]["state"] == "disabled"
    assert not errors(answer)


def test_virtual_blocks_and_vectors_are_wires(tmp_path, capsys):
    answer, document, _ = made(tmp_path, capsys, [
        NULL, {"name": "vs", "id": "virtual_sink", "stream_id": "a"},
        {"name": "vo", "id": "virtual_source", "stream_id": "a"},
        {"name": "s2v", "id": "blocks_stream_to_vector", "type": "float", "num_items": "8"}, SINK,
        SINK | {"name": "direct"}, {"name": "lost", "id": "virtual_source", "stream_id": "b"},
        SINK | {"name": "of_lost"}],
        [["source", "0", "vs", "0"], ["vo", "0", "s2v", "0"], ["s2v", "0", "sink", "0"], ["vo", "0", "direct", "0"],
         ["lost", "0", "of_lost", "0"]])
    assert document["graph"]["connections"] == [["source", "out", "sink", "in"], ["source", "out", "direct", "in"]]
    assert answer["counts"]["stubbed"] == 0


def test_messages_are_counted(tmp_path, capsys):
    blocks, connections = through({"name": "c", "id": "blocks_copy", "type": "float"})
    answer, document, _ = made(tmp_path, capsys, [*blocks, {"name": "m", "id": "blocks_message_strobe"}],
                               [*connections, ["m", "strobe", "c", "en"], ["m", "strobe", "sink", "x"]], *STUBS)
    reasons = {entry["name"]: entry["reason"] for entry in answer["dropped"]}
    assert reasons == {"m": "it has only message connections",
                       "2 message connections": "Weir supports only streams of items"}
    assert len(document["graph"]["connections"]) == 2


def test_bytes_are_what_their_neighbours_say(tmp_path, capsys):
    _, _, made_of = made(tmp_path, capsys, [
        {"name": "s", "id": "blocks_null_source", "type": "byte"}, {"name": "c", "id": "blocks_copy", "type": "byte"},
        {"name": "f", "id": "blocks_char_to_float"}, SINK, {"name": "o", "id": "blocks_null_source", "type": "byte"},
        {"name": "n", "id": "blocks_null_sink", "type": "byte"}],
        [["s", "0", "c", "0"], ["c", "0", "f", "0"], ["f", "0", "sink", "0"], ["o", "0", "n", "0"]])
    assert [made_of[name]["parameters"]["item_type"] for name in ("s", "c", "o", "n")] == ["i8", "i8", "u8", "u8"]


def test_bytes_that_are_read_with_and_without_a_sign(tmp_path, capsys):
    """Connect two kinds of readers to one stream: a conversion precedes those that differ from the writer."""
    answer, document, made_of = made(tmp_path, capsys, [
        {"name": "s", "id": "blocks_null_source", "type": "byte"}, {"name": "c", "id": "blocks_char_to_float"},
        {"name": "u", "id": "blocks_uchar_to_float"}, {"name": "v", "id": "blocks_uchar_to_float"},
        *(SINK | {"name": f"sink_{name}"} for name in "cuv")],
        [*(["s", "0", name, "0"] for name in "cuv"), *([name, "0", f"sink_{name}", "0"] for name in "cuv")])
    assert not answer["diagnostics"] and made_of["s"]["parameters"]["item_type"] == "i8"
    assert made_of["s_out_bytes"]["type"] == "char_to_uchar"
    assert {tuple(c) for c in document["graph"]["connections"]} >= {
        ("s", "out", "c", "in"), ("s", "out", "s_out_bytes", "in"), ("s_out_bytes", "out", "u", "in"),
        ("s_out_bytes", "out", "v", "in")}
    assert len(document["graph"]["connections"]) == 7


def test_taps_are_designed(tmp_path, capsys):
    _, _, made_of = made(tmp_path, capsys, *through(
        {"name": "f", "id": "low_pass_filter", "type": "fir_filter_fff", "decim": "2", "gain": "2",
         "samp_rate": "48e3", "cutoff_freq": "5e3", "width": "1e3", "win": "window.WIN_HAMMING"}))
    taps = made_of["f"]["parameters"]["taps"]
    assert len(taps) == 115 and sum(taps) == pytest.approx(2) and taps == pytest.approx(taps[::-1])


def test_what_taps_were_designed_from_stands_beside_them(tmp_path, capsys):
    """Import designs from a block, a call, and variables; as an expression if it uses a variable of the project."""
    chain = [{"name": "f", "id": "low_pass_filter", "type": "fir_filter_fff", "decim": "1", "gain": "2",
              "samp_rate": "samp_rate", "cutoff_freq": "samp_rate / 8", "width": "1e3", "win": "window.WIN_KAISER",
              "beta": "5"},
             {"name": "g", "id": "fir_filter_xxx", "type": "fff", "decim": "1", "taps": "lp"},
             {"name": "h", "id": "fir_filter_xxx", "type": "fff", "decim": "1", "taps": "[1.0, 2.0]"},
             {"name": "k", "id": "fir_filter_xxx", "type": "fff", "decim": "1",
              "taps": "firdes.low_pass_2(1, samp_rate, 6e3, 6e3, 106, window.WIN_HAMMING)"},
             {"name": "r", "id": "root_raised_cosine_filter", "type": "fir_filter_fff", "decim": "1", "gain": "1",
              "samp_rate": "8", "sym_rate": "2", "alpha": "0.5", "ntaps": "20"}]
    blocks, wires = through(*chain)
    answer, document, _ = made(tmp_path, capsys, [
        *blocks, {"name": "samp_rate", "id": "variable", "value": "48000"},
        {"name": "lp", "id": "variable_band_pass_filter_taps", "gain": "1", "samp_rate": "samp_rate",
         "low_cutoff_freq": "3000", "high_cutoff_freq": "9e3", "width": "4000", "win": "window.WIN_HANN",
         "beta": "6.76"}], wires)
    rate = {"expr": "samp_rate"}
    assert document["ui"]["designs"] == {
        "f.taps": {"kind": "low_pass", "sample_rate": rate, "cutoff": {"expr": "samp_rate / 8"}, "transition": 1000,
                   "window": "kaiser", "beta": 5, "gain": 2},
        "g.taps": {"kind": "band_pass", "sample_rate": rate, "low_cutoff": 3000, "high_cutoff": 9000,
                   "transition": 4000, "window": "hann"},
        "k.taps": {"kind": "low_pass", "sample_rate": rate, "cutoff": 6000, "transition": 3000, "window": "hamming"},
        "r.taps": {"kind": "root_raised_cosine", "sample_rate": 8, "symbol_rate": 2, "roll_off": 0.5,
                   "number_of_taps": 20}}
    assert document["parameters"]["samp_rate"]["value"] == 48000
    assert not answer["diagnostics"], "each design gives its taps, and the variable is used"


FFT = {"name": "f", "id": "fft_vxx", "type": "complex", "fft_size": "64", "forward": "True", "shift": "False"}


@pytest.mark.parametrize(("block", "reason"), [
    (FFT | {"window": "window.hann(32)"}, "differs from the length of `fft_size`"),
    (FFT | {"window": "window.hann(64)[:-1]"}, "differs from the length of `fft_size`"),
    (FFT | {"forward": "False", "window": "window.kaiser(64, 3)"}, "`window` is `window.kaiser(64, 3)`"),
    ({"name": "f", "id": "blocks_float_to_uchar", "scale": "2"}, "`scale` is `2`"),
    ({"name": "f", "id": "blocks_char_to_float", "scale": "'x'"}, "a real number is needed"),
    ({"name": "f", "id": "analog_sig_source_x", "type": "short", "waveform": "analog.GR_SAW_WAVE"},
     "does not support items of type i16"),
    ({"name": "f", "id": "blocks_delay", "type": "float", "delay": "-5"},
     "delay does not allow `items` of -5 items: at least 0 items"),
    ({"name": "f", "id": "digital_costas_loop_cc", "w": "0.1", "order": "3"}, "`order` is `3`"),
    ({"name": "f", "id": "digital_costas_loop_cc", "w": "0.1", "order": "4", "use_snr": "True"}, "`use_snr` is `True`"),
    ({"name": "f", "id": "channels_channel_model", "noise_voltage": "0.1", "seed": "3", "epsilon": "1.1"},
     "`epsilon` is `1.1`: Weir's channel does not stretch time"),
    ({"name": "f", "id": "pfb_arb_resampler_xxx", "type": "ccc", "rrate": "2", "taps": "[1j]"},
     "`type` is `ccc`: complex taps are not supported here"),
    ({"name": "f", "id": "pfb_arb_resampler_xxx", "type": "ccf", "rrate": "1e-9", "taps": "[1]"},
     "resample does not allow `decimation` of 999999971: at most 1000000"),
    ({"name": "f", "id": "pfb_arb_resampler_xxx", "type": "ccf", "rrate": "-0.5", "taps": "[1]"}, "a ratio is above 0"),
    ({"name": "f", "id": "digital_diff_decoder_bb", "modulus": "3"}, "`modulus` is `3`: GNU Radio decodes it wrongly"),
    ({"name": "f", "id": "digital_constellation_decoder_cb",
      "constellation": "digital.constellation_rect([1, -1], [], 2, 2, 1, 1, 1)"}, "constellation of one dimension"),
    ({"name": "f", "id": "digital_chunks_to_symbols_xx", "in_type": "byte",
      "symbol_table": "digital.constellation_calcdist([1], [0, 1], 4, 1).points()"},
     "each symbol of a constellation needs its code"),
    ({"name": "f", "id": "analog_pll_refout_cc", "w": "0.1", "min_freq": "-7", "max_freq": "7"},
     "pll does not allow `min_frequency` of -7 rad/item: at least -3.14159 rad/item"),
    ({"name": "f", "id": "digital_fll_band_edge_cc", "samps_per_sym": "0.5", "rolloff": "0.3", "filter_size": "9",
      "w": "0.1"}, "fll_band_edge does not allow `samples_per_symbol` of 0.5: at least 1"),
    ({"name": "f", "id": "blocks_file_source", "type": "float", "file": "1.dat", "length": "100"},
     "`length` is `100`: a file is read to its end here"),
    ({"name": "f", "id": "analog_agc2_xx", "type": "float", "attack_rate": "10"},
     "agc does not allow `attack` of 10: at most 1.0")])
def test_what_would_not_give_the_same_items_is_a_stub_with_the_reason_of_its_own_rule(tmp_path, capsys, block, reason):
    answer, _, _ = made(tmp_path, capsys, *through(block), *STUBS)
    [entry] = answer["stubbed"]
    assert reason in entry["reason"]


@pytest.mark.parametrize(("seed", "ours"), [("7", 7), ("0", 1), ("-7", 1)])
def test_noise_of_a_given_seed_is_kept(tmp_path, capsys, seed, ours):
    answer, _, made_of = made(tmp_path, capsys, [
        {"name": "n", "id": "analog_fastnoise_source_x", "type": "float", "noise_type": "analog.GR_LAPLACIAN",
         "seed": seed}, SINK], [["n", "0", "sink", "0"]])
    assert made_of["n"]["parameters"] == {"item_type": "f32", "distribution": "laplacian", "amplitude": 1,
                                          "seed": ours, "pool": 8192}
    assert answer["counts"]["replaced"] == (seed != "7")


@pytest.mark.parametrize(("rate", "ratio"), [
    ("48000 / 44100", [160, 147]), ("1 / 3", [1, 3]), ("2.0", [2, 1]), ("math.pi", [77368, 24627])])
def test_the_rate_of_a_resampler_is_the_simplest_ratio_that_float32_cannot_tell_from_it(tmp_path, capsys, rate, ratio):
    _, _, made_of = made(tmp_path, capsys, *through(
        {"name": "f", "id": "pfb_arb_resampler_xxx", "type": "fff", "rrate": rate, "taps": "[1, 2]", "nfilts": "4"}))
    found = made_of["f"]["parameters"]
    assert [found.get(name, 1) for name in ("interpolation", "decimation")] == ratio and found["phases"] == 4


def test_a_loop_whose_frequency_is_read_is_a_stub(tmp_path, capsys):
    blocks, wires = through({"name": "f", "id": "digital_costas_loop_cc", "w": "0.1", "order": "4"}, of="complex")
    answer, _, _ = made(tmp_path, capsys, [*blocks, SINK | {"name": "read"}], [*wires, ["f", "1", "read", "0"]], *STUBS)
    [entry] = answer["stubbed"]
    assert "does not have its output 1" in entry["reason"]


def test_a_mean_of_many_items_is_small(tmp_path, capsys):
    """Check that a mean is not imported as one tap per item of its length."""
    blocks, connections = through({"name": "mean", "id": "blocks_moving_average_xx", "type": "float",
                                   "length": "int(rate / 2)", "scale": "2 / rate"})
    rate = {"name": "rate", "id": "variable", "value": "300000"}
    _, document, made_of = made(tmp_path, capsys, [*blocks, rate], connections)
    assert made_of["mean"]["type"] == "moving_average" and made_of["mean"]["parameters"] == {
        "item_type": "f32", "length": {"expr": "floor(rate / 2)"}, "scale": {"expr": "2 / rate"}}
    assert len(json.dumps(document)) < 10_000


def test_the_bounds_of_the_table_are_those_of_its_documentation():
    text = (ROOT / "docs" / "grc.md").read_text().partition("## Coverage")[0]
    rows = re.findall(r"^\| [^|]+ \| ([0-9][0-9.e-]*) \| ([0-9.e-]*) ?\|$", text, re.MULTILINE)
    told = {(float(within), float(drift or 0)) for within, drift in rows}
    kept = [rule for name in table.block_names() for rule in table.rules(name) if not rule.reason]
    assert {(rule.within, rule.drift) for rule in kept} == told and len(kept) > 60


def test_a_stand_in_only_on_request(tmp_path, capsys):
    blocks, connections = through({"name": "odd", "id": "no_such_block_anywhere"})
    for words in (STUBS, ("--stub", "copy")):  # its ports are unknown, so its type stays even then
        answer, _, made_of = made(tmp_path, capsys, blocks, connections, *words)
        assert made_of["odd"]["type"] == "no_such_block_anywhere" and answer["counts"]["stubbed"] == 1


def test_standard_input(monkeypatch, capsys):
    class Bytes:
        buffer = io.BytesIO((DATA / "three_tones.grc").read_bytes())

    monkeypatch.setattr(sys, "stdin", Bytes)
    assert main(["import", "-", "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["name"] == "three_tones" and "6 kept" not in out and "replaced" in err


def test_a_file_that_is_there_is_not_replaced(tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    words = ["import", str(DATA / "three_tones.grc"), "-o", str(file)]
    assert main(words) == 0 and main(words) == 0  # repeating it with the same bytes is harmless
    edited = file.read_text().replace("32000", "44100", 1)
    file.write_text(edited)
    assert main(words) == 3 and "E_OUTPUT_EXISTS" in capsys.readouterr().err and file.read_text() == edited
    assert main([*words, "--force"]) == 0 and file.read_text() != edited
    assert main(["import", str(tmp_path / "none.grc"), "-o", "-"]) == 3
    assert main(["import", str(DATA / "three_tones.grc"), "-o", str(tmp_path / "no" / "p")]) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["p.weir.json"]


@pytest.mark.parametrize("block, burst", [
    ({"id": "blocks_throttle"}, 8192), ({"id": "blocks_throttle", "samples_per_second": "200.5"}, 200),
    ({"id": "blocks_throttle2", "limit": "auto", "maximum": "1e-9"}, 8192),
    ({"id": "blocks_throttle2", "limit": "time", "maximum": "0.1"}, 3200),
    ({"id": "blocks_throttle2", "limit": "time", "maximum": "1e-9"}, 1),
    ({"id": "blocks_throttle2", "limit": "time", "maximum": "3"}, 8192),
    ({"id": "blocks_throttle2", "limit": "time", "maximum": "tenth"},
     {"expr": "max(1, min(floor(tenth * 32000), 32768 // 4))"}),
    ({"id": "blocks_throttle2", "limit": "items", "maximum": "100", "vlen": "4"}, 400)])
def test_a_throttle_lets_through_what_a_call_of_gnuradios_does(capsys, tmp_path, block, burst):
    """Check that a throttle passes as much as a call of GNU Radio's: half a buffer of 64 KiB, or `maximum` if less.

    No worker spins while it waits. If a call had more than a second's items, a short run would not be throttled.
    """
    blocks, connections = through({"name": "slow", "type": "float", "samples_per_second": "32000", **block})
    for end in (blocks[0], blocks[-1]):
        end["vlen"] = block.get("vlen", "1")
    tenth = {"name": "tenth", "id": "variable", "value": "0.1"}
    answer, document, made_of = made(tmp_path, capsys, [tenth, *blocks], connections)
    slow = made_of["slow"]["parameters"]
    assert slow["burst_items"] == burst and slow["rate"] == float(block.get("samples_per_second", 32000)) * int(
        block.get("vlen", 1))
    assert {it["name"]: it["reason"] for it in answer["kept"]}["slow"].startswith("holds the rate")
    assert {it["name"]: it.get("wait") for it in document["deployments"]} == {
        "thread_per_block": "park", "flow": "park", "single_thread": None}  # which always sleeps
    assert not has_errors(check(answer["document"]).diagnostics)
