"""Flowgraphs with blocks that Weir lacks: every block keeps GNU Radio's ports, and the export restores the file."""

from __future__ import annotations

import copy
import json
import subprocess
from types import SimpleNamespace

import jsonschema
import pytest
from grc_world import INSTALLED, errors, exported, fresh_block_files, grc, imported, made, needs_examples, needs_grcc
from weir.cli import main
from weir.diagnostics import WeirError
from weir.engine.generation import trusted
from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.importing.importer import Options, import_flowgraph
from weir.interop.grc.reading.block_files import FOLDERS, PortsUnknown, ports_of
from weir.interop.grc.reading.flowgraph import GrcBlock, read_grc
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext, shape
from weir.model.planning.plan import make_plan
from weir.model.planning.topology import this_machine

needs_blocks = pytest.mark.skipif(not any(it.is_dir() for it in FOLDERS), reason="GNU Radio is not installed")
#: A graph with a block that Weir lacks, a message connection, and a vector.
BLOCKS = [{"name": "Source", "id": "blocks_null_source", "type": "complex"},
          {"name": "loop", "id": "digital_costas_loop_cc", "w": "0.02", "order": "4", "use_snr": "False"},
          {"name": "rows", "id": "blocks_stream_to_vector", "type": "complex", "num_items": "2*4", "vlen": "1"},
          {"name": "sink", "id": "blocks_null_sink", "type": "complex", "vlen": "8"},
          {"name": "strobe", "id": "blocks_message_strobe", "msg": "pmt.intern('x')", "period": "1000"},
          {"name": "store", "id": "blocks_message_debug"}]
WIRES = [["Source", "0", "loop", "0"], ["loop", "0", "rows", "0"], ["rows", "0", "sink", "0"],
         ["strobe", "strobe", "store", "store"]]


def keys(block: str, **parameters: str) -> list[list[tuple[str, str, int]]]:
    """Return key, type and vector length of inputs and outputs."""
    sides = ports_of(GrcBlock("it", block, parameters), Namespace({"n": "3"}))
    return [[(port.key, port.dtype, port.vlen) for port in side] for side in sides]


@needs_blocks
@pytest.mark.parametrize(("block", "parameters", "wanted"), [
    ("blocks_add_xx", {"type": "float", "num_inputs": "n", "vlen": "n + 1"},
     [[("0", "float", 4), ("1", "float", 4), ("2", "float", 4)], [("0", "float", 4)]]),
    ("blocks_stream_to_vector", {"type": "complex", "num_items": "4", "vlen": "2"},
     [[("0", "complex", 2)], [("0", "complex", 8)]]),
    ("blocks_float_to_complex", {}, [[("0", "float", 1), ("1", "float", 1)], [("0", "complex", 1)]]),
    # Companion keeps one port although the multiplicity is 0, and gives it the key `in`.
    ("qtgui_time_sink_x", {"type": "msg_float"}, [[("in", "message", 1)], []]),
    ("virtual_sink", {}, [[("0", "", 1)], []]),
], ids=lambda value: value if isinstance(value, str) else "")
def test_ports_follow_the_parameters(block, parameters, wanted):
    assert keys(block, **parameters) == wanted


def test_an_embedded_block_has_the_ports_that_companion_stored():
    cache = "('b', 'blk', [('g', '1')], [('0', 'complex', 1), ('in', 'message', 1)], [('0', 'float', 2)], '', ['g'])"
    inputs, outputs = ports_of(GrcBlock("e", "epy_block", {}, {"_io_cache": cache}), Namespace({}))
    assert [(it.key, it.dtype) for it in inputs] == [("0", "complex"), ("in", "message")] and outputs[0].vlen == 2
    for broken in ("", "1", "('a',)", "__import__('os').system('true')"):
        with pytest.raises(PortsUnknown):
            ports_of(GrcBlock("e", "epy_block", {}, {"_io_cache": broken}), Namespace({}))


def test_folders_of_out_of_tree_modules_are_read_as_grcc_reads_them(tmp_path, monkeypatch):
    for folder, kind in (("modules", "mine"), ("hier", "deep")):
        (tmp_path / folder).mkdir()
        # Companion counts a multiplicity that no parameter defines as 1.
        (tmp_path / folder / f"{kind}.block.yml").write_text(
            f"id: {kind}\noutputs:\n- domain: stream\n  dtype: float\n  multiplicity: ${{ of_3_9 }}\n",
            encoding="utf-8")
    monkeypatch.setenv("GRC_BLOCKS_PATH", f"{tmp_path}/absent:{tmp_path}/modules")
    monkeypatch.setenv("GRC_HIER_PATH", f"{tmp_path}/hier")
    with fresh_block_files():
        assert keys("mine") == keys("deep") == [[], [("0", "float", 1)]]


def test_loops_disabled_sources_and_messages_through_virtual_blocks_are_drawn(tmp_path, capsys):
    # The ports of these blocks follow from their wires. A hierarchical block may have no path from input to output.
    blocks = [{"name": "v", "id": "variable", "value": "1"},
              {"name": "a", "id": "my_hier", "minoutbuf": "64"}, {"name": "b", "id": "my_hier"},
              {"name": "off", "id": "my_source", "_state": "disabled"},
              {"name": "also_off", "id": "my_sink", "_state": "disabled"},
              {"name": "to", "id": "virtual_sink", "stream_id": "s"},
              {"name": "from", "id": "virtual_source", "stream_id": "s"},
              {"name": "debug", "id": "my_debug"}, {"name": "p", "id": "parameter", "value": "2"}]
    wires = [["a", "0", "b", "0"], ["b", "0", "a", "0"], ["off", "0", "b", "0"], ["a", "0", "also_off", "0"],
             ["a", "said", "to", "0"], ["from", "0", "debug", "hear"]]
    answer, document, entries = made(tmp_path, capsys, blocks, wires)
    assert not errors(answer) and not answer["dropped"]
    assert {(wire[0], wire[2]) for wire in document["graph"]["connections"]} == {
        ("a", "b"), ("b", "a"), ("off", "b"), ("a", "also_off"), ("a", "debug")}
    made_plan = plan_of(document).plan
    assert {it.instance for it in made_plan.blocks} == {"a", "b", "debug"}
    assert "buffers" not in document["deployments"][0] and entries["a"]["parameters"]["minoutbuf"] == "64"
    project = tmp_path / "made.weir.json"
    project.write_text(jsontext.write(document), encoding="utf-8")
    _, flow = exported(capsys, project)
    assert [block.name for block in flow.blocks] == [block["name"] for block in blocks]
    assert {c.ends for c in flow.connections} == {tuple(wire) for wire in wires}
    document["graph"]["blocks"].append({"id": "new", "type": "my_source", "gnuradio": {
        "type": "my_source", "name": "new", "outputs": [{"id": "out0", "key": "0", "type": "any", "optional": True}]}})
    project.write_text(jsontext.write(document), encoding="utf-8")
    _, flow = exported(capsys, project)
    assert [block.name for block in flow.blocks][1:4] == ["a", "b", "new"]


def plan_of(document):
    checked = check(jsontext.write(document)).valid()
    return make_plan(checked.project, checked.graph, checked.catalog, this_machine(), None, None, checked.rates)


@needs_blocks
def test_the_whole_flowgraph_is_gnu_radios_own(tmp_path, capsys):
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    answer, document = imported(capsys, file)
    assert not errors(answer)
    entries = {entry["gnuradio"]["name"]: entry for entry in document["graph"]["blocks"]}
    assert set(entries) == {block["name"] for block in BLOCKS}
    rows, loop = entries["rows"]["gnuradio"], entries["loop"]
    assert [port["type"] for port in (*rows["inputs"], *rows["outputs"])] == ["c64", "c64[8]"]
    assert loop["parameters"]["order"] == "4" and loop["gnuradio"]["title"] == "Costas Loop"
    assert ["strobe", "out_strobe", "store", "in_store"] in document["graph"]["connections"]
    assert document["deployments"] == [{"name": "gnuradio", "scheduler": "gnuradio310"}]
    project = tmp_path / "made.weir.json"
    project.write_text(jsontext.write(document), encoding="utf-8")
    answer, flow = exported(capsys, project)
    assert not answer["replaced"] and flow.by_name == read_grc(file.read_bytes()).by_name
    assert {c.ends for c in flow.connections} == {tuple(wire) for wire in WIRES}


@needs_blocks
def test_a_block_runs_though_the_readers_of_an_optional_output_are_disabled(tmp_path, capsys):
    off = {"name": "off", "id": "blocks_null_sink", "type": "float", "vlen": "1", "_state": "disabled"}
    _, document, _ = made(tmp_path, capsys, [*BLOCKS[:4], off], [*WIRES[:3], ["loop", "1", "off", "0"]])
    assert {it.instance for it in plan_of(document).plan.blocks} == {"source", "loop", "rows", "sink"}


@needs_blocks
def test_messages_pass_virtual_blocks(tmp_path, capsys):
    file = tmp_path / "made.grc"
    ends = [{"name": "into", "id": "virtual_sink", "stream_id": "s"},
            *({"name": f"from{n}", "id": "virtual_source", "stream_id": "s"} for n in (0, 1))]
    wires = [*WIRES[:3], ["strobe", "strobe", "into", "0"], ["from0", "0", "store", "store"],
             ["from1", "0", "store", "print"]]
    file.write_bytes(grc([*BLOCKS, *ends], wires))
    answer, document = imported(capsys, file)
    assert not errors(answer)
    assert [wire[2:] for wire in document["graph"]["connections"] if wire[:2] == ["strobe", "out_strobe"]] == [
        ["store", "in_store"], ["store", "in_print"]]
    project = tmp_path / "made.weir.json"
    project.write_text(jsontext.write(document), encoding="utf-8")
    assert {c.ends for c in exported(capsys, project)[1].connections} == {tuple(wire) for wire in wires}


@needs_blocks
def test_parameters_come_in_the_order_in_which_companion_shows_them(tmp_path, capsys):
    file = tmp_path / "made.grc"
    file.write_bytes(grc([{"name": "pace", "id": "blocks_throttle", "ignoretag": "True", "samples_per_second": "1",
                           "type": "float", "vlen": "1"}, *BLOCKS[4:]], WIRES[3:]))
    _, document = imported(capsys, file)
    pace = next(entry for entry in document["graph"]["blocks"] if entry["id"] == "pace")
    assert list(pace["parameters"]) == ["samples_per_second", "vlen", "ignoretag", "type"]


@needs_blocks
def test_a_changed_parameter_and_a_removed_block_are_exported(tmp_path, capsys):
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    _, document = imported(capsys, file)
    graph = document["graph"]
    graph["blocks"] = [entry for entry in graph["blocks"] if entry["id"] not in ("strobe", "store")]
    graph["connections"] = [wire for wire in graph["connections"] if wire[0] != "strobe"]
    next(entry for entry in graph["blocks"] if entry["id"] == "loop")["parameters"]["w"] = "0.05"
    project = tmp_path / "made.weir.json"
    project.write_text(json.dumps(document), encoding="utf-8")
    _, flow = exported(capsys, project)
    assert flow.by_name["loop"].parameters["w"] == "0.05" and "strobe" not in flow.by_name
    assert {c.ends for c in flow.connections} == {tuple(wire) for wire in WIRES[:3]}


@needs_blocks
def test_another_scheduler_cannot_run_it(tmp_path, capsys):
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    _, document = imported(capsys, file)
    document["deployments"] = [{"name": "flow", "scheduler": "flow"}]
    faults = [it for it in check(json.dumps(document)).diagnostics if it.severity == "error"]
    assert [it.code for it in faults] == ["E_TARGET_BLOCK"] and "gnuradio310" in faults[0].hint


def hosted_project(tmp_path, capsys):
    """Return the project of the flowgraph above, and its file."""
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    _, document = imported(capsys, file)
    return document, tmp_path / "made.weir.json"


def validated(capsys, project, document):
    project.write_text(json.dumps(document), encoding="utf-8")
    main(["validate", str(project), "--json", "--values"])
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("diagnostics")).validate(answer)
    return answer


@needs_blocks
def test_ports_that_differ_from_the_parameters_have_a_fix(tmp_path, capsys):
    document, project = hosted_project(tmp_path, capsys)
    assert validated(capsys, project, document)["diagnostics"] == []
    [number] = [i for i, entry in enumerate(document["graph"]["blocks"]) if entry["id"] == "rows"]
    entry = document["graph"]["blocks"][number]
    entry["parameters"]["num_items"] = "2*16"
    [fault] = [it for it in validated(capsys, project, document)["diagnostics"] if it["code"] == "W_BLOCK_PORTS"]
    [fix] = fault["fixes"]
    assert (fault["code"], fault["severity"]) == ("W_BLOCK_PORTS", "warning")
    assert fix["pointer"] == f"/graph/blocks/{number}/gnuradio"
    assert fix["set"] == entry["gnuradio"] | {"outputs": [{"id": "out0", "key": "0", "type": "c64[32]"}]}
    entry["gnuradio"] = fix["set"]
    # The sink still takes vectors of 8.
    assert "W_BLOCK_PORTS" not in {it["code"] for it in validated(capsys, project, document)["diagnostics"]}


@needs_blocks
def test_blocks_that_no_file_describes_are_one_warning_for_each_type(tmp_path, capsys):
    document, project = hosted_project(tmp_path, capsys)
    rows = next(entry for entry in document["graph"]["blocks"] if entry["id"] == "rows")
    places = [len(document["graph"]["blocks"]) + number for number in range(4)]
    for name, kind, state in (("a", "nosuch_b", "enabled"), ("b", "nosuch_b", "enabled"), ("c", "nosuch_c", "disabled"),
                              ("d", "wxgui_fftsink2", "enabled")):
        document["graph"]["blocks"].append(
            {"id": name, "type": kind, "state": state, "gnuradio": rows["gnuradio"] | {"type": kind, "name": name}})
    [fault] = [it for it in validated(capsys, project, document)["diagnostics"] if it["code"] == "W_BLOCK_FILE"]
    assert (fault["severity"], fault["pointer"]) == ("warning", f"/graph/blocks/{places[0]}")
    assert fault["message"] == "no installed block file describes `nosuch_b`, the type of `a`, `b`"


@needs_blocks
def test_a_parameter_without_a_meaning_is_hidden(tmp_path, capsys):
    scope = {"name": "scope", "id": "qtgui_time_sink_x", "type": "complex", "nconnections": "2"}
    file = tmp_path / "made.grc"
    file.write_bytes(grc([BLOCKS[0], scope], [["Source", "0", "scope", "0"]]))
    _, document = imported(capsys, file, "--stub", "host")
    hidden = validated(capsys, tmp_path / "made.weir.json", document)["hidden"]["scope"]
    assert "label5" in hidden and "label4" not in hidden  # two complex signals have four curves


@needs_blocks
def test_a_new_block_of_the_catalog_is_exported(tmp_path, capsys):
    main(["catalog", "--json", "--gnuradio"])
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("catalog")).validate(answer)
    known = {block["id"]: block for block in answer["gnuradio"]}
    sizes = [it for it in known["blocks_skiphead"]["parameters"] if it["category"] == "Advanced"]
    assert [(it["key"], it["default"]) for it in sizes] == [("minoutbuf", "0"), ("maxoutbuf", "0")]
    assert "minoutbuf" not in known["blocks_skiphead"]["entry"]["parameters"]
    assert not any(it["key"] == "minoutbuf" for it in known["blocks_null_sink"]["parameters"])
    assert known["blocks_skiphead"]["category"] and known["digital_costas_loop_cc"]["label"] == "Costas Loop"
    document, project = hosted_project(tmp_path, capsys)
    entry = known["blocks_tag_debug"]["entry"]
    entry |= {"id": "tags", "gnuradio": entry["gnuradio"] | {"name": "blocks_tag_debug_0"}}
    document["graph"]["blocks"].append(entry)
    document["graph"]["connections"].append(["loop", "out0", "tags", "in0"])
    # A returning block gets another message connection.
    debug = known["blocks_message_debug"]["entry"]
    debug |= {"id": "more", "gnuradio": debug["gnuradio"] | {"name": "more"}}
    document["graph"]["blocks"].append(debug)
    document["graph"]["connections"].append(["strobe", "out_strobe", "more", "in_print"])
    project.write_text(json.dumps(document), encoding="utf-8")
    answer, flow = exported(capsys, project)
    assert not answer["stubbed"] and flow.by_name["blocks_tag_debug_0"].id == "blocks_tag_debug"
    ends = {c.ends for c in flow.connections}
    assert {("loop", "0", "blocks_tag_debug_0", "0"), ("strobe", "strobe", "more", "print")} <= ends


@needs_blocks
@pytest.mark.parametrize("verb", ["run", "sweep", "tune", "generate"])
def test_what_builds_needs_trust(verb, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    document, project = hosted_project(tmp_path, capsys)
    project.write_text(json.dumps(document), encoding="utf-8")
    options = {"sweep": ["--vary", "items=1,2", "--out", str(tmp_path / "sweep")], "generate": ["--build"],
               "run": ["--out", str(tmp_path / "runs")]}
    assert main([verb, str(project), "--json", *options.get(verb, [])]) != 0
    assert "E_UNTRUSTED" in capsys.readouterr().out


@needs_blocks
def test_what_executes_something_else_needs_new_trust(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    document, _ = hosted_project(tmp_path, capsys)

    def of(edit):
        edited = copy.deepcopy(document)
        edit({block["id"]: block for block in edited["graph"]["blocks"]}, edited)
        return SimpleNamespace(document=edited)

    trusted.trust(of(lambda blocks, whole: None))
    for harmless in (lambda blocks, whole: blocks["loop"]["parameters"].update(w="0.5"),
                     lambda blocks, whole: whole["run"].update(items=1)):
        trusted.require_trust(of(harmless))
    for other in (lambda blocks, whole: blocks["loop"]["parameters"].update(w="open('x')"),
                  lambda blocks, whole: blocks["loop"]["gnuradio"].update(type="blocks_message_debug"),
                  lambda blocks, whole: whole["gnuradio"]["flowgraph"].update(metadata={})):
        with pytest.raises(WeirError):
            trusted.require_trust(of(other))


@needs_examples
@needs_grcc
@pytest.mark.slow
def test_the_installed_examples_are_drawn_planned_and_restored(tmp_path):
    catalog, machine, read = load_catalog(), this_machine(), 0
    for file in sorted(INSTALLED.glob("**/*.grc")):
        flow = read_grc(file.read_bytes())
        read += 1
        made = import_flowgraph(flow, catalog, Options("host"))
        checked = check(jsontext.write(made.document), directory=file.parent, catalog=catalog)
        faults = {fault.code for fault in checked.diagnostics if fault.severity == "error"}
        if faults:
            refused = subprocess.run(["grcc", "-o", tmp_path, file], capture_output=True, text=True, check=False)
            assert "from flowgraph:" in refused.stdout + refused.stderr, (file, faults)
            continue
        valid = checked.valid()
        make_plan(valid.project, valid.graph, catalog, machine, None, None, valid.rates)
    assert read > 200
