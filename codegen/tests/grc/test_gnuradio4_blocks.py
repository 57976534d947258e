"""Blocks of GNU Radio 4: the items of their counterparts, computed in numpy, against what GNU Radio 4 documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.interop.grc import table
from weir.interop.grc.importing.importer import Imported, import_flowgraph
from weir.interop.grc.reading.flowgraph import read_grc
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import check
from weir.model.document import jsontext

ITEMS = 5000
N = np.arange(ITEMS)
#: One item of the wave each millisecond.
TURN = 2 * np.pi * 50 * N / 1000
CYCLE = TURN / (2 * np.pi) + 1e-9  # beside the edges
COMPLEX = "complex<float32>"
MATH, BASIC, TEST, TYPE = "gr::blocks::math::", "gr::basic::", "gr::testing::", "gr::blocks::type::converter::"
Items = np.ndarray
Case = tuple[str, dict[str, Any], tuple[str, ...], Callable[..., Items | tuple[Items, ...]] | None]


@cache
def catalog() -> Catalog:
    return load_catalog((), (), ())


def flowgraph(kind: str, parameters: dict, inputs: tuple[str, ...], outputs: int) -> bytes:
    """Return a flowgraph of null sources, the block, and a sink for each output. JSON is YAML."""
    made = [{"id": kind, "parameters": {"name": "it", **parameters}}]
    wires: list[list] = []
    for i, word in enumerate(inputs):
        made.append({"id": f"gr::testing::NullSource<{word}>", "parameters": {"name": f"in{i}"}})
        wires.append([f"in{i}", 0, "it", i])
    for i in range(outputs):
        made.append({"id": f"gr::testing::NullSink<{out_type(kind, parameters)}>", "parameters": {"name": f"out{i}"}})
        wires.append(["it", i, f"out{i}", 0])
    return json.dumps({"blocks": made, "connections": wires}).encode()


def out_type(kind: str, parameters: dict) -> str:
    """Return the type of the items of a block's outputs."""
    first, _, second = kind.partition("<")[2].removesuffix(">").partition(", ")
    if kind.partition("<")[0].rpartition("::")[2] in ("Real", "Imag", "Arg", "Abs", "ToRealImag", "ToMagPhase"):
        return first.removeprefix("complex<").removesuffix(">")
    if "MathOp" in kind:
        return first
    return COMPLEX if "RealImagToComplex" in kind else second or first or "uint8"


def run(kind: str, parameters: dict, inputs: tuple[str, ...], outputs: int
        ) -> tuple[Imported, list[Items], list[Items]]:
    """Return the import, the items of the sources, and those that arrive at the sinks. Sources count."""
    imported = import_flowgraph(read_grc(flowgraph(kind, parameters, inputs, outputs)), catalog())
    entries = {entry["id"]: entry for entry in imported.document["graph"]["blocks"]}
    for i in range(len(inputs)):
        entries[f"in{i}"]["type"] = "counter_source"
    checked = check(jsontext.write(imported.document), directory=Path.cwd(), catalog=catalog())
    assert not [it for it in checked.diagnostics if it.severity == "error"], checked.diagnostics
    found = evaluate(checked.graph, Conditions(ITEMS, 1, Path.cwd()))
    return (imported, [found.streams[f"in{i}", "out"] for i in range(len(inputs))],
            [found.arrived[f"out{i}"]["in"] for i in range(outputs)])


WAVE = {"frequency": 50, "sample_rate": 1000, "amplitude": 3, "offset": 0.5}
GENERATOR = BASIC + "SignalGenerator<float32>"
CASES: list[Case] = [
    (GENERATOR, WAVE, (), lambda: 3 * np.sin(TURN) + 0.5),
    (GENERATOR, WAVE | {"signal_type": "FastCos", "phase": 0.25}, (), lambda: 3 * np.cos(TURN + 0.25) + 0.5),
    (GENERATOR, WAVE | {"signal_type": "Square", "phase": 1e-6}, (),
     lambda: np.where(CYCLE % 1 < 0.5, 3, -3) + 0.5),
    (GENERATOR, WAVE | {"signal_type": "Saw", "phase": 1e-6}, (),
     lambda: 6 * (CYCLE - np.floor(CYCLE + 0.5)) + 0.5),
    (GENERATOR, WAVE | {"signal_type": "Triangle"}, (),
     lambda: 3 * (4 * np.abs(CYCLE - np.floor(CYCLE + 0.75) + 0.25) - 1) + 0.5),
    ("gr::blocks::basic::SignalGenerator<float32>", {"tone_frequency": 50}, (), lambda: np.sin(TURN)),
    (GENERATOR, {"signal_type": "Const", "amplitude": 2, "offset": 1}, (), lambda: np.full(ITEMS, 3.0)),
    (GENERATOR, {"signal_type": "GaussianNoise", "amplitude": 2}, (), None),
    (GENERATOR, WAVE, ("uint8",), lambda clock: 3 * np.sin(TURN) + 0.5),
    (GENERATOR, {"signal_type": "Const"}, ("uint8",), lambda clock: np.ones(ITEMS)),
    (GENERATOR, {"signal_type": "UniformNoise"}, ("uint8",), None),
    (f"{BASIC}SignalGenerator<{COMPLEX}>", WAVE, (), lambda: 3 * np.sin(TURN) + 0.5 - 3j * np.cos(TURN)),
    (f"{BASIC}SignalGenerator<{COMPLEX}>", WAVE | {"signal_type": "Cos"}, ("uint8",),
     lambda clock: 3 * np.exp(1j * TURN) + 0.5),
    (f"{BASIC}SignalGenerator<{COMPLEX}>", {"signal_type": "Const"}, ("uint8",), lambda clock: np.ones(ITEMS)),
    (BASIC + "FunctionGenerator<float32>", {"start_value": 7}, (), lambda: np.full(ITEMS, 7.0)),
    (BASIC + "FunctionGenerator<float32>", {"start_value": 7}, ("uint8",), lambda clock: np.full(ITEMS, 7.0)),
    (BASIC + "ClockSource", {"n_samples_max": 0}, (), lambda: np.zeros(ITEMS)),
    (BASIC + "ClockSource", {"n_samples_max": 40}, (), lambda: np.zeros(40)),
    (BASIC + "ClockSource", {"n_samples_max": 0, "tag_times": [1]}, (), lambda: np.zeros(ITEMS)),
    (BASIC + "DefaultClockSource<uint8>", {"tag_times": [1]}, (), lambda: np.zeros(1024)),
    (TEST + "NullSource<int16>", {}, (), lambda: np.zeros(ITEMS)),
    (TEST + "Copy<int8>", {}, ("int8",), lambda x: x),
    (TEST + "HeadBlock<float32>", {}, ("float32",), lambda x: x),
    (TEST + "HeadBlock<float32>", {"n_samples_max": 9}, ("float32",), lambda x: x[:9]),
    (TEST + "Delay<float32>", {"delay_ms": 5}, ("float32",), lambda x: x),
    (TEST + "ConstantSource<float32>", {"default_value": 4}, (), lambda: np.full(ITEMS, 4.0)),
    (TEST + "ConstantSource<float32>", {"default_value": 4, "n_samples_max": 8}, (), lambda: np.full(8, 4.0)),
    *((kind, {}, (kind.partition("<")[2][:-1],), lambda x: ()) for kind in (
        TEST + "NullSink<int32>", TEST + "CountingSink<float32>", TEST + "TagSink<float32>",
        TEST + "ImChartMonitor<float32>", TEST + "ConsoleDebugSink<float32>", BASIC + "DataSink<float32>",
        "gr::audio::AudioSink<float32>", "opendigitizer::ImPlotSink<float32>", f"gr::blocks::sdr::SoapySink<{COMPLEX}>",
    )),
    ("gr::testing::CountingSinkImpl<float32, false>", {"n_samples_max": 7}, ("float32",), lambda x: ()),
    ("gr::blocks::fileio::BasicFileSink<float32>", {"file_name": "out.f32"}, ("float32",), lambda x: ()),
    *((kind, {"sample_rate": 1000}, (), None) for kind in (
        "gr::audio::AudioSource<float32>", f"gr::blocks::sdr::SoapySource<{COMPLEX}>",
        f"gr::blocks::sdr::RTL2832Source<{COMPLEX}>")),
    ("opendigitizer::RemoteStreamSource<float32>", {"remote_uri": "/x"}, (), lambda: np.zeros(ITEMS)),
    ("opendigitizer::SineSource<float32>", {"frequency": 50, "phase": 90, "amplitude": 2}, (),
     lambda: 2 * np.cos(TURN)),
    *(("opendigitizer::Arithmetic<float32>", {"operation": sign}, ("float32",) * 2, of) for sign, of in (
        ("+", np.add), ("-", np.subtract), ("*", np.multiply), ("/", np.divide))),
    *((f"{MATH}{name}<float32>", {"n_inputs": 3}, ("float32",) * 3, of) for name, of in (
        ("Add", lambda *x: x[0] + x[1] + x[2]), ("Subtract", lambda *x: x[0] - x[1] - x[2]),
        ("Multiply", lambda *x: x[0] * x[1] * x[2]), ("Divide", lambda *x: x[0] / x[1] / x[2]))),
    *((f"{MATH}{name}<float32>", {"n_inputs": 1}, ("float32",), lambda x: x)
      for name in ("Add", "Subtract", "Multiply", "Divide")),
    (MATH + "AddConst<int16>", {"value": 3}, ("int16",), lambda x: x + 3),
    (MATH + "SubtractConst<float32>", {"value": 3}, ("float32",), lambda x: x - 3),
    (f"{MATH}MultiplyConst<{COMPLEX}>", {"value": "(1, 2)"}, (COMPLEX,), lambda x: x * (1 + 2j)),
    (MATH + "DivideConst<float32>", {"value": 8}, ("float32",), lambda x: x / 8),
    *((f"{MATH}MathOpImpl<float32, std::{name}<float32>>", {"value": 4}, ("float32",), of) for name, of in (
        ("plus", lambda x: x + 4), ("minus", lambda x: x - 4), ("multiplies", lambda x: x * 4),
        ("divides", lambda x: x / 4))),
    *((f"{MATH}MathOpMultiPortImpl<float32, std::{name}<float32>>", {"n_inputs": 2}, ("float32",) * 2, of)
      for name, of in (("plus", np.add), ("minus", np.subtract), ("multiplies", np.multiply), ("divides", np.divide))),
    ("builtin_multiply<float32>", {"factor": 3}, ("float32",), lambda x: 3 * x),
    ("builtin_counter<float32>", {}, ("float32",), lambda x: x),
    (f"{MATH}Rotator<{COMPLEX}>", {"sample_rate": 1000, "frequency_shift": 50, "initial_phase": 0.5}, (COMPLEX,),
     lambda x: x * np.exp(1j * (TURN + TURN[1] + 0.5))),
    (f"{MATH}Rotator<{COMPLEX}>", {"phase_increment": 0.25}, (COMPLEX,), lambda x: x * np.exp(0.25j * (N + 1))),
    ("gr::filter::fir_filter<float32>", {"b": [2, 0, 1]}, ("float32",),
     lambda x: 2 * x + np.concatenate(([0, 0], x[:-2]))),
    ("gr::filter::Decimator<float32>", {"decim": 5}, ("float32",), lambda x: x[::5]),
    (TYPE + "Convert<int16, float32>", {}, ("int16",), lambda x: x),
    (TYPE + "Convert<float32, int16>", {}, ("float32",), lambda x: x),
    (TYPE + "Convert<float32, float32>", {}, ("float32",), lambda x: x),
    (TYPE + "Convert<int8, int16>", {}, ("int8",), lambda x: x),
    (TYPE + "Convert<int16, int32>", {}, ("int16",), lambda x: x),
    (TYPE + "Convert<uint8, int8>", {}, ("uint8",), lambda x: x.astype(np.int8)),
    (TYPE + "Convert<int8, uint8>", {}, ("int8",), lambda x: x.astype(np.uint8)),
    (f"{TYPE}Abs<{COMPLEX}>", {}, (COMPLEX,), np.abs),
    (TYPE + "Abs<int16>", {}, ("int16",), np.abs),
    (f"{TYPE}Real<{COMPLEX}>", {}, (COMPLEX,), np.real),
    (f"{TYPE}Imag<{COMPLEX}>", {}, (COMPLEX,), np.imag),
    (f"{TYPE}Arg<{COMPLEX}>", {}, (COMPLEX,), np.angle),
    (f"{TYPE}ToRealImag<{COMPLEX}>", {}, (COMPLEX,), lambda x: (x.real, x.imag)),
    (f"{TYPE}ToMagPhase<{COMPLEX}>", {}, (COMPLEX,), lambda x: (np.abs(x), np.angle(x))),
    (TYPE + "RealImagToComplex<float32>", {}, ("float32",) * 2, lambda re, im: re + 1j * im),
    (f"gr::blocks::basic::ComplexToInterleaved<{COMPLEX}, float32>", {}, (COMPLEX,),
     lambda x: np.stack((x.real, x.imag), 1).ravel()),
    (f"gr::blocks::basic::InterleavedToComplex<float32, {COMPLEX}>", {}, ("float32",),
     lambda x: x[::2] + 1j * x[1::2]),
]
SINKS = ("NullSink", "CountingSink", "TagSink", "Monitor", "DebugSink", "DataSink", "AudioSink", "ImPlotSink",
         "SoapySink", "FileSink")


def outputs_of(kind: str) -> int:
    """Return the number of outputs of a block."""
    return 0 if any(word in kind for word in SINKS) else 2 if "::To" in kind else 1


@pytest.mark.parametrize(("kind", "parameters", "inputs", "wanted"), CASES,
                         ids=lambda it: "" if callable(it) else str(it)[:60])
def test_the_counterpart_has_the_items_of_gnuradio_4(kind, parameters, inputs, wanted):
    imported, given, found = run(kind, parameters, inputs, outputs_of(kind))
    built = imported.made["it"]
    assert not built.stub and built.rule in table.rules(kind)
    if wanted is None:  # random numbers, or those of a device: the report says so
        assert built.reason and len(found[0]) == ITEMS and (found[0] != 0).any()
        return
    if "int8" not in kind:
        given = [x.astype(complex if x.dtype.kind == "c" else float) for x in given]
    with np.errstate(all="ignore"):
        expected = wanted(*given)
    for items, each in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
        assert len(items) == len(each) > 0
        np.testing.assert_allclose(items, each, rtol=2e-6, atol=2e-5)


def test_a_recording_is_read(tmp_path):
    kind = "gr::blocks::fileio::BasicFileSource<float32>"
    flow = read_grc(flowgraph(kind, {"file_name": "a.f32", "offset": 3, "repeat": True}, (), 1))
    made = import_flowgraph(flow, catalog())
    [entry] = [it for it in made.document["graph"]["blocks"] if it["id"] == "it"]
    assert entry["type"] == "file_source" and entry["parameters"] == {
        "item_type": "f32", "path": "a.f32", "offset_items": 3, "repeat": True}
    assert made.made["it"].rule in table.rules(kind)


def test_every_rule_has_a_case():
    def rule(kind: str, parameters: dict, inputs: tuple[str, ...]) -> table.Rule | None:
        flow = read_grc(flowgraph(kind, parameters, inputs, outputs_of(kind)))
        return import_flowgraph(flow, catalog()).made["it"].rule

    used = [rule(*case[:3]) for case in CASES]
    missing = [f"{name} {it.only}" for name in table.block_names(gr4=True) for it in table.rules(name)
               if it not in used and "FileSource" not in name]
    assert not missing
