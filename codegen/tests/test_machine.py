"""Test machines: hwloc, /sys and machine files agree; the order of CPUs; refusals."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from hypothesis import given
from hypothesis import strategies as st
from weir import cli
from weir.diagnostics import WeirError
from weir.machine import environment
from weir.model.document import jsontext, shape
from weir.model.planning import topology
from weir.model.planning.machine import DEFAULT_L2, Machine, machine_from_json, read_machine
from weir.model.planning.topology import get_machine, this_machine

MACHINES = sorted((CODEGEN / "tests" / "machines").glob("*.json"))
XML = """<?xml version="1.0"?><topology version="2.0">
 <object type="Machine" cpuset="0x0000000f" allowed_cpuset="0x00000007">
  <info name="CPUModel" value=" Test "/>
  <object type="Package" os_index="1" cpuset="0x0000000f">
   <object type="NUMANode" os_index="0" cpuset="0x0000000f"/>
   <object type="L2Cache" cpuset="0x0000000f" cache_size="1048576" depth="2" cache_linesize="64" cache_type="0">
    <object type="L1Cache" cpuset="0x00000005" cache_size="32768" depth="1" cache_linesize="64" cache_type="1">
     <object type="L1iCache" cpuset="0x00000005" cache_size="65536" depth="1" cache_type="2">
      <object type="Core" os_index="0" cpuset="0x00000005"><object type="PU"/></object>
     </object></object>
    <object type="L1Cache" cpuset="0x0000000a" cache_size="32768" depth="1" cache_linesize="64" cache_type="1">
     <object type="Core" os_index="1" cpuset="0x0000000a"/></object>
   </object></object></object></topology>"""


def load(name: str) -> Machine:
    return read_machine(CODEGEN / "tests" / "machines" / f"{name}.json")


@pytest.mark.parametrize("file", MACHINES, ids=lambda f: f.stem)
def test_committed_machines_are_canonical(file: Path) -> None:
    machine = read_machine(file)
    assert file.read_text() == jsontext.write(machine.as_json())
    jsonschema.validate(json.loads(file.read_text()), shape.schema("machine"))


def test_this_machine_round_trips_through_its_file(tmp_path: Path) -> None:
    machine = this_machine()
    file = tmp_path / "machine.json"
    file.write_text(jsontext.write(machine.as_json()))
    assert read_machine(file) == machine == get_machine(file)
    assert set(machine.allowed) <= os.sched_getaffinity(0)
    assert read_machine(file).hash == this_machine().hash


@pytest.mark.skipif(not shutil.which("lstopo-no-graphics"), reason="hwloc is not installed")
def test_hwloc_and_sys_agree() -> None:
    hwloc, kernel = topology.from_hwloc("lstopo-no-graphics"), topology.from_sys()
    assert {c.cpus for c in hwloc.cores} == {c.cpus for c in kernel.cores}
    assert {(c.level, c.bytes, c.cpus) for c in hwloc.caches} == {(c.level, c.bytes, c.cpus) for c in kernel.caches}
    assert hwloc.nodes == kernel.nodes


def test_without_hwloc_the_kernel_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = this_machine()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    found = this_machine()
    assert replace(found, name="") == replace(expected, name="")


def test_a_broken_lstopo_is_no_obstacle(tmp_path: Path) -> None:
    for body in ("exit 3", "echo '<topology/>'", "echo not xml"):
        program = tmp_path / "lstopo"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        assert topology.from_hwloc(str(program)) is None


def test_hwloc_xml() -> None:
    parts = topology.parse_hwloc(XML)
    assert parts.name == "Test" and parts.allowed == {0, 1, 2}
    assert [(c.package, c.cpus) for c in parts.cores] == [(1, (0, 2)), (1, (1, 3))]
    assert sorted((c.level, c.bytes) for c in parts.caches) == [(1, 32768), (1, 32768), (2, 1048576)]


def test_sys_of_another_machine(tmp_path: Path) -> None:
    def put(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")

    put("cpu/online", "0-1,3")
    put("node/node0/cpulist", "0-3")
    for cpu, siblings in ((0, "0,2-3"), (1, "1"), (3, "0,2-3")):
        put(f"cpu/cpu{cpu}/topology/thread_siblings_list", siblings)
        put(f"cpu/cpu{cpu}/topology/physical_package_id", "0")
        for key, text in (("type", "Data"), ("size", "48K"), ("level", "1"), ("shared_cpu_list", siblings)):
            put(f"cpu/cpu{cpu}/cache/index0/{key}", text)
        put(f"cpu/cpu{cpu}/cache/index1/type", "Instruction")
    parts = topology.from_sys(tmp_path)
    assert [c.cpus for c in parts.cores] == [(0, 3), (1,)]
    assert {(c.level, c.bytes, c.line_bytes, c.cpus) for c in parts.caches} == {(1, 49152, 64, (0, 3)),
                                                                                (1, 49152, 64, (1,))}


@given(st.sets(st.integers(0, 200)))
def test_cpu_sets(cpus: set[int]) -> None:
    value = sum(1 << c for c in cpus)
    words = [value >> 32 * i & 0xFFFFFFFF for i in range(7)]
    assert topology.parse_mask(",".join(f"0x{w:08x}" for w in reversed(words))) == cpus
    assert topology.parse_list(",".join(map(str, sorted(cpus)))) == cpus


def test_workers_get_a_core_each_before_siblings_and_isolated_cpus_only_on_request() -> None:
    smt = load("quad_smt")
    assert smt.worker_cpus == (0, 1, 2, 4, 5, 6)
    assert smt.usable == set(range(8))
    assert smt.l1d == 32 * 1024 and smt.l2 == 512 * 1024


def test_shared_caches_count_by_the_core() -> None:
    assert load("kria").l2 == 256 * 1024
    assert replace(load("kria"), caches=()).l2 == DEFAULT_L2


def test_a_reordered_machine_file_is_the_same_machine() -> None:
    machine = load("quad_smt")
    document = machine.as_json()
    for key in ("cores", "caches", "allowed", "isolated"):
        document[key] = list(reversed(document[key]))
    assert machine_from_json(document) == machine


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"format": 2}', ""])
def test_a_bad_machine_file_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(text)
    with pytest.raises(WeirError) as caught:
        read_machine(file)
    assert caught.value.exit_code == 3
    assert {d.code for d in caught.value.diagnostics} == {"E_MACHINE"} and str(file) in str(caught.value)


def test_machines_that_contradict_themselves(tmp_path: Path) -> None:
    for change in ({"allowed": [9]}, {"cores": [{"id": i, "package": 0, "numa": 0, "cpus": [0]} for i in (0, 1)]}):
        file = tmp_path / "machine.json"
        file.write_text(json.dumps({**load("two_core").as_json(), "allowed": [0], **change}))
        with pytest.raises(WeirError):
            read_machine(file)


def test_topology_verb(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["doctor", "--topology", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, shape.schema("machine"))
    assert cli.main(["doctor", "--topology", "--machine", str(MACHINES[0])]) == 0
    assert "core 0" in capsys.readouterr().out


def test_a_binding_of_the_process_counts() -> None:
    cpu = min(os.sched_getaffinity(0))
    code = (f"import os; os.sched_setaffinity(0, [{cpu}])\n"
            "from weir.model.planning.topology import this_machine; print(this_machine().allowed)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(CODEGEN)})
    assert done.stdout.strip() == f"({cpu},)"


@pytest.mark.parametrize("name, said", [("AMD EPYC", "AMD EPYC (family 25, model 1)"),
                                        ("AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763 64-Core Processor")])
def test_two_cpus_whose_names_hide_the_number_differ(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"cpu family\t: 25\nmodel\t\t: 1\nmodel name\t: {name}\n"
    monkeypatch.setattr(environment, "_read", lambda path: text)
    assert environment.cpu_name() == said


@pytest.mark.parametrize("linux, here, said", [("x86_64", "aarch64", "x86_64"), ("x86_64", "x86_64", None),
                                               ("x86_64", "i686", None), ("aarch64", "armv7l", None),
                                               ("", "aarch64", None)])
def test_an_emulator_of_programs_is_seen(linux: str, here: str, said: str | None,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_read", lambda path: f"{linux}\n" if path == "/proc/sys/kernel/arch" else "")
    monkeypatch.setattr(environment.platform, "machine", lambda: here)
    assert environment.emulated_on() == said
