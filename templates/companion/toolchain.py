"""Build the probes with CMake, and let grcc of GNU Radio write the flowgraph's Python program.

grcc evaluates the flowgraph's expressions and runs its embedded Python, so it starts only for a flowgraph that the
user trusts.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir.diagnostics import pointer
from weir.engine.generation import cmake
from weir.engine.generation.cpp import runtimes, shelf, toolchain
from weir.engine.generation.cpp.toolchain import REFUSED
from weir.engine.generation.trusted import require_trust
from weir.engine.targets.interface import Fault, GenerationInput, Program, Refused, Tools, Workshop
from weir.interop.grc.reading.block_files import is_described
from weir.interop.grc.reading.flowgraph import read_flowgraph
from weir.model.flowgraph.replacing import NOTHING, SHOWN
from weir.model.ownership import sha256

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]

#: Files of a build: the probes, and the modules that grcc writes beside the program.
LIBRARY, PROGRAM = "libweir_companion.so", "flowgraph.py"
#: Start of a complaint of grcc, which puts no line break between two complaints.
_ONE_REFUSAL = re.compile(r"(?=Param - |Connection \(|(?:Sink|Source|Block) - [^\n]*:\n)")
_OF_PORT = re.compile(r"(Sink|Source) - .*\((\w+)\): Port is not connected")
_OF_PARAMETER = re.compile(r'Param - [^\n]*?\((\w+)\): Value "(.*)" cannot be evaluated')
#: Environment variables of a desktop, which sets at least one.
_DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY")
#: Policies that the runner can set.
POLICIES = ("", "other", "fifo")
MADE_ANEW = {**toolchain.MADE_ANEW, LIBRARY: None, "python/": None}


def find(subject: GenerationInput) -> Tools:
    """Return the tools. Raises WeirError (E_RUNTIME_MISSING) without GNU Radio, E_UNTRUSTED without trust."""
    require_trust(subject.project)
    drawn = any(block.type.startswith("qtgui_") for block in subject.plan.blocks)
    if subject.plan.deployment.windows == SHOWN and drawn and not any(map(os.environ.get, _DESKTOPS)):
        raise Refused("there is no desktop that can show the windows", f"{subject.plan.deployment.pointer}/windows",
                      "leave out --keep-gui, or run Weir in a terminal of the desktop")
    policy = next((it.scheduling.policy for it in subject.plan.workers if it.scheduling.policy not in POLICIES), None)
    if policy:
        raise Refused(f"the threads of GNU Radio's blocks cannot have the policy `{policy}`",
                      subject.place(f"{subject.plan.deployment.pointer}/policy"), "use `fifo` with a priority")
    version = subject.runtime().version
    grcc = shutil.which("grcc")
    if grcc is None:
        raise Refused("`grcc`, GNU Radio's flowgraph compiler, is not installed", "", "apt install gnuradio")
    tools = toolchain.find(subject)
    return Tools(tools.name, tools.words, f"{tools.identity}\nGNU Radio {version}\n"
                 f"{cmake.library_identity('gnuradio-runtime')}", {**tools.paths, "grcc": grcc}, version)


def build(shop: Workshop) -> None:
    """Compile the probes, which are the same for all flowgraphs and kept, and start grcc."""
    library = shop.folder / LIBRARY
    if shop.anew:
        toolchain.build(shop)
    else:
        with runtimes.kept(_key(shop), shop.say) as known:
            if known.archive is None:
                toolchain.build(shop)
                read = cmake.files_read(shop.folder, "weir_companion")
                own = shop.directory.resolve()  # files of the project are in the key
                known.keep(library, [it for it in read if not it.resolve().is_relative_to(own)] if read else None)
            else:
                library.write_bytes(known.archive)
    shop.say("letting grcc write the program")
    made = shop.folder / "python"
    made.mkdir()
    shop.step([shop.tools.paths["grcc"], "-o", str(made), str(shop.directory / "flowgraph.grc")], by="grcc",
              faults=lambda text, folder: [*unknown(shop.subject), *placed(refusals(text, folder), shop.subject)])


def _key(shop: Workshop) -> str:
    """Return the key of the probes' library: everything that it is compiled from."""
    files = [path for folder in ("probes", "weir") for path in sorted((shop.directory / folder).rglob("*"))
             if path.is_file()]
    return shelf.key({"tools": shop.tools.identity, "words": " ".join(shop.tools.words), **{
        str(path.relative_to(shop.directory)): sha256(path.read_bytes())
        for path in (shop.directory / "CMakeLists.txt", *files)}})


def refusals(text: str, folder: Path) -> list[Fault]:
    """Return the complaints of grcc about the flowgraph, each once; [] if grcc itself failed."""
    _, found, said = text.partition(" from flowgraph:")
    each = [" ".join(one.split()) for one in _ONE_REFUSAL.split(said.partition("*****")[0])]
    return [Fault(one) for one in dict.fromkeys(each) if one] if found else []


def unknown(subject: GenerationInput) -> list[Fault]:
    """Return the blocks of the program that GNU Radio has no block file for. grcc says only that their ports are not
    connected.
    """
    return [Fault(f"`{entry['id']}` is a `{entry['gnuradio']['type']}`, which no block file describes; install its "
                  "module, or name the folder of its block file in GRC_BLOCKS_PATH", pointer=at)
            for at, entry in _entries(subject)
            if _in_program(entry, subject) and not is_described(entry["gnuradio"]["type"])]


def placed(faults: list[Fault], subject: GenerationInput) -> list[Fault]:
    """Return what grcc says against parameters and open ports with the blocks that have them, which it does not name.

    Parameters without a value only follow from others.
    """
    first = [it for it in faults if "Expression None is invalid" not in it.message] or faults
    places = {(key, str(value)): at for at, entry in _entries(subject)
              for key, value in entry.get("parameters", {}).items()}
    flow = read_flowgraph(subject.project.document["gnuradio"]["flowgraph"])
    names: dict[tuple[str, str], list[str]] = _open_ports(subject)
    for block in flow.blocks:
        for key, value in block.parameters.items():
            if block.state != "disabled":
                names.setdefault((key, value), []).append(block.name)
    made = []
    for fault in first:
        found = _OF_PARAMETER.match(fault.message) or _OF_PORT.match(fault.message)
        own = (found[1], found[2]) if found else ("", "")
        who = ", ".join(f"`{name}`" for name in names.get(own, ()))
        made.append(replace(fault, message=f"{who}: {fault.message}", pointer=places.get(own, "")) if who else fault)
    return made


def _open_ports(subject: GenerationInput) -> dict[tuple[str, str], list[str]]:
    """Return (Sink or Source, key of a port) -> blocks of the program where no block that grcc knows is connected."""
    stand_ins = {it.instance for it in subject.plan.replaced if it.by != NOTHING}
    known = {entry["id"]: entry["gnuradio"] for _, entry in _entries(subject) if entry["id"] in stand_ins
             or _in_program(entry, subject) and is_described(entry["gnuradio"]["type"])}
    wires = [it for it in subject.project.document["graph"]["connections"] if it[0] in known and it[2] in known]
    joined = {side: {tuple(it[at:at + 2]) for it in wires} for side, at in (("inputs", 2), ("outputs", 0))}
    found: dict[tuple[str, str], list[str]] = {}
    for name, said in known.items():
        for kind, side in (("Sink", "inputs"), ("Source", "outputs")):
            for port in said.get(side, ()):
                if not port.get("optional") and port["type"] != "message" and (name, port["id"]) not in joined[side]:
                    found.setdefault((kind, port["key"]), []).append(said["name"])
    return found


def _in_program(entry: Mapping[str, Any], subject: GenerationInput) -> bool:
    """Return whether a block is enabled, and nothing replaces it."""
    return entry.get("state") != "disabled" and entry["id"] not in {it.instance for it in subject.plan.replaced}


def _entries(subject: GenerationInput) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for at, entry in enumerate(subject.project.document["graph"]["blocks"]):
        yield pointer("graph", "blocks", at), entry


def program(directory: Path, subject: GenerationInput, tools: Tools) -> Program:
    """Return the program: the runner with the flowgraph's Python program."""
    own = directory / "build" / "python" / PROGRAM
    files = [directory / "run.py", directory / "mapping.json", directory / "build" / LIBRARY, own]
    run = subject.plan.run
    # A flowgraph that does not end by itself runs until the time limit; this is no fault.
    limit = f"{run.timeout_s:g}"
    ends = ["--items", str(run.items), "--timeout-s", limit] if run.items else ["--seconds", limit]
    # Qt takes the platform of the desktop if the variable is empty.
    platform = "" if subject.plan.deployment.windows == SHOWN else "offscreen"
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    return Program(("/usr/bin/env", f"QT_QPA_PLATFORM={platform}", python, str(files[0]), str(own), str(files[1]),
                    "--library", str(files[2]), "--metrics", run.metrics, *ends), tuple(files))
