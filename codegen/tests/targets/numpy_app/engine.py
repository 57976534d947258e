"""Run a flowgraph by calling each block once, with whole streams.

Words of the command line:

    items=N  project=DIR  timeout=SECONDS  set=BLOCK.PARAMETER=VALUE…
    only=load   call nothing
    only=count  every source counts; each sink has a digest, and writes nothing
    tap=NODE.PORT…  (with only=count) record what leaves a port: the n-th into n.tap, from 0
    say=progress    a line for every call

Writes answer.json into the current folder. Exit codes: 64 wrong words, 74 a file could not be written.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import weir_reference

HERE = Path(__file__).resolve().parents[1]
POLICIES = {os.SCHED_OTHER: "other", os.SCHED_FIFO: "fifo", os.SCHED_RR: "rr"}


@dataclass(frozen=True)
class Node:
    """One block of the flowgraph.

    `inputs`: port -> output port that feeds it; `outputs`: port -> item type; `rates`: items per firing, in and out;
    `ends`: for a source, the heads behind it, each with the parameter that holds its number of items.
    """

    name: str
    block: str
    type: str
    item_type: str
    parameters: dict
    inputs: dict
    outputs: dict
    rates: tuple
    ends: list
    metered: bool


@dataclass
class Options:
    """Settings from the words of the command line."""

    items: int
    timeout_s: float
    project: Path = Path()
    only: str = ""
    says: bool = False
    taps: list = field(default_factory=list)
    sets: dict = field(default_factory=dict)


class WrongWords(Exception):
    pass


class TooLate(Exception):
    pass


class Run:
    """One run. Each stream is kept, under the port that writes it, until its last reader has been called."""

    def __init__(self, nodes, options, seed):
        self.nodes, self.options, self.seed = nodes, options, seed
        self.blocks = {node.type: weir_reference.load_block(HERE / "blocks" / node.type) for node in nodes}
        self.values = {node.name: self._values(node) for node in nodes}
        self.readers = {}
        for node in nodes:
            for stream in node.inputs.values():
                self.readers[stream] = self.readers.get(stream, 0) + 1
        self.streams, self.sinks, self.calls, self.tails = {}, {}, {}, {}
        self.begin_ns, self.first_end_ns, self.metered_items, self.late_sources = 0, None, 0, False

    def _values(self, node):
        changed = {name.rpartition(".")[2]: value for name, value in self.options.sets.items()
                   if name.rpartition(".")[0] == node.block}
        return {**node.parameters, **changed}

    def call(self, node):
        if (time.monotonic_ns() - self.begin_ns) / 1e9 > self.options.timeout_s:
            raise TooLate
        began = time.monotonic_ns()
        given = {port: self._taken(stream) for port, stream in node.inputs.items()}
        firings = min((len(x) // rate for x, rate in zip(given.values(), node.rates[0])), default=0)
        # Remainder of an ended input that is no whole firing; a join takes no more of its other inputs.
        self.tails[node.name] = sum(len(x) - firings * rate for x, rate in zip(given.values(), node.rates[0])
                                    if len(x) // rate == firings)
        whole = {port: x[:firings * rate] for (port, x), rate in zip(given.items(), node.rates[0])}
        if node.outputs:
            made = self._made(node, whole)
        else:
            self._end(node, whole)
            made = {}
        first_in, first_out = next(iter(whole.values()), None), next(iter(made.values()), None)
        self.calls[node.name] = {"in": None if first_in is None else len(first_in),
                                 "out": None if first_out is None else len(first_out),
                                 "ns": time.monotonic_ns() - began}
        if node.metered:
            self.metered_items += len(first_out)
            self.late_sources |= self.first_end_ns is not None
        if not node.outputs and self.first_end_ns is None:
            self.first_end_ns = time.monotonic_ns()
        if self.options.says:
            print(f"called {len(self.calls)}/{len(self.nodes)}", flush=True)

    def _taken(self, stream):
        """Return a stream, and drop it after its last reader."""
        self.readers[stream] -= 1
        return self.streams[stream] if self.readers[stream] else self.streams.pop(stream)

    def _made(self, node, whole):
        """Return the outputs of a block, in the types of its ports."""
        answer = self.blocks[node.type].reference(self.values[node.name], whole, node.item_type, self._context(node))
        if self.options.only == "count" and not node.inputs:
            answer = self._counted(node, answer)
        made = {port: np.asarray(answer[port]).astype(weir_reference.DTYPES[kind], copy=False)
                for port, kind in node.outputs.items()}
        for port, items in made.items():
            name = f"{node.name}.{port}"
            for number in (n for n, tap in enumerate(self.options.taps) if tap == name):
                Path(f"{number}.tap").write_bytes(items.tobytes())
            if self.readers.get(name):
                self.streams[name] = items
        return made

    def _counted(self, node, answer):
        """Return the counter pattern instead of a source's items, with as many whole firings."""
        rates = dict(zip(node.outputs, node.rates[1]))
        first = next(iter(rates))
        firings = min(self.options.items, len(answer[first])) // rates[first]
        return {port: weir_reference.counter_pattern(firings * rates[port], kind)
                for port, kind in node.outputs.items()}

    def _context(self, node):
        items = self.options.items
        if node.ends and self.options.only != "count":
            items = max(int(self.values[head][parameter]) or items for head, parameter in node.ends)
        if not node.inputs and not items:
            raise WrongWords("a run without an end cannot be computed at once: items=N, or a number for run.items")
        return weir_reference.Context(items, weir_reference.instance_seed(self.seed, node.name), self.options.items,
                                      self.options.project)

    def _end(self, node, whole):
        items = len(next(iter(whole.values())))
        if self.options.only == "count":
            # Odd factors distinguish the inputs of a sink.
            total = sum((2 * i + 1) * weir_reference.digest(x) for i, x in enumerate(whole.values()))
            self.sinks[node.name] = {"items": items, "digest": f"{total % 2**64:016x}"}
            return
        left = self.blocks[node.type].reference(self.values[node.name], whole, node.item_type, self._context(node))
        digest = left.get("digest")
        self.sinks[node.name] = {"items": items, "digest": None if digest is None else f"{digest:016x}"}
        for parameter, data in left.items():
            if parameter != "digest":
                path = Path(self.values[node.name][parameter])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    def answer(self, late, warmup_items, changeable):
        end_ns = time.monotonic_ns()
        # A sink gets all items at once, so after a warm-up nothing is left to measure.
        told = not late and self.first_end_ns is not None and not warmup_items and not self.late_sources
        return {"items": self.options.items, "elapsed_s": (end_ns - self.begin_ns) / 1e9, "late": late,
                "window": {"begin_ns": self.begin_ns, "end_ns": self.first_end_ns} if told else None,
                "metered_items": self.metered_items, "sinks": self.sinks, "tails": self.tails, "calls": self.calls,
                "parameters": {f"{node.block}.{name}": self.values[node.name][name] for node in self.nodes
                               for name in self.values[node.name] if f"{node.block}.{name}" in changeable},
                "thread": {"name": "w0", "tid": threading.get_native_id(), "cpu": None,
                           "policy": POLICIES.get(os.sched_getscheduler(0), "other"), "priority": 0,
                           "cpu_time_s": time.thread_time(), "voluntary_switches": None,
                           "involuntary_switches": None, "migrations": None, "run_delay_s": None}}


def read(words, changeable, **usual):
    """Parse the words. Raises WrongWords if one cannot be understood."""
    options = Options(**usual)
    for word in words:
        key, equals, value = word.partition("=")
        try:
            match key:
                case "items":
                    options.items = int(value)
                case "timeout":
                    options.timeout_s = float(value)
                case "project":
                    options.project = Path(value)
                case "only" if value in ("load", "count"):
                    options.only = value
                case "say" if value == "progress":
                    options.says = True
                case "tap":
                    options.taps.append(value)
                case "set":
                    name, _, text = value.partition("=")
                    options.sets[name.strip()] = parsed(text, changeable[name.strip()])
                case _:
                    raise WrongWords(f"{word}: there is no such word")
        except (ValueError, KeyError):
            raise WrongWords(f"{word}: that is no value for {key}") from None
    return options


def parsed(text, kind):
    """Return a value of a parameter's type. Raises ValueError."""
    if kind in ("string", "enum", "path"):
        return text
    value = json.loads(text)
    if kind == "bool" and not isinstance(value, bool) or kind == "i64" and type(value) is not int or \
            kind in ("f32", "f64") and type(value) not in (int, float):
        raise ValueError(text)
    return value


def main(nodes, schedule, changeable, *, items, warmup_items, seed, timeout_s):
    try:
        options = read(sys.argv[1:], changeable, items=items, timeout_s=timeout_s or float("inf"))
        run, late = Run(nodes, options, seed), False
        if options.only == "load":
            return
        with np.errstate(all="ignore"):
            run.begin_ns = time.monotonic_ns()
            try:
                schedule(nodes, run.call)
            except TooLate:
                late = True
        Path("answer.json").write_text(json.dumps(run.answer(late, warmup_items, changeable)))
    except WrongWords as error:
        print(error, file=sys.stderr)
        sys.exit(64)
    except OSError as error:
        if error.filename is None or Path(error.filename).is_absolute():
            raise  # it could not be read
        print(f"{error.errno} {error.strerror}: {error.filename}", file=sys.stderr)
        sys.exit(74)
