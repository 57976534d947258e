"""Properties that hold for every input."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import shutil
import zlib
from pathlib import Path

from cpp_text import fault_of
from stored_runs import store
from weir import cli
from weir.codes import CODES
from weir.diagnostics import BETWEEN_DIGITS, Diagnostic, WeirError, format_for_people, has_errors, resolve
from weir.engine.generation.emit import generate
from weir.engine.measuring.latency import read_hgrm
from weir.interop.grc.exporting.exporter import export_project
from weir.interop.grc.exporting.writing import write_grc
from weir.interop.grc.importing.importer import import_flowgraph
from weir.interop.grc.reading.flowgraph import GrcBlock, read_grc
from weir.model.catalog import load_catalog
from weir.model.check import Checked, check
from weir.model.document import expressions, jsontext
from weir.model.document.shape import check_shape
from weir.model.planning.machine import Machine, read_machine
from weir.model.planning.plan import make_plan
from world import World  # puts the tests' folder on the path

#: One in this many valid projects is generated as C++: copying the runtime takes 30 ms.
EMITTED = 20
#: One in this many damaged runs becomes a page with figures, which takes most of a second.
REPORTED = 10
HGRM = b"""\
       Value     Percentile TotalCount 1/(1-Percentile)

       1.000 0.000000000000          1           1.00
       5.000 0.500000000000          3           2.00
      12.000 1.000000000000          6
#[Mean    =        5.000, StdDeviation   =        1.000]
#[Max     =       12.000, Total count    =          6]
"""


def findings(diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
    """Check that diagnostics are registered and can be printed."""
    for d in diagnostics:
        assert d.code in CODES and d.severity == CODES[d.code].severity, d
        assert d.message and d.hint, d
        assert d.pointer == "" or d.pointer.startswith("/"), d
    shown = format_for_people(diagnostics, "input")
    assert all(c.isprintable() or c in ("\n", BETWEEN_DIGITS) for c in shown), "control characters reach the terminal"


def text(data: bytes, world: World) -> None:
    value, faults = jsontext.read(data)
    findings(faults)
    assert jsontext.read(data) == (value, faults) or faults
    if not faults:
        canonical(value)


def canonical(value: object) -> str:
    """Check that writing, reading and writing again changes nothing."""
    written = jsontext.write(value)
    again, faults = jsontext.read(written)
    assert not faults and same(again, value), "a written value reads back differently"
    assert jsontext.write(again) == written, "format is not idempotent"
    assert jsontext.read(written.encode()) == (again, []), "text and bytes read differently"
    return written


def same(a: object, b: object) -> bool:
    """Return whether values and types are equal: 1, 1.0 and true are three values."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and (not isinstance(a, float) or math.copysign(1, a) == math.copysign(1, b))


def expression(source: str, world: World) -> None:
    names = {"stages": 6, "x": -1.5, "n": 2**62}
    outcomes = []
    for _ in range(2):
        try:
            value = expressions.evaluate(source, names)
            assert type(value) in (int, float), value
            assert math.isfinite(value) and (isinstance(value, float) or -(2**63) <= value < 2**63), value
            outcomes.append(value)
        except expressions.ExpressionError as error:
            assert error.code in CODES and error.message and 0 <= error.position <= len(source), vars(error)
            outcomes.append(error.code)
    assert outcomes[0] == outcomes[1]
    with contextlib.suppress(expressions.ExpressionError):
        expressions.names_in(source)


def project(data: bytes, world: World) -> None:
    """Check the codes, that pointers resolve, and the same verdict on the canonical text; then the plan and the C++."""
    checked = check(data, directory=world.folder, catalog=world.catalog)
    findings(checked.diagnostics)
    value, faults = jsontext.read(data)
    again = check(data if faults else canonical(value), directory=world.folder, catalog=world.catalog)
    assert again.diagnostics == checked.diagnostics, "validate says something else of the canonical text"
    if faults:
        return
    for d in checked.diagnostics:
        resolve(value, d.pointer)
    if not has_errors(checked.diagnostics):
        planned(checked, world, world.machine, zlib.crc32(data))


def planned(checked: Checked, world: World, machine: Machine, turn: int) -> None:
    """Check that a valid project has a plan that fits its schema, and C++ in which its texts are only texts.

    `turn`: a number that depends on the input and selects a deployment.
    """
    assert checked.project and checked.graph, "valid, but without a graph"
    world.reached["valid"] += 1
    deployment = checked.project.deployments[turn % len(checked.project.deployments)]
    plan = make_plan(checked.project, checked.graph, world.catalog, machine, deployment)
    findings(plan.diagnostics)
    assert not has_errors(plan.diagnostics), plan.diagnostics
    document, faults = jsontext.read(jsontext.write(plan.plan.as_json()))
    faults = faults or check_shape(document, "plan")
    assert not faults, faults
    if turn % EMITTED:
        return
    world.reached["emitted"] += 1
    again = make_plan(checked.project, checked.graph, world.catalog, machine, deployment)
    assert again.plan.hash == plan.plan.hash
    files = generate(plan.plan, checked.project, world.catalog)
    for name in files.keys() & {"src/flowgraph.hpp", "src/main.cpp"}:  # other targets have other files
        fault = fault_of(files[name].decode())
        assert not fault, f"{name}: {fault}"
    assert b"evil" not in _code_of(files.get("CMakeLists.txt", b"")), "text of the project in CMakeLists.txt"


def _code_of(cmake: bytes) -> bytes:
    return b"\n".join(line for line in cmake.splitlines() if not line.startswith(b"#"))


def flowgraph(data: bytes, world: World) -> None:
    """Check that a flowgraph becomes a project that can be drawn, and exports unchanged. One of GNU Radio 4 exports as
    another one, of 3.10.
    """
    try:
        flow = read_grc(data)
    except WeirError as error:
        findings(error.diagnostics)
        assert error.exit_code == 1
        return
    made = import_flowgraph(flow, world.catalog)
    written = canonical(made.document)
    assert all(entry.reason for entry in made.report.entries if entry.outcome != "kept")
    checked = check(written, directory=world.folder, catalog=world.catalog)
    findings(checked.diagnostics)
    if checked.project is None:
        assert {d.code for d in checked.diagnostics} <= {"E_VALUE_RANGE"}, checked.diagnostics
        return
    if flow.is_gr4 and checked.graph is None:
        return
    back = export_project(checked, checked.project.deployments[0], None).flow
    again = read_grc(write_grc(back).encode())
    assert write_grc(again) == write_grc(back), "what is written reads back differently"
    if flow.is_gr4:
        return
    assert sorted(map(_meaning, flow.blocks)) == sorted(map(_meaning, back.blocks)), "a block comes back changed"
    assert sorted(c.ends for c in flow.connections if c.src in flow.by_name and c.dst in flow.by_name) == sorted(
        c.ends for c in back.connections)


def _meaning(block: GrcBlock) -> tuple:
    return block.name, block.id, sorted(block.parameters.items())


def overrides(case: tuple[bytes, dict[str, str]], world: World) -> None:
    data, sets = case
    checked = check(data, sets=sets, directory=world.folder, catalog=world.catalog)
    findings(checked.diagnostics)
    assert check(data, sets=sets, directory=world.folder, catalog=world.catalog).diagnostics == checked.diagnostics
    if checked.project:
        document = checked.project.document
        for d in checked.diagnostics:
            resolve(document, d.pointer)
        canonical(document)
        if not has_errors(checked.diagnostics):
            planned(checked, world, world.machine, zlib.crc32(data))


def deployment(case: tuple[bytes, object], world: World) -> None:
    data, odd = case
    checked = check(data, directory=world.folder, catalog=world.catalog)
    findings(checked.diagnostics)
    if has_errors(checked.diagnostics):
        return
    path = world.folder / "odd-machine.json"
    path.write_text(json.dumps(odd))
    try:
        chosen = read_machine(path)
    except WeirError as error:
        findings(error.diagnostics)
        chosen = world.machine
    planned(checked, world, chosen, zlib.crc32(data))


def machine(data: bytes, world: World) -> None:
    path = world.folder / "machine.json"
    path.write_bytes(data)
    try:
        read = read_machine(path)
    except WeirError as error:
        findings(error.diagnostics)
        assert {d.code for d in error.diagnostics} == {"E_MACHINE"}
        return
    path.write_text(jsontext.write(read.as_json()))
    assert read_machine(path) == read
    assert read.l1d > 0 and read.l2 > 0 and set(read.worker_cpus) == set(read.allowed)


def descriptor(case: tuple[str, str, bytes], world: World) -> None:
    kind, name, data = case
    root = world.folder / "root"
    folder = root / {"block": "block-library/family", "scheduler": "runtime/schedulers", "target": "templates"}[kind]
    file = folder / name / f"{kind}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    try:
        catalog = load_catalog(root=root)
    except WeirError as error:
        findings(error.diagnostics)
        assert {d.code for d in error.diagnostics} <= {"E_DESCRIPTOR", "E_DESCRIPTOR_DUPLICATE"}
        return
    finally:
        shutil.rmtree(root)
    if kind == "block":
        source = {"schema_version": 1, "name": "one", "graph": {"blocks": [{"id": "b", "type": name}],
                                                                "connections": []}}
        findings(check(jsontext.write(source), directory=world.folder, catalog=catalog).diagnostics)


def hgrm(data: bytes, world: World) -> None:
    path = world.folder / "latency.hgrm"
    path.write_bytes(data)
    try:
        values, quantiles = read_hgrm(path)
    except (OSError, ValueError):
        return
    assert values.shape == quantiles.shape and values.ndim == 1


def stored_run(world: World) -> Path:
    """Return a complete run directory, made once."""
    folder = world.folder / "stored"
    if not folder.is_dir():
        store(folder)
    return next(iter(sorted(folder.iterdir())))


def stored(case: tuple[str, bytes], world: World) -> None:
    """Check that every verb that reads run directories ends with one of its exit codes, without an internal error."""
    name, data = case
    whole, out = stored_run(world), world.folder / "damaged"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(whole, out / whole.name)
    (out / whole.name / name).write_bytes(data)
    for verb in (["runs", "list", "--out", out], ["runs", "list", "--json", "--out", out],
                 ["compare", out, whole.parent, "--json"], ["report", out, "-o", out / "report.html"]):
        if verb[0] != "report" or zlib.crc32(data) % REPORTED == 0:
            _verb([str(word) for word in verb])


def _verb(argv: list[str]) -> None:
    os.environ["WEIR_DEBUG"] = "1"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = cli.main(argv)
        except SystemExit as end:
            code = end.code
    assert code in (0, 1, 2, 3, 4), code
