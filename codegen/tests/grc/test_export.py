"""Test `weir export`: imports go back unchanged, changes are carried over, and GNU Radio accepts all results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from grc_world import (
    DATA,
    INSTALLED,
    NULL,
    SINK,
    STUBS,
    answer_of,
    exported,
    fresh_block_files,
    grc,
    imported,
    made,
    meaning,
    needs_examples,
    needs_grcc,
    through,
)
from planning import EXAMPLES, MACHINES
from weir.cli import main
from weir.interop.grc.reading import block_files
from weir.interop.grc.reading.flowgraph import Flowgraph, read_grc
from weir.model.designing.design import as_f32, read_design
from weir.model.document.values import Evaluator

TWO_CORE = ("--machine", str(MACHINES / "two_core.json"))


def back(tmp_path: Path, capsys: pytest.CaptureFixture, document: dict, *words: str) -> Flowgraph:
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document))
    return exported(capsys, project, *words)[1]


def compiled(file: Path, tmp_path: Path) -> subprocess.CompletedProcess:
    return subprocess.run(["grcc", "-o", str(tmp_path), str(file)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("file", sorted(DATA.glob("*.grc")), ids=lambda file: file.name)
@pytest.mark.parametrize("words", [(), ("--stub", "copy")], ids=["keep", "copy"])
def test_an_untouched_flowgraph_goes_back_as_it_came(tmp_path, capsys, file, words):
    _, document = imported(capsys, file, *words)
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document))
    answer, flow = exported(capsys, project)
    assert meaning(flow) == meaning(read_grc(file.read_bytes()))
    if file.name == "three_tones.grc":  # written in GNU Radio Companion's own format
        assert answer["document"] == file.read_text()


def test_places_of_a_layout_go_back_together_or_not_at_all(tmp_path, capsys):
    """Keep the flowgraph's positions until a block is moved: two layouts do not mix."""
    file = DATA / "three_tones.grc"
    answer, document = imported(capsys, file)
    laid_out = dict(document["ui"]["positions"])
    assert answer["drawn"] != laid_out

    def places(flow: Flowgraph) -> dict[str, list[int]]:
        return {b.name: list(b.states["coordinate"]) for b in flow.blocks if b.name in laid_out}

    before = places(read_grc(file.read_bytes()))
    document["ui"]["positions"] = answer["drawn"]
    assert places(back(tmp_path, capsys, document)) == before
    document["ui"]["positions"] = {**laid_out, "speaker": [900, 10]}
    assert places(back(tmp_path, capsys, document)) == {**{name: laid_out[name] for name in before},
                                                        "speaker": [900, 10]}


def test_what_changed_is_taken_over_and_nothing_else(tmp_path, capsys):
    file = DATA / "three_tones.grc"
    _, document = imported(capsys, file)
    blocks = {block["id"]: block for block in document["graph"]["blocks"]}
    blocks["tone_a"]["parameters"]["frequency"] = {"expr": "rate / 100"}
    blocks["tone_b"]["state"] = "disabled"
    blocks["tone_b"]["parameters"]["waveform"] = "sine"
    blocks["total"]["comment"] = "louder"
    document["parameters"]["rate"]["value"] = {"expr": "48k"}
    document["ui"]["positions"]["speaker"] = [900, 10]
    document["deployments"][0]["affinity"] = {"total": [1]}
    document["deployments"][0]["buffers"] = {"tone_a.out->total_1.in0": {"items": 512}}
    before = {b.name: b for b in read_grc(file.read_bytes()).blocks}
    flow = back(tmp_path, capsys, document)
    changed = {(b.name, key) for b in flow.blocks for key in b.parameters
               if b.parameters[key] != before[b.name].parameters.get(key)}
    after = {b.name: b for b in flow.blocks}
    assert changed == {("tone_a", "freq"), ("tone_b", "waveform"), ("total", "comment"), ("rate", "value"),
                       ("total", "affinity"), ("tone_a", "minoutbuf"), ("tone_a", "maxoutbuf")}
    assert after["tone_a"].parameters["freq"] == "rate / 100" and after["rate"].parameters["value"] == "48000"
    assert after["tone_b"].state == "disabled" and after["tone_b"].parameters["waveform"] == "analog.GR_SIN_WAVE"
    assert after["total"].parameters["affinity"] == "[1]" and after["tone_a"].parameters["maxoutbuf"] == "512"
    assert after["speaker"].states["coordinate"] == [900, 10] and after["speaker"].states["rotation"] == 180


def test_blocks_that_are_new_renamed_copied_or_gone(tmp_path, capsys):
    _, document = imported(capsys, DATA / "three_tones.grc")
    graph = document["graph"]
    [tone] = [block for block in graph["blocks"] if block["id"] == "tone_a"]
    graph["blocks"] = [block for block in graph["blocks"] if block["id"] != "hiss"]
    graph["connections"] = [c for c in graph["connections"] if "hiss" not in c]
    graph["blocks"].append({"id": "noise", "type": "null_source", "parameters": {"item_type": "f32"}})
    graph["blocks"].append({"id": "hiss", "type": "multiply_const", "parameters": {"item_type": "f32"}})
    graph["connections"] += [["noise", "out", "hiss", "in"], ["hiss", "out", "total", "in1"]]
    graph["blocks"] += [tone | {"id": "tone_c"}, {"id": "end", "type": "null_sink", "parameters": {"item_type": "f32"}}]
    graph["connections"].append(["tone_c", "out", "end", "in"])
    tone["id"] = "first"
    graph["connections"] = [["first" if end == "tone_a" else end for end in c] for c in graph["connections"]]
    flow = back(tmp_path, capsys, document)
    kinds = {b.name: b.id for b in flow.blocks}
    assert kinds == {"level": "variable", "rate": "variable", "tone_b": "analog_sig_source_x", "total": "blocks_add_xx",
                     "speaker": "audio_sink", "first": "analog_sig_source_x", "tone_c": "analog_sig_source_x",
                     "noise": "blocks_null_source", "hiss_2": "blocks_multiply_const_vxx", "end": "blocks_null_sink"}
    assert {c.ends for c in flow.connections} == {
        ("first", "0", "total", "0"), ("tone_b", "0", "total", "1"), ("hiss_2", "0", "total", "2"),
        ("total", "0", "speaker", "0"), ("noise", "0", "hiss_2", "0"), ("tone_c", "0", "end", "0")}


def test_wires_through_virtual_blocks(tmp_path, capsys):
    _, document, _ = made(tmp_path, capsys, [
        NULL, {"name": "into", "id": "virtual_sink", "stream_id": "s"},
        {"name": "out", "id": "virtual_source", "stream_id": "s"}, SINK | {"name": "a"}, SINK | {"name": "b"}],
        [["source", "0", "into", "0"], ["out", "0", "a", "0"], ["out", "0", "b", "0"]])
    document["graph"]["blocks"] = [b for b in document["graph"]["blocks"] if b["id"] != "b"]
    document["graph"]["connections"] = [c for c in document["graph"]["connections"] if "b" not in c]
    flow = back(tmp_path, capsys, document)
    assert {c.ends for c in flow.connections} == {("source", "0", "into", "0"), ("out", "0", "a", "0")}
    document["graph"]["blocks"], document["graph"]["connections"] = [
        {"id": "x", "type": "null_source", "parameters": {"item_type": "f32"}}, document["graph"]["blocks"][1]], [
        ["x", "out", "a", "in"]]
    flow = back(tmp_path, capsys, document)
    assert {b.name for b in flow.blocks} == {"x", "a"} and [c.ends for c in flow.connections] == [("x", "0", "a", "0")]


def test_bytes_of_either_sign_go_back_as_one_stream(tmp_path, capsys):
    _, document, _ = made(tmp_path, capsys, [
        {"name": "s", "id": "blocks_null_source", "type": "byte"}, {"name": "c", "id": "blocks_char_to_float"},
        {"name": "u", "id": "blocks_uchar_to_float"}, SINK | {"name": "a"}, SINK | {"name": "b"}],
        [["s", "0", "c", "0"], ["s", "0", "u", "0"], ["c", "0", "a", "0"], ["u", "0", "b", "0"]])
    assert meaning(back(tmp_path, capsys, document)) == meaning(read_grc((tmp_path / "made.grc").read_bytes()))
    del document["x_grc"]
    ids = sorted(block.id for block in back(tmp_path, capsys, document).blocks)
    assert ids == ["blocks_char_to_float", "blocks_copy", "blocks_null_sink", "blocks_null_sink", "blocks_null_source",
                   "blocks_uchar_to_float"]


def test_a_parameter_that_decides_about_more_than_one_of_ours_does_not_go_back_for_one(tmp_path, capsys):
    """Use keep_one_in_n: GNU Radio's always keeps the last of `n` items, ours can choose which one."""
    _, document, blocks = made(tmp_path, capsys, *through(
        {"name": "k", "id": "blocks_keep_one_in_n", "type": "float", "n": "4"}))
    kept = blocks["k"]
    assert kept["parameters"] == {"item_type": "f32", "n": 4, "index": 3}
    kept["parameters"]["n"] = 8
    flow = back(tmp_path, capsys, document)
    [later] = [block for block in flow.blocks if block.id == "blocks_delay"]
    [thin] = [block for block in flow.blocks if block.id == "blocks_keep_one_in_n"]
    assert later.parameters["delay"] == "8 - 1 - 3" and thin.parameters["n"] == "8"


def test_two_taps_are_no_complex_number(tmp_path, capsys):
    _, document, blocks = made(tmp_path, capsys, *through({"name": "f", "id": "fir_filter_xxx", "type": "fff",
                                                           "decim": "1", "taps": "[1, 2, 3]"}))
    blocks["f"]["parameters"]["taps"] = [1.0, 2.0]
    assert back(tmp_path, capsys, document).by_name["f"].parameters["taps"] == "[1.0, 2.0]"


def test_a_block_with_a_list_that_its_type_does_not_know_goes_by_itself(tmp_path, capsys):
    _, document, blocks = made(tmp_path, capsys, *through({"name": "f", "id": "fir_filter_xxx", "type": "fff",
                                                           "decim": "1", "taps": "[1, 2, 3]"}))
    blocks["f"]["parameters"]["no_such"] = [1, 2]
    assert [block.id for block in back(tmp_path, capsys, document).blocks if block.name.startswith("f")] == [
        "fir_filter_xxx"]


def test_notes(tmp_path, capsys):
    blocks, wires = through()
    _, document, _ = made(tmp_path, capsys, [
        *blocks, *({"name": f"Note_{i}", "id": "note", "note": f"text {i}"} for i in range(3))], wires)
    notes = document["ui"]["notes"]
    assert notes["note_0"] == {"text": "text 0", "rect": [8, 8, 220, 90]}
    notes["note_0"]["text"] = "other"
    notes["note_1"]["rect"] = [40.4, 50, 300, 90]
    del notes["note_2"]
    notes["mine"] = {"text": "new", "rect": [1, 2, 3, 4]}
    found = {b.name: (b.parameters["note"], b.states["coordinate"]) for b in back(tmp_path, capsys, document).blocks
             if b.id == "note"}
    assert found == {"Note_0": ("other", [8, 8]), "Note_1": ("text 1", [40, 50]), "note_mine": ("new", [1, 2])}


def test_a_stub_goes_back_with_its_parameters(tmp_path, capsys):
    _, document, _ = made(tmp_path, capsys, *through({"name": "Pll", "id": "my_pll", "BW": "1", "alias": "p"}))
    document["graph"]["blocks"][1]["parameters"]["bw"] = "2"
    [pll] = [b for b in back(tmp_path, capsys, document).blocks if b.id == "my_pll"]
    assert pll.name == "Pll" and pll.parameters == {"BW": "2", "alias": "p"}


BLOCK_FILE = """\
id: my_demodulator
parameters:
- {id: type, dtype: enum, options: [complex, float], option_attributes: {out: [float, float]}}
- {id: decim, dtype: int, default: '1'}
- {id: evil, dtype: int, default: '${ __import__("os").system("touch /tmp/weir-grc-was-executed") }'}
inputs:
- {domain: stream, dtype: '${ type }'}
- {domain: message, id: freq}
outputs:
- {domain: stream, dtype: '${ type.out }', multiplicity: '${ decim - 3 }'}
templates: {make: '${ open("/tmp/weir-grc-was-executed", "w") }'}
file_format: 1
"""


def test_stand_ins_by_the_ports_of_an_installed_block(tmp_path, capsys, monkeypatch):
    """Read the block's file as data. Its ports are kept in the project, so the way back needs no GNU Radio."""
    folder, file = tmp_path / "blocks", tmp_path / "s.grc"
    folder.mkdir()
    (folder / "my_demodulator.block.yml").write_text(BLOCK_FILE)
    monkeypatch.setattr(block_files, "FOLDERS", (folder,))
    [source, *others], wires = through(
        {"name": "demod", "id": "my_demodulator", "type": "complex", "decim": "2 + 2"})
    file.write_bytes(grc([source | {"type": "complex"}, *others], wires))
    with fresh_block_files():
        _, kept = imported(capsys, file, *STUBS)
        answer, document = imported(capsys, file, "--stub", "copy")
    monkeypatch.undo()
    assert [b["type"] for b in kept["graph"]["blocks"]] == ["null_source", "my_demodulator", "null_sink"]
    assert [b["type"] for b in document["graph"]["blocks"]] == ["null_source", "complex_to_real", "keep_one_in_n",
                                                                "null_sink"]
    assert document["graph"]["blocks"][2]["parameters"]["n"] == 4
    [entry] = [e for e in answer["replaced"] if e["name"] == "demod"]
    assert "stand-in as requested" in entry["reason"] and not Path("/tmp/weir-grc-was-executed").exists()
    assert not [d for d in answer["diagnostics"] if d["severity"] == "error"]
    assert meaning(back(tmp_path, capsys, document)) == meaning(read_grc(file.read_bytes()))


def test_deployments_give_affinity_and_buffers(tmp_path, capsys):
    document = json.loads((EXAMPLES / "diamond.weir.json").read_text())
    document["deployments"][0] |= {"affinity": {"w0": [0], "w1": [1]}, "chunk_items": 256,
                                   "buffers": {"limit.out->double.in": {"items": 4096}}}
    flow = back(tmp_path, capsys, document, *TWO_CORE)
    found = {b.name: (b.parameters.get("affinity"), b.parameters.get("maxoutbuf")) for b in flow.blocks}
    assert found["limit"] == ("[0]", "4096") and found["double"] == ("[0]", "0") and found["shift"] == ("[1]", "0")
    assert flow.options.parameters["max_nouts"] == "256" and flow.options.parameters["id"] == "diamond"


def test_repeated_blocks_are_written_out(capsys):
    answer, flow = exported(capsys, EXAMPLES / "null_rand_latency.weir.json")
    assert sum(b.id == "blocks_copy" for b in flow.blocks) == 36 and len(flow.connections) == 48
    assert {entry["type"] for entry in answer["replaced"] if entry["kind"] == "block"} >= {"copy_rand"}


def test_a_project_that_is_wrong_is_refused(tmp_path, capsys):
    project = tmp_path / "p.weir.json"
    project.write_text('{"schema_version": 1, "name": "p", "graph": {"blocks": [{"id": "a", "type": "no"}], '
                       '"connections": []}}')
    assert main(["export", str(project), "-o", str(tmp_path / "x.grc")]) == 1
    assert "E_BLOCK_TYPE" in capsys.readouterr().err and not (tmp_path / "x.grc").exists()


@pytest.mark.parametrize("damage", [None, 3, {}, {"flowgraph": 1}, {"flowgraph": {"blocks": [1]}},
                                    {"flowgraph": {"blocks": [{"name": 1, "id": "x"}], "connections": [[]]}}])
def test_a_damaged_memory_of_the_flowgraph_does_no_harm(tmp_path, capsys, damage):
    document = json.loads((EXAMPLES / "fork.weir.json").read_text()) | {"x_grc": damage}
    for block in document["graph"]["blocks"]:
        block["x_grc"] = damage
    assert {b.name for b in back(tmp_path, capsys, document).blocks} >= {"source", "limit", "shift"}


@needs_grcc
@needs_examples
def test_dial_tone_there_and_back(tmp_path, capsys):
    project, file = tmp_path / "d.weir.json", tmp_path / "back.grc"
    assert main(["import", str(INSTALLED / "audio/dial_tone.grc"), "-o", str(project)]) == 0
    assert main(["validate", str(project)]) == 0
    assert main(["export", str(project), "-o", str(file)]) == 0
    assert file.read_bytes() == (INSTALLED / "audio/dial_tone.grc").read_bytes()
    done = compiled(file, tmp_path)
    assert done.returncode == 0 and (tmp_path / "dial_tone.py").exists(), done.stdout + done.stderr


@needs_grcc
@pytest.mark.slow
@pytest.mark.parametrize("name", ["diamond", "fm_receiver", "fork", "null_rand_latency", "quickstart", "saxpy_chain"])
def test_grcc_accepts_the_examples(tmp_path, name):
    file = tmp_path / "x.grc"
    assert main(["export", str(EXAMPLES / f"{name}.weir.json"), "-o", str(file)]) == 0
    done = compiled(file, tmp_path)
    assert done.returncode == 0 and (tmp_path / f"{name}.py").exists(), done.stdout + done.stderr


RATE = {"expr": "rate"}
BANDS = {"sample_rate": RATE, "transition": 3000}
DESIGNS = [
    ({"kind": "low_pass", **BANDS, "cutoff": {"expr": "rate / 8"}, "gain": 2},
     "firdes.low_pass(2, rate, rate / 8, 3000, window.WIN_HAMMING)"),
    ({"kind": "high_pass", **BANDS, "cutoff": 9e3, "window": "rectangular"},
     "firdes.high_pass(1.0, rate, 9000.0, 3000, window.WIN_RECTANGULAR)"),
    ({"kind": "band_pass", **BANDS, "low_cutoff": 5e3, "high_cutoff": 9e3, "window": "blackman_harris"},
     "firdes.band_pass(1.0, rate, 5000.0, 9000.0, 3000, window.WIN_BLACKMAN_hARRIS)"),
    ({"kind": "band_reject", **BANDS, "low_cutoff": 5e3, "high_cutoff": 9e3, "window": "kaiser", "beta": 5},
     "firdes.band_reject(1.0, rate, 5000.0, 9000.0, 3000, window.WIN_KAISER, 5)"),
    ({"kind": "root_raised_cosine", "sample_rate": RATE, "symbol_rate": 12e3, "roll_off": 0.35, "number_of_taps": 33},
     "firdes.root_raised_cosine(1.0, rate, 12000.0, 0.35, 33)"),
]


def filtered(tmp_path: Path, design: dict, *more: float) -> dict:
    """Return a project with a filter of the design's taps and additional ones."""
    taps = [as_f32(tap) for tap in read_design(design, Evaluator({"rate": 48000}), ())[0].taps()]
    return {"schema_version": 1, "name": "filtered", "parameters": {"rate": {"value": 48000}},
            "graph": {"blocks": [{"id": "in", "type": "null_source", "parameters": {"item_type": "f32"}},
                                 {"id": "lp", "type": "fir_filter", "parameters": {"taps": [*taps, *more]}},
                                 {"id": "out", "type": "null_sink"}],
                      "connections": [["in", "out", "lp", "in"], ["lp", "out", "out", "in"]]},
            "run": {"items": 1000}, "ui": {"designs": {"lp.taps": design}}}


@pytest.mark.parametrize(("design", "call"), DESIGNS, ids=lambda v: v["kind"] if isinstance(v, dict) else "")
def test_taps_of_a_design_go_out_as_the_call_that_makes_them(tmp_path, capsys, design, call):
    project = filtered(tmp_path, design)
    flow = back(tmp_path, capsys, project)
    assert flow.by_name["lp"].parameters["taps"] == call
    (tmp_path / "p.grc").write_text(answer_of(capsys, "export", tmp_path / "p.weir.json", "-o", "-")["document"])
    _, again = imported(capsys, tmp_path / "p.grc")
    [taps] = [b["parameters"]["taps"] for b in again["graph"]["blocks"] if b["id"] == "lp"]
    assert taps == pytest.approx(project["graph"]["blocks"][1]["parameters"]["taps"], abs=1e-6)
    assert again["ui"]["designs"]["lp.taps"] == {"window": "hamming"} | design if "cutoff" in design else design
    # An imported filter changed here goes back as a call, too.
    again["ui"]["designs"]["lp.taps"] = DESIGNS[0][0]
    changed = filtered(tmp_path, DESIGNS[0][0])["graph"]["blocks"][1]["parameters"]["taps"]
    next(b for b in again["graph"]["blocks"] if b["id"] == "lp")["parameters"]["taps"] = changed
    assert back(tmp_path, capsys, again).by_name["lp"].parameters["taps"] == DESIGNS[0][1]


@needs_grcc
@pytest.mark.slow
@pytest.mark.parametrize("design", [design for design, _ in DESIGNS], ids=lambda design: design["kind"])
def test_gnuradio_accepts_a_design_and_gives_the_same_taps(tmp_path, design):
    project, file = tmp_path / "p.weir.json", tmp_path / "filtered.grc"
    project.write_text(json.dumps(filtered(tmp_path, design)))
    assert main(["export", str(project), "-o", str(file)]) == 0
    done = compiled(file, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    made = "import filtered, json; print(json.dumps(list(filtered.filtered().lp.taps())))"
    done = subprocess.run([sys.executable, "-c", made], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    taps = filtered(tmp_path, design)["graph"]["blocks"][1]["parameters"]["taps"]
    assert json.loads(done.stdout.splitlines()[-1]) == pytest.approx(taps, abs=1e-6)


def test_complex_taps_and_modulators_go_out_and_come_back(tmp_path, capsys):
    ours = {"band": ("freq_xlating_fir_filter", {"item_type": "c64", "taps": [1.0, 0.5], "taps_imag": [0.0, -0.25],
                                                 "decimation": 2, "sample_rate": 8000, "frequency": -300.0}),
            "loop": ("costas_loop", {"modulation": "psk8", "bandwidth": 0.02}),
            "fm": ("frequency_modulator", {"sample_rate": 48000, "deviation": 5000})}
    chain = ["in", "fm", "loop", "band", "out"]
    blocks = [{"id": "in", "type": "null_source", "parameters": {"item_type": "f32"}},
              {"id": "out", "type": "null_sink"},
              *({"id": name, "type": kind, "parameters": given} for name, (kind, given) in ours.items())]
    flow = back(tmp_path, capsys, {"schema_version": 1, "name": "p", "run": {"items": 1000}, "graph": {
        "blocks": blocks, "connections": [[a, "out", b, "in"] for a, b in zip(chain, chain[1:])]}})
    assert flow.by_name["band"].id == "freq_xlating_fir_filter_xxx" and flow.by_name["loop"].parameters["order"] == "8"
    (tmp_path / "p.grc").write_text(answer_of(capsys, "export", tmp_path / "p.weir.json", "-o", "-")["document"])
    _, again = imported(capsys, tmp_path / "p.grc")
    made = {block["id"]: (block["type"], block.get("parameters")) for block in again["graph"]["blocks"]}
    assert made["band"] == ours["band"] and made["loop"] == ours["loop"]
    assert made["fm"][0] == "frequency_modulator" and made["fm"][1]["deviation"] == pytest.approx(5000)


def test_loops_resamplers_and_seeded_noise_go_out_and_come_back(tmp_path, capsys):
    loop = {"bandwidth": 0.02, "min_frequency": -0.5, "max_frequency": 0.25}
    ours = {"hiss": ("noise_source", {"item_type": "c64", "distribution": "uniform", "amplitude": 0.5, "seed": 7,
                                      "pool": 0}),
            "lock": ("fll_band_edge", {"samples_per_symbol": 4, "rolloff": 0.2, "filter_size": 45, "bandwidth": 0.02}),
            "bank": ("resample", {"item_type": "c64", "taps": [1.0, 0.5], "phases": 4, "interpolation": 147,
                                  "decimation": 160, "offset": 1}),
            "carrier": ("pll", {"output": "carrier", **loop}), "shift": ("pll", {"output": "baseband", **loop}),
            "tone": ("pll_freqdet", loop)}
    chain = [*ours, "out"]
    blocks = [*({"id": name, "type": kind, "parameters": given} for name, (kind, given) in ours.items()),
              {"id": "out", "type": "null_sink"}]
    flow = back(tmp_path, capsys, {"schema_version": 1, "name": "p", "run": {"items": 1600}, "graph": {
        "blocks": blocks, "connections": [[a, "out", b, "in"] for a, b in zip(chain, chain[1:])]}})
    assert {name: flow.by_name[name].id for name in ours} == {
        "hiss": "analog_noise_source_x", "lock": "digital_fll_band_edge_cc", "bank": "pfb_arb_resampler_xxx",
        "carrier": "analog_pll_refout_cc", "shift": "analog_pll_carriertracking_cc", "tone": "analog_pll_freqdet_cf"}
    (tmp_path / "p.grc").write_text(answer_of(capsys, "export", tmp_path / "p.weir.json", "-o", "-")["document"])
    _, again = imported(capsys, tmp_path / "p.grc")
    made = {block["id"]: (block["type"], block.get("parameters")) for block in again["graph"]["blocks"]}
    del ours["hiss"][1]["pool"]  # the default
    assert {name: made[name] for name in ours} == ours


@pytest.mark.parametrize(("design", "more"), [
    (DESIGNS[0][0], [0.5]),  # other taps than the design's
    ({"kind": "low_pass", **BANDS, "cutoff": 5e3, "window": "kaiser", "attenuation_db": 60},
     []),  # another number there
    ({"kind": "low_pass"}, None)])
def test_other_taps_go_out_as_they_are(tmp_path, capsys, design, more):
    project = filtered(tmp_path, DESIGNS[0][0] if more is None else design, *(more or ()))
    project["ui"]["designs"]["lp.taps"] = design
    text = back(tmp_path, capsys, project).by_name["lp"].parameters["taps"]
    assert json.loads(text) == project["graph"]["blocks"][1]["parameters"]["taps"]
