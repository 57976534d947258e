"""Run the numpy program: KEY=VALUE words, `answer.json` in the current folder, and exit codes of sysexits.h."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from weir.engine.targets.interface import Order, Program, Verdict

USAGE, UNWRITTEN = 64, 74


def command(program: Program, order: Order) -> list[str]:
    words = [*program.command, f"project={order.project_folder}"]
    if order.items is not None:
        words.append(f"items={order.items}")
    if order.timeout_s is not None:
        words.append(f"timeout={order.timeout_s:g}")
    if order.counted:
        words += ["only=count", *(f"tap={port}" for port in order.taps or ())]
    words += [f"set={param}" for param in order.params]
    return [*words, "say=progress"] if order.progress else words


def progress(line: str) -> dict | None:
    word, _, rest = line.partition(" ")
    if word != "called":
        return None
    done, total = map(int, rest.split("/"))
    return {"phase": "measuring", "done": done, "total": total, "eta_s": None, "run_id": None, "items_per_s": None}


def verdict(ended) -> Verdict:
    said = ended.last_lines[-1:]
    if ended.code == USAGE:
        return Verdict("usage", said)
    if ended.code == UNWRITTEN:
        return Verdict("unwritten", said, errno=int(said[0].split()[0]) if said else 0)
    return Verdict("ended" if ended.code == 0 else "failed", ended.last_lines[-3:])


def results(order: Order, plan: Mapping, ended, blank: Callable[[], dict]) -> dict | None:
    """Leave null what the program did not measure: latencies, edges, what Linux granted."""
    try:
        answer = json.loads((order.folder / "answer.json").read_bytes())
    except (OSError, ValueError):
        return None
    made, window = blank(), answer["window"]
    made.update(items=answer["items"], parameters=answer["parameters"], elapsed_s=answer["elapsed_s"],
                tail_items=sum(answer["tails"].values()),
                sinks=[{"id": name, "items": it["items"], "expected": None, "digest": it["digest"]}
                       for name, it in answer["sinks"].items()],
                threads=[answer["thread"]])
    made["planned"]["buffers"] = {}  # a stream is one array that grows with the run
    if window:
        seconds = (window["end_ns"] - window["begin_ns"]) / 1e9
        made.update(window=window, window_s=seconds,
                    throughput_items_per_s=answer["metered_items"] / seconds if seconds else None)
    if made["metrics"] != "none":
        made["blocks"] = [{"id": name, "worker": plan["workers"][0]["name"], "calls": 1, "items_in": it["in"],
                           "items_out": it["out"], "busy_ns": it["ns"] if made["metrics"] == "profile" else None,
                           "items_per_call": None} for name, it in answer["calls"].items()]
    if answer["late"]:
        made["status"] = "timeout"
        made["reasons"].append({"code": "E_TIMEOUT", "message": f"not done after {answer['elapsed_s']:.1f} s"})
    return made


def tapped(order: Order, number: int) -> Path:
    return order.folder / f"{number}.tap"
