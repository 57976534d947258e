"""Flowgraphs of GNU Radio's own blocks in the verbs that plan, place, pace and measure."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
from grc_world import grc
from stored_runs import store
from weir.cli import main
from weir.cli.verbs._grc import project_of
from weir.diagnostics import WeirError
from weir.engine.generation.emit import generate
from weir.engine.measuring.latency import PairSamples
from weir.engine.measuring.run_directory import load_run
from weir.engine.pipeline import Pipeline
from weir.engine.targets.code import code_of
from weir.engine.targets.interface import Ended, Fault, Order, Program
from weir.interop.capsule import used
from weir.interop.grc.importing.importer import Options, import_flowgraph
from weir.interop.grc.reading.block_files import block_file
from weir.interop.grc.reading.flowgraph import read_grc
from weir.lab.rating import hosted
from weir.lab.tuning.candidate import Outcome, Trial
from weir.lab.tuning.cpus import placements
from weir.lab.tuning.laboratory import Laboratory, Ready
from weir.lab.tuning.space import Builder
from weir.model.catalog import load_catalog
from weir.model.document import jsontext, shape
from weir.model.document.overrides import apply_sets
from weir.model.planning.plan_text import plan_table
from weir.model.planning.profile import Profile

BLOCKS = [{"name": "src", "id": "analog_sig_source_x", "type": "complex", "samp_rate": "32000", "freq": "1000",
           "amp": "1", "offset": "0", "phase": "0", "waveform": "analog.GR_COS_WAVE"},
          {"name": "slow", "id": "blocks_throttle", "type": "complex", "samples_per_second": "1e5", "vlen": "1",
           "ignoretag": "True"},
          {"name": "loop", "id": "blocks_correctiq"},
          {"name": "sink", "id": "blocks_null_sink", "type": "complex", "vlen": "1"}]
WIRES = [["src", "0", "slow", "0"], ["slow", "0", "loop", "0"], ["loop", "0", "sink", "0"]]
PDUS = [{"name": "strobe", "id": "blocks_message_strobe", "msg": "pmt.intern('x')", "period": "10"},
        {"name": "pdu", "id": "pdu_pdu_to_tagged_stream", "type": "byte", "tag": "'n'"},
        {"name": "sink", "id": "blocks_null_sink", "type": "byte", "vlen": "1"}]


def opened(blocks: list[dict] = BLOCKS, wires: list = WIRES, run: dict | None = None, **deployment: object) -> Pipeline:
    document = import_flowgraph(read_grc(grc(blocks, wires)), load_catalog(), Options("host")).document
    document["deployments"][0] |= deployment
    document["run"] = document.get("run", {}) | (run or {})
    made = Pipeline.open(jsontext.write(document).encode(), directory=Path("/tmp"), catalog=load_catalog())
    made.valid([])
    return made


@pytest.mark.parametrize("given, wanted", [("auto", 1024), (4096, 4096)])
def test_the_plan_has_the_granularity_that_the_program_gets(given: object, wanted: int) -> None:
    for blocks, wires in ((BLOCKS, WIRES), (PDUS[:1], [])):
        it = opened(blocks, wires, {"trace": {"probe_granularity": given}})
        plan, checked = it.plan(None).plan, it.checked.valid()
        mapping = json.loads(generate(plan, checked.project, checked.catalog)["mapping.json"])
        assert plan.as_json()["trace"]["probe_granularity"]["planned"] == wanted == mapping["probe_granularity"]
        assert 0 <= plan.trace.predicted_cost < 0.02


def test_the_text_of_the_plan_says_nothing_that_only_gnu_radio_knows() -> None:
    it = opened(chunk_items=512)
    planned = it.plan(None)
    text = plan_table(planned.plan, it.machine, it.checked.catalog.targets["companion"])
    assert "Predicted" not in text and "an event every 1024 items" in text
    assert {block.chunk_items for block in planned.plan.blocks} == {512}
    assert not [fault for fault in planned.diagnostics if fault.code == "W_OVERSUBSCRIBED"]


def test_a_priority_reaches_the_blocks() -> None:
    it = opened(policy="fifo", priority=7)
    checked = it.checked.valid()
    blocks = json.loads(generate(it.plan(None).plan, checked.project, checked.catalog)["mapping.json"])["blocks"]
    assert {entry["priority"] for entry in blocks.values()} == {7} and len(blocks) == len(BLOCKS)


def test_placements_follow_the_load() -> None:
    graph = opened().checked.valid().graph
    busy = {"src": 1.0, "slow": 0.0, "loop": 8.0, "sink": 1.0}
    made = list(placements(graph, [0, 1], Profile(busy_ns=busy)))
    assert {"src": [1], "slow": [1], "loop": [0], "sink": [1]} in made  # the heaviest block alone
    assert len(made) == len({json.dumps(one) for one in made}) > 2
    assert not list(placements(graph, [0], None))


def test_tune_searches_cpus_calls_and_buffers_and_keeps_the_replacements(this_has_two_cores: None) -> None:
    it = opened(replace=["throttle"])
    checked = it.checked.valid()
    builder = Builder(it, checked.project.deployment(None), lambda text, profile: Pipeline.open(
        text, directory=Path("/tmp"), catalog=checked.catalog, profile=profile))
    found = builder.space(None).candidates
    assert [one.name for one in found if one.origin == "project"] == ["gnuradio"]
    assert any(one.entry.get("affinity") for one in found) and any(one.entry.get("buffers") for one in found)
    assert {512, 2048} <= {one.entry.get("chunk_items") for one in found}
    assert {tuple(one.entry["replace"]) for one in found} == {("throttle",)}
    document = json.loads(builder.text("x", found[-1].entry))
    assert document["run"]["metrics"] == "counters"  # without probes nothing counts the items
    # Time ends the runs, however few items are predicted.
    planned = Pipeline.open(builder.text("x", found[-1].entry), directory=Path("/tmp")).plan("x")
    assert planned.plan.run.items == 0
    bench = Laboratory(None, builder.text, checked.catalog, Path("/tmp"), False, "p", print)
    bench.ready["x"] = Ready(SimpleNamespace(own={}), planned, None, hosted=True)
    slow = Trial(replace(found[-1], name="x", predicted=1e-3), [Outcome(1e-3)])
    assert [bench._end(slow, seconds) for seconds in (0.25, 2.0)] == [{"timeout_s": 1.0}, {"timeout_s": 2.0}]


def test_a_dry_run_knows_no_time_but_its_limit(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    document = import_flowgraph(read_grc(grc(BLOCKS, WIRES)), load_catalog(), Options("host")).document
    document["run"] = {"items": 0, "timeout_s": 7}
    file = tmp_path / "p.weir.json"
    file.write_text(jsontext.write(document))
    assert main(["sweep", str(file), "--vary", "chunk_items=512,auto", "--repetitions", "3", "--dry-run"]) == 0
    assert "predicted time after the build: unknown, at most 6 runs × 7 s; Weir" in capsys.readouterr().out


@pytest.fixture
def this_has_two_cores() -> None:
    from weir.model.planning.topology import this_machine

    if len(this_machine().allowed_cores) < 2:
        pytest.skip("this machine has one core")


def test_a_source_that_nothing_can_pace_is_refused_with_the_reason() -> None:
    radio = [{"name": "radio", "id": "uhd_usrp_source", "type": "fc32", "samp_rate": "1e6"}, BLOCKS[3]]
    for blocks, wires, said in (
            (PDUS, [["strobe", "strobe", "pdu", "pdus"], ["pdu", "0", "sink", "0"]],
             "`pdu` makes its items from messages"),
            (radio, [["radio", "0", "sink", "0"]], "the device or network of `radio` sets its rate"),
            (PDUS[:1], [], "it has no source of a stream")):
        it = opened(blocks, wires).checked.valid()
        with pytest.raises(WeirError) as error:
            hosted.paced(it.graph, it.project.deployment(None))
        assert error.value.diagnostics[0].code == "E_RATE_SOURCE" and said in str(error.value)
    it = opened(radio, [["radio", "0", "sink", "0"]], replace=["hardware"]).checked.valid()
    assert hosted.paced(it.graph, it.project.deployment(None)) == ["radio"]


def test_a_rating_measures_without_throttles_and_with_boundaries_enough() -> None:
    document = dict(opened(replace=["hardware"]).checked.loaded().document)
    assert hosted.without_throttles(document)["deployments"][0]["replace"] == ["hardware", "throttle"]
    assert hosted.with_granularity(document, 100e3)["run"]["trace"]["probe_granularity"] == 16
    assert hosted.with_granularity(document, 1e9) == document
    stated = document | {"run": {"trace": {"probe_granularity": 512}}}
    assert hosted.with_granularity(stated, 100e3) == stated


def test_shares_and_boundaries_come_from_a_run_with_all_items_due_at_once() -> None:
    results = {"blocks": [{"id": "a", "items_out": 3000}, {"id": "b", "items_out": 1000}, {"id": "c", "items_out": 9}],
               "sinks": [{"id": "s", "items": 1500}], "latency_pairs": [{"count": 2}, {"count": 8}], "reasons": []}
    assert hosted.shares(results, ["a", "b"]) == {"a": 0.75, "b": 0.25}
    assert hosted.given(results, ["a", "b"]) == {"s": 0.5} and hosted.boundaries(results, ["a", "b"]) == 0.002
    reason = {"code": "N_LATENCY_UNKNOWN", "message": "latency not measurable: block x drops tags"}
    with pytest.raises(WeirError, match="block x drops tags"):
        hosted.boundaries(results | {"latency_pairs": None, "reasons": [reason]}, ["a"])


def test_what_was_due_in_the_warm_up_does_not_count() -> None:
    sent = np.array([0, 50, 100, 150]) * 1_000_000
    [made] = hosted.behind_warm_up([PairSamples("a", "s", None, np.arange(4), sent, sent + 7, 0)], 0.1)
    assert made.counted is not None and made.counted.tolist() == [False, False, True, True]


def test_the_program_is_told_to_pace_and_a_fault_of_the_flowgraph_is_a_failed_run(tmp_path: Path) -> None:
    protocol = code_of(load_catalog().targets["companion"], "protocol")
    (tmp_path / "project.json").write_text(jsontext.write(dict(opened().checked.loaded().document)))
    order = Order(tmp_path, tmp_path, params=("src.rate=500", f"{hosted.QUANTUM}=0.0025"))
    words = protocol.command(Program(("run",), ()), order)
    assert words[-4:] == ["--pace", "src=500", "--pace-s", "0.0025"]
    assert protocol.verdict(Ended(2, False, ("error: no device",))).kind == "failed"


def test_blocks_that_cannot_be_counted_are_named_together() -> None:
    protocol = code_of(load_catalog().targets["companion"], "protocol")
    unseen = [{"block": name, "what": "sent messages", "why": "they count where they arrive"} for name in "ab"]
    unseen += [{"block": "c", "what": "items", "why": "counted [1], GNU Radio [2]"}]
    assert protocol.unseen_by_cause(unseen) == [
        "messages sent by a, b were not counted", "items of c (counted [1], GNU Radio [2])"]


def test_what_grcc_refuses_is_said_once_each() -> None:
    said = ('4 errors from flowgraph:\nParam - Scale(scale):\n\tValue "1/0" cannot be evaluated:\n\tdivision by zero'
            'Sink - in(0):\n\tPort is not connected.Param - Scale(scale):\n\tValue "1/0" cannot be evaluated:\n'
            '\tdivision by zero\n*********\nCompilation error\n')
    toolchain = code_of(load_catalog().targets["companion"], "toolchain")
    assert toolchain.refusals(said, Path()) == [
        Fault('Param - Scale(scale): Value "1/0" cannot be evaluated: division by zero'),
        Fault("Sink - in(0): Port is not connected.")]
    assert toolchain.refusals("Traceback (most recent call last):", Path()) == []


def test_what_grcc_refuses_has_its_place_in_the_project() -> None:
    toolchain = code_of(load_catalog().targets["companion"], "toolchain")
    lost = {"name": "lost", "id": "nosuch_block"}  # without a parameter
    gone = {"name": "scope", "id": "wxgui_scopesink2"}
    made = opened([{"name": "rate", "id": "variable", "value": "1/0"}, *BLOCKS[:3], lost,
                   BLOCKS[3] | {"vlen": "2/0"}, gone, lost | {"name": "off", "_state": "disabled"}],
                  [*WIRES[:2], ["loop", "0", "lost", "0"], ["lost", "0", "sink", "0"], ["src", "0", "scope", "0"],
                   ["src", "0", "off", "0"]])
    subject = SimpleNamespace(project=made.checked.valid().project, plan=made.plan(None).plan)
    [fault] = toolchain.unknown(subject)
    assert (fault.pointer, fault.message[:46]) == ("/graph/blocks/3", "`lost` is a `nosuch_block`, which no block fil")
    said = ('Param - Value(value): Value "1/0" cannot be evaluated: division by zero',
            'Param - Vector Length(vlen): Value "2/0" cannot be evaluated: division by zero',
            "Param - Sample Rate(samp_rate): Expression None is invalid for type 'real'.")
    found = toolchain.placed([Fault(one) for one in said], subject)
    assert found == [Fault(f"`rate`: {said[0]}"), Fault(f"`sink`: {said[1]}", pointer="/graph/blocks/4")]
    open_port = "Source - out(0): Port is not connected."
    assert toolchain.placed([Fault(open_port)], subject) == [Fault(f"`loop`: {open_port}")]
    assert toolchain.placed([Fault(said[2])], subject) == [Fault(said[2])]


def test_a_flowgraph_of_a_number_of_items_also_ends_at_its_time_limit() -> None:
    toolchain = code_of(load_catalog().targets["companion"], "toolchain")
    for run, wanted in (({"items": 9}, ("--items", "9", "--timeout-s", "3")), ({"items": 0}, ("--seconds", "3"))):
        subject = SimpleNamespace(plan=opened(run={**run, "timeout_s": 3}).plan(None).plan)
        command = toolchain.program(Path("/x"), subject, None).command
        assert command[command.index("counters") + 1:] == wanted


def test_a_failed_start_is_said_without_what_the_modules_printed() -> None:
    protocol = code_of(load_catalog().targets["companion"], "protocol")
    assert protocol.verdict(Ended(2, False, ("linux; GNU C++", "error: no device"))).said == ("no device",)


def test_a_parameter_that_gnu_radio_does_not_take_at_the_start_is_refused() -> None:
    with pytest.raises(WeirError, match="--param src.freq: the program has no such parameter"):
        opened().check_params(["src.freq=5"], [None])


def test_what_is_not_traced_stays_so_and_a_warm_up_is_refused() -> None:
    it = opened(run={"trace": {"backend": "memory"}, "warmup_items": 5})
    planned = it.plan(None)
    assert [it.tracer(planned.plan, one) for one in (None, "lttng", "not_enabled", "compiled_out")] == [
        "memory", "lttng", "off", "off"]
    assert [fault.pointer for fault in planned.diagnostics if fault.code == "W_TARGET_RUN"] == ["/run/warmup_items"]
    assert planned.plan.run.warmup_items == 0


def test_a_profile_may_lack_throttles() -> None:
    graph = opened().checked.valid().graph
    assert {it.pointer for it in Profile().lacking(graph)} == {f"/graph/blocks/{at}" for at in (0, 2, 3)}


def test_a_mapping_beside_the_file_keeps_its_runner_and_the_end_of_a_run(tmp_path: Path) -> None:
    file, beside = tmp_path / "made.grc", tmp_path / "made.weir.json"
    scope = {"name": "scope", "id": "qtgui_freq_sink_x", "type": "complex", "fftsize": "1024", "nconnections": "1"}
    # Weir has these blocks, too.
    file.write_bytes(grc([BLOCKS[0], BLOCKS[3], scope], [["src", "0", "sink", "0"], ["src", "0", "scope", "0"]]))
    asked = Namespace(project=str(file), block_path=[], scheduler_path=[], target_path=[], sets=[])
    told: list[str] = []
    assert "gnuradio" not in json.loads(project_of(asked, told.append))
    assert told == [f"Weir's own scheduler runs this flowgraph; replaced: scope; `weir import {file} --stub host -o "
                    f"{beside}` lets GNU Radio run it"]
    assert main(["import", str(file), "--stub", "host", "-o", str(beside)]) == 0
    document = json.loads(beside.read_text()) | {"run": {"timeout_s": 3}}
    beside.write_text(json.dumps(document))
    found = json.loads(project_of(asked, told.append))
    assert len(told) == 1 and found["gnuradio"]["flowgraph"] == document["gnuradio"]["flowgraph"]
    assert found["run"] == {"items": 0, "timeout_s": 3}


def test_a_fault_of_the_mapping_beside_the_file_names_the_mapping(tmp_path: Path, capsys) -> None:
    (tmp_path / "made.grc").write_bytes(grc(BLOCKS, WIRES))
    for text, said in (("{", "E_JSON_SYNTAX"), ("[]", "E_VALUE_TYPE")):
        (tmp_path / "made.weir.json").write_text(text)
        assert main(["plan", str(tmp_path / "made.grc")]) == 1
        assert f"made.weir.json: error {said}" in capsys.readouterr().err


def test_a_parameter_of_gnu_radios_blocks_stays_text() -> None:
    document = {"graph": {"blocks": [{"gnuradio": {}, "parameters": {"freq": "1"}}, {"parameters": {"freq": 1}}]}}
    for text, wanted in (("5", "5"), ("2.4M", "2.4M"), ('"5"', "5")):
        assert apply_sets(document, {"/graph/blocks/0/parameters/freq": text}) == []
        assert document["graph"]["blocks"][0]["parameters"] == {"freq": wanted}
    apply_sets(document, {"/graph/blocks/1/parameters/freq": "5"})
    assert document["graph"]["blocks"][1]["parameters"] == {"freq": 5}


def test_a_capsule_has_the_runner_and_the_recordings(tmp_path: Path) -> None:
    (tmp_path / "made.bin").write_bytes(b"items")
    file = {"name": "src", "id": "blocks_file_source", "type": "complex", "file": "made.bin", "repeat": "False"}
    document = import_flowgraph(read_grc(grc([file, *BLOCKS[1:]], WIRES)), load_catalog(), Options("host")).document
    (tmp_path / "made.weir.json").write_text(jsontext.write(document))
    run = load_run(store(tmp_path / "runs", project=tmp_path / "made.weir.json"))
    run.run["request"]["folder"] = str(tmp_path)
    found, _ = used.own([run], {})
    assert "sources/templates/companion/weir_companion/running.py" in found
    assert used.inputs([run]) == ({"project/made.bin": b"items"} if block_file("blocks_file_source") else {})


def test_a_flowgraph_is_not_formatted_as_a_project(tmp_path: Path, capsys) -> None:
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    assert main(["format", str(file)]) == 2
    assert "made.grc is a flowgraph of GNU Radio" in capsys.readouterr().err and file.read_bytes() == grc(BLOCKS, WIRES)


needs_gnuradio = pytest.mark.skipif(not (shutil.which("grcc") and shutil.which("cmake")),
                                    reason="GNU Radio is not installed")


@needs_gnuradio
def test_a_machine_without_grcc_is_told_what_to_install(tmp_path: Path, capsys, monkeypatch) -> None:
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, *more, **words: None if name == "grcc" else
                        which(name, *more, **words))
    assert main(["run", str(file), "--trust", "--out", str(tmp_path / "runs")]) in (1, 3)
    said = capsys.readouterr().err
    assert "`grcc`, GNU Radio's flowgraph compiler, is not installed" in said and "apt install gnuradio" in said


@needs_gnuradio
def test_the_rate_of_a_flowgraph_of_gnu_radio_is_found(tmp_path: Path, capsys) -> None:
    file = tmp_path / "made.grc"
    file.write_bytes(grc(BLOCKS, WIRES))
    code_ = main(["rate", str(file), "--trust", "--json", "--trial", "0.1s", "--duration-sum", "0.1s", "--budget",
                  "2s", "--latency", "2s", "--width", "50%", "--trace", "memory"])
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert code_ in (0, 4), err
    jsonschema.Draft202012Validator(shape.schema("rate")).validate(answer)
    assert answer["flat_out_items_per_s"] > 1e6  # the throttle would let 1e5 through
    assert answer["shares"] == {"src": 1.0} and answer["added"] == []
    assert answer["trials"] and answer["trials"][0]["latencies"] > 0


@needs_gnuradio
@pytest.mark.slow
def test_two_deployments_are_compared_swept_reported_and_tuned(tmp_path: Path, capsys) -> None:
    document = import_flowgraph(read_grc(grc(BLOCKS, WIRES)), load_catalog(), Options("host")).document
    document["run"] = {"items": 500_000}
    document["deployments"] = [
        {"name": "free", "scheduler": "gnuradio310", "replace": ["throttle"]},
        {"name": "pinned", "scheduler": "gnuradio310", "replace": ["throttle"], "affinity": {"loop": [0]},
         "buffers": {"src.out0->slow.in0": {"items": 4096}}}]
    project, runs = tmp_path / "made.weir.json", tmp_path / "runs"
    project.write_text(jsontext.write(document))
    main(["compare", str(project), "free", "pinned", "--trust", "--repeat", "8", "--json", "--out", str(runs)])
    [compared] = [it for it in json.loads(capsys.readouterr().out)["comparisons"]][:1]
    assert "interval" in json.dumps(compared)
    assert main(["sweep", str(project), "--trust", "--deployment", "pinned", "--vary",
                 "/deployments/1/affinity/loop=[0],[1]", "--vary", "chunk_items=512,auto", "--repetitions", "1",
                 "--out", str(tmp_path / "sweep")]) == 0
    assert main(["report", str(runs), "-o", str(tmp_path / "r.html")]) == 0
    assert "not verified" in (tmp_path / "r.html").read_text()
    assert main(["runs", "history", str(runs)]) in (0, 4)
    capsys.readouterr()
    assert main(["tune", str(project), "--trust", "--budget", "40s", "--json", "-o", str(tmp_path / "t.json")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert any("pinned" in row["name"] for row in answer["tried"]) and answer["best"]["throughput"]
