#!/usr/bin/python3
"""Count how many GNU Radio Companion flowgraphs of some folders Weir opens, compiles and runs, as in docs/grc.md.

    bench/grc_corpus.py FOLDER... --answers FILE [--only open,grcc,run] [--seconds 2] [--jobs 1]
        [--sample N] [--reasons]

Three steps for each `.grc` file. The first executes nothing of the file; the others need that you trust the folder:

- `open`: reads and imports it, checks the project, and exports it again.
- `grcc`: starts GNU Radio's own grcc on the file.
- `run`: starts `weir run FILE --trust --replace hardware`, if grcc compiles the file to a program (`--replace
  hardware,files`: also without recordings). A file counts as run if the run ended by itself and counted as many items
  as GNU Radio. Another row counts the files in which every block on a path to a sink moved items.

`--sample` chooses the N files whose paths have the smallest SHA-256, so the choice does not depend on their content.
GNU Radio 4 writes other flowgraphs, which only the first step reads; a block without connections counts as drawn if it
is a note.

Programs get their own home folder, `FILE.home`. The same command continues where it stopped. `--reasons` prints for
each file why it does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.diagnostics import WeirError  # noqa: E402
from weir.interop.grc.exporting.exporter import export_project  # noqa: E402
from weir.interop.grc.exporting.writing import write_grc  # noqa: E402
from weir.interop.grc.importing.importer import Options, import_flowgraph, import_to_run  # noqa: E402
from weir.interop.grc.importing.variables import is_variable  # noqa: E402
from weir.interop.grc.reading.flowgraph import Flowgraph, read_grc  # noqa: E402
from weir.model.catalog import Catalog, load_catalog  # noqa: E402
from weir.model.check import check  # noqa: E402
from weir.model.document import jsontext  # noqa: E402

STEPS = ("open", "grcc", "run")
GRCC_S, RUN_S = 120, 300
#: Faults of a flowgraph of GNU Radio 4 that is drawn nevertheless: stubs, or only notes.
DRAWN = ("E_BLOCK_TYPE", "E_GRAPH_EMPTY")


def opened(file: Path, catalog: Catalog) -> dict[str, Any]:
    """Return the results of reading a file, importing it and exporting it again, which executes nothing of it."""
    data = file.read_bytes()
    found: dict[str, Any] = {"xml": data.lstrip()[:1] == b"<", "error": ""}
    try:
        flow = read_grc(data)
        made = import_flowgraph(flow, catalog, Options("keep" if flow.is_gr4 else "host"))
        checked = check(jsontext.write(made.document), directory=file.parent, catalog=catalog)
        found["error"] = "; ".join(f"{it.code} {it.message}" for it in checked.diagnostics if it.severity == "error"
                                   and not (flow.is_gr4 and it.code in DRAWN))
        found["dropped"] = [f"{it.name}: {it.reason}" for it in made.report.of("dropped")
                            if it.kind == "connection" or it.kind == "block" and not is_variable(it.type)
                            and not it.reason.endswith(" as a note")]
        found["by_wires"] = [f"{flow.by_name[name].id} ({built.note})" for name, built in made.made.items()
                             if built.note.startswith("ports from its connections")]
        if not found["error"] and not flow.is_gr4:
            back = export_project(checked, checked.loaded().deployment(None), None).flow
            found["round_trip"] = ("identical" if write_grc(back).encode() == data else
                                   "same" if content(back) == content(flow) else "differs")
        native = import_to_run(flow, catalog, Options())
        if "gnuradio" in native.document:
            kept = import_flowgraph(flow, catalog, Options()).made
            kinds = {flow.by_name[name].id for name, built in kept.items() if built.stub}
            found["native"] = "GNU Radio runs it: " + (", ".join(sorted(kinds)) or "messages")
        else:
            faults = check(jsontext.write(native.document), directory=file.parent, catalog=catalog).diagnostics
            found["native"] = "; ".join(f"{it.code} {it.message}" for it in faults if it.severity == "error")
    except WeirError as error:
        found["error"] = "; ".join(f"{it.code} {it.message}" for it in error.diagnostics[:3])
    except Exception as error:  # a defect of Weir, which the table should show
        found["error"] = f"{type(error).__name__}: {error}"
    return found


def content(flow: Flowgraph) -> str:
    """Return a flowgraph as text that does not depend on the order in its file."""
    ordered = replace(flow, blocks=tuple(sorted(flow.blocks, key=lambda it: (it.name, it.id, str(it.parameters)))),
                      connections=tuple(sorted(flow.connections, key=lambda it: it.ends)))
    return json.dumps(ordered.as_json(), sort_keys=True)


def started(words: list[str], folder: Path, home: Path, limit: float, **more: str) -> tuple[int, str, str]:
    """Run a program, and return its exit code and its output; the code is -1 after the time limit."""
    environment = os.environ | {"HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **more}
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", cwd=folder, env=environment, start_new_session=True) as program:
        try:
            out, error = program.communicate(timeout=limit)
            return program.returncode, out, error
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            return -1, *program.communicate()


def compiled(file: Path, home: Path) -> dict[str, Any]:
    """Return what grcc makes of a file (`program`, `hierarchical` or `other`), or why it makes nothing."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        code, out, error = started(["grcc", "-o", folder, str(file)], Path(folder), home, GRCC_S)
        texts = [path.read_text(errors="replace") for path in Path(folder).glob("*.py")]
        made = ("program" if any("\ndef main(" in text for text in texts) else
                "hierarchical" if any("gr.hier_block2" in text for text in texts) else "other")
    lines = [line.strip() for line in (out + error).splitlines() if line.strip()]
    return {"made": made if code == 0 else "", "reason": "" if code == 0 else
            "past the limit" if code < 0 else " | ".join(lines[-3:])[:400]}


def run(file: Path, home: Path, seconds: float, replaced: list[str]) -> dict[str, Any]:
    """Return how `weir run` ends, and which blocks moved nothing."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        code, out, error = started(
            [sys.executable, "-m", "weir", "run", str(file), "--trust", *(f"--replace={it}" for it in replaced),
             "--set", f"/run/timeout_s={seconds:g}", "--out", f"{folder}/runs", "--json"], Path(folder), home, RUN_S,
            PYTHONPATH=str(ROOT / "codegen"), XDG_CACHE_HOME=str(home / "cache"))
        try:
            answer = json.loads(out)
            made = answer[0] if isinstance(answer, list) else answer
            project = json.loads(next(Path(folder).glob("runs/*/project.json")).read_text())
        except (ValueError, LookupError, StopIteration):
            lines = [line.strip() for line in error.splitlines() if "error" in line] or error.splitlines()[-2:]
            return {"code": code, "status": "none", "reason": " | ".join(lines)[-2000:]}
    # A result whose latency is in doubt (invalid) still has its counts.
    unseen = " ".join(it["message"] for it in made["reasons"] if it["code"] == "N_UNSEEN")
    counted = re.findall(r"[^ ]+: (?:calls and items|items) \(.*?\)", unseen)
    faults = [f"{it['code']} {it['message']}" for it in made["reasons"]
              if it["code"].startswith("E_") and made["status"] != "invalid"]
    return {"code": code, "status": made["status"], "reason": "; ".join(faults + counted)[:600],
            "still": sorted(still(project, {row["id"]: row for row in made["blocks"]})),
            "latency": bool(made["status"] == "ok" and made["latency"] and made["latency"]["p50_ns"]),
            "no_latency": [it["message"][:200] for it in made["reasons"] if it["code"] == "N_LATENCY_UNKNOWN"]}


def still(project: Mapping[str, Any], rows: Mapping[str, Any]) -> Iterator[str]:
    """Yield the enabled blocks on a path of streams to a sink that moved no item."""
    blocks = {it["id"]: it for it in project["graph"]["blocks"] if it.get("state", "enabled") == "enabled"}
    messages = {(name, port["id"]) for name, it in blocks.items() for side in ("inputs", "outputs")
                for port in it.get("gnuradio", {}).get(side, ()) if port["type"] == "message"}
    wires = [(a, b) for a, p, b, q in project["graph"]["connections"]
             if a in blocks and b in blocks and (a, p) not in messages and (b, q) not in messages]
    reaching = {b for _, b in wires} - {a for a, _ in wires}
    while more := {a for a, b in wires if b in reaching} - reaching:
        reaching |= more
    yield from (name for name in reaching & rows.keys()
                if not (rows[name]["items_in"] or rows[name]["items_out"]))


def table(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Yield the rows of the table: what, how many files, of how many."""
    opens = [it["open"] for it in answers.values() if "open" in it]
    whole = [it for it in opens if not it["error"] and not it["dropped"]]
    yield "opens", sum(not it["error"] for it in opens), len(opens)
    yield "every block and connection drawn", len(whole), len(opens)
    yield "  all ports as a block file states them", sum(not it["by_wires"] for it in whole), len(opens)
    yield "round trip with the same bytes", sum(it.get("round_trip") == "identical" for it in opens), len(opens)
    yield "round trip with the same content", sum(it.get("round_trip") == "same" for it in opens), len(opens)
    yield "valid for Weir's own schedulers", sum(it.get("native") == "" for it in opens), len(opens)
    made = Counter(it["grcc"]["made"] for it in answers.values() if "grcc" in it)
    yield "grcc compiles it", sum(made.values()) - made[""], sum(made.values())
    yield "  to a program", made["program"], sum(made.values())
    runs = [it["run"] for it in answers.values() if "run" in it]
    good = [it for it in runs if ran(it)]
    refused = ("could not be constructed", "does not start", "ModuleNotFoundError")  # by GNU Radio or Python
    able = [it for it in runs if not any(text in it["reason"] for text in refused)]
    yield "GNU Radio can start it, of those programs", len(able), len(runs)
    yield "weir run measures it", len(good), len(able)
    yield "  every block on a path to a sink moves items", sum(not it["still"] for it in good), len(able)
    yield "  with latency from source to sink", sum(it["latency"] for it in good), len(able)


def ran(answer: Mapping[str, Any]) -> bool:
    """Return whether a run ended by itself, with the counts of GNU Radio."""
    return answer["status"] in ("ok", "invalid") and not answer["reason"]


def reasons(name: str, answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield the reasons why a file does not count."""
    made = answer.get("open", {})
    yield from (f"{name}: {step}: {text}" for step, text in (
        ("open", made.get("error")), ("dropped", "; ".join(made.get("dropped", ()))),
        ("by wires", ", ".join(made.get("by_wires", ()))), ("native", made.get("native")),
        ("round trip", made.get("round_trip") if made.get("round_trip") == "differs" else ""),
        ("grcc", answer.get("grcc", {}).get("reason"))) if text)
    if "run" in answer and not ran(answer["run"]):
        yield f"{name}: run: {answer['run']['status']} {answer['run']['reason']}"
    elif "run" in answer and answer["run"]["still"]:
        yield f"{name}: nothing moved: {', '.join(answer['run']['still'])}"


def main() -> int:
    """Run the steps, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--only", default=",".join(STEPS))
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--replace", default="hardware")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--reasons", action="store_true")
    args = parser.parse_args()
    files = {str(path): path for folder in args.folders for path in sorted(folder.absolute().glob("**/*.grc"))}
    if args.sample:
        names = sorted(files, key=lambda name: sha256(name.encode("utf-8", "replace")).digest())
        files = {name: files[name] for name in names[:args.sample]}
    answers: dict[str, dict[str, Any]] = json.loads(args.answers.read_text()) if args.answers.exists() else {}
    home, lock, catalog = Path(f"{args.answers}.home").absolute(), threading.Lock(), load_catalog()
    home.mkdir(exist_ok=True)
    steps = {"open": lambda file, known: opened(file, catalog), "grcc": lambda file, known: compiled(file, home),
             "run": lambda file, known: (run(file, home, args.seconds, args.replace.split(","))
                                         if known.get("grcc", {}).get("made") == "program" else None)}

    def one(name: str, step: str) -> None:
        with lock:
            known = answers.setdefault(name, {})
        found = None if step in known and step != "open" else steps[step](files[name], known)
        if found is not None:
            with lock:
                known[step] = found
                args.answers.write_text(json.dumps(answers, indent=1) + "\n")

    for step in filter(None, args.only.split(",")):
        with ThreadPoolExecutor(1 if step == "open" else args.jobs) as pool:
            list(pool.map(one, files, [step] * len(files)))
    chosen = {name: answers[name] for name in files if name in answers}
    print(f"{len(files)} files, {sum(it.get('open', {}).get('xml', False) for it in chosen.values())} of them XML")
    for what, count, of in table(chosen):
        print(f"{what:50} {count:5} of {of:5}")
    for line in (line for name, it in chosen.items() for line in reasons(name, it)) if args.reasons else ():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
