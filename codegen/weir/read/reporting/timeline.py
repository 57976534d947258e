"""Trace of a run in the Trace Event Format, for Perfetto (ui.perfetto.dev) and chrome://tracing.

Each thread has a track, with a slice for each call of `work` and an instant for each other event. Times are in
microseconds from the first event, with three decimals for nanoseconds. The export streams events, so memory does not
grow with the trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TextIO

import numpy as np

from weir.engine.measuring.event_stream import PARK, RX, STEAL, TX, UNPARK, WORK_ENTRY, WORK_EXIT, TraceUnreadable
from weir.engine.measuring.run_directory import StoredRun

PROCESS = 1


@dataclass
class Timeline:
    """Writer of a trace. `events`: number of events written. `damage`: why some were left out, or "" if none were."""

    run: StoredRun
    plan: Mapping
    events: int = 0
    damage: str = ""
    _names: dict[int, str] = field(default_factory=dict)
    _tracks: dict[int, str] = field(default_factory=dict)
    _open: dict[int, tuple[int, int]] = field(default_factory=dict)
    _origin_ns: int | None = None

    def write(self, stream: Iterable[np.ndarray], out: TextIO) -> None:
        """Write the chunks of records in `stream` to `out` as one file. Damage in the stream ends the file early.

        Raises OSError if `out` cannot be written.
        """
        results, numbers = self.run.results, (self.run.run.get("adopted") or {}).get("numbers")
        self._names = ({number: name for name, number in numbers.items()} if numbers else
                       {block["index"]: block["instance"] for block in self.plan["blocks"]})
        about = {"run": results["run_id"], "project": results["project"], "deployment": results["deployment"],
                 "scheduler": results.get("scheduler"), "status": results["status"]}
        out.write(f'{{"displayTimeUnit": "ns", "otherData": {json.dumps(about, ensure_ascii=False)},\n')
        out.write('"traceEvents": [\n')
        process = f"{results['project']} · {results['deployment']}"
        out.write(_metadata("process_name", 0, {"name": process}))
        try:
            for records in stream:
                out.writelines(",\n" + event for event in self._of_chunk(records))
        except TraceUnreadable as damage:
            self.damage = str(damage)
        out.writelines(",\n" + event for event in self._left_open())
        for place, (track, name) in enumerate(sorted(self._tracks.items(), key=lambda it: _natural(it[1]))):
            out.write(",\n" + _metadata("thread_name", track, {"name": name}))
            out.write(",\n" + _metadata("thread_sort_index", track, {"sort_index": place}))
        out.write("\n]}\n")

    def _of_chunk(self, records: np.ndarray) -> Iterator[str]:
        if not len(records):
            return
        if self._origin_ns is None:
            self._origin_ns = int(records["time_ns"][0])
        columns = (records[name].tolist() for name in ("event", "time_ns", "value", "since_ns", "id", "thread", "cpu"))
        for event, time_ns, value, since_ns, who, thread, cpu in zip(*columns):
            track = self._track(thread, cpu)
            if event == WORK_ENTRY:
                self._open[track] = (who, time_ns)
                continue
            self.events += 1
            if event == WORK_EXIT:
                block, began = self._open.pop(track, (who, None))
                if began is not None and block == who:
                    yield self._slice(who, track, began, time_ns, value)
                # An exit without its entry: the tracer dropped the entry, or recording began during the call.
            elif event == TX:
                due = f', "due_us": {self._us(since_ns)}' if since_ns else ""
                yield self._instant(f"tx {self._block(who)}", track, time_ns, f'"k": {value}{due}')
            elif event == RX:
                yield self._instant(f"rx {self._block(who)}", track, time_ns, f'"k": {value}')
            elif event == STEAL:
                yield self._instant(f"steal {self._block(value)}", track, time_ns, f'"worker": {who}')
            elif event in (PARK, UNPARK):
                yield self._instant("park" if event == PARK else "unpark", track, time_ns, f'"worker": {who}')

    def _left_open(self) -> Iterator[str]:
        """Write the calls that had not returned when the trace ended."""
        for track, (who, began) in self._open.items():
            self.events += 1
            yield (f'{{"name": {_quoted(self._block(who))}, "cat": "work", "ph": "B", "ts": {self._us(began)}, '
                   f'"pid": {PROCESS}, "tid": {track}}}')

    def _slice(self, who: int, track: int, began: int, ended: int, items: int) -> str:
        return (f'{{"name": {_quoted(self._block(who))}, "cat": "work", "ph": "X", "ts": {self._us(began)}, '
                f'"dur": {_thousandths(ended - began)}, "pid": {PROCESS}, "tid": {track}, '
                f'"args": {{"items": {items}}}}}')

    def _instant(self, name: str, track: int, time_ns: int, arguments: str) -> str:
        return (f'{{"name": {_quoted(name)}, "cat": "{name.partition(" ")[0]}", "ph": "i", "s": "t", '
                f'"ts": {self._us(time_ns)}, "pid": {PROCESS}, "tid": {track}, "args": {{{arguments}}}}}')

    def _us(self, time_ns: int) -> str:
        return _thousandths(time_ns - (self._origin_ns or 0))

    def _block(self, index: int) -> str:
        return self._names.get(index, f"block {index}")

    def _track(self, thread: int, cpu: int) -> int:
        """Return the track of a thread, or of a CPU if the trace has no threads. The track has the name of the worker.
        """
        track = thread if thread >= 0 else max(cpu, 0)
        if track not in self._tracks:
            self._tracks[track] = self._worker_of(thread) or (f"thread {thread}" if thread >= 0 else f"CPU {cpu}")
        return track

    def _worker_of(self, thread: int) -> str | None:
        return next((it["name"] for it in self.run.results.get("threads") or () if it.get("tid") == thread), None)


def _metadata(kind: str, track: int, arguments: Mapping) -> str:
    return (f'{{"name": "{kind}", "ph": "M", "ts": 0, "pid": {PROCESS}, "tid": {track}, '
            f'"args": {json.dumps(arguments, ensure_ascii=False)}}}')


def _thousandths(ns: int) -> str:
    """Format nanoseconds as microseconds, exactly."""
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    return f"{sign}{ns // 1000}.{ns % 1000:03d}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _natural(name: str) -> tuple:
    """Return a sort key that puts w10 after w9."""
    head = name.rstrip("0123456789")
    return head, int(name[len(head):] or -1)
