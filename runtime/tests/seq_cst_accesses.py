"""List every seq_cst access of the runtime with the reason for its total order, and the check that detects weakening
it.

A lost wake-up needs two threads that miss each other: each stores and then loads, and neither sees the other's store.
So each weakened store is a mutation of a model; weakening the load after it is the same mutation. In
`check_orders.cpp`, which knows the orders of C++, each access is a separate mutant. So are the stores that release
items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from spoilt_runtime import RUNTIME

FENCED, WAIT, TASK_STATE = "include/weir/fenced.hpp", "include/weir/wait.hpp", "include/weir/task_state.hpp"
STREAM, JOB_RING, JOB_POOL = "include/weir/stream.hpp", "include/weir/job_ring.hpp", "include/weir/job_pool.hpp"
RUN, STRETCH, SLEEPERS = "include/weir/run.hpp", "include/weir/stretch.hpp", "include/weir/sleepers.hpp"


@dataclass(frozen=True)
class Access:
    """Access that must be seq_cst. `models`: options of a model with the mutation that weakens it; `check`: case of
    `check_orders.cpp`; `otherwise`: explanation for an access that has neither.
    """

    name: str
    file: str
    text: str
    models: tuple[str, ...] = ()
    check: str = ""
    otherwise: str = ""

    @cached_property
    def place(self) -> tuple[str, str, str]:
        """Return FILE, LINE and ACCESS as `check_orders` takes them."""
        source = (RUNTIME / self.file).read_text()
        line = source[:source.index(self.text)].count("\n") + 1
        kind = re.findall(r"(load|store|fence|exchange|fetch)\w*\(", self.text)[0]
        return self.file.partition("/")[2], str(line), "exchange" if kind == "fetch" else kind


STOP = ("park_ring RELEASE_STOP STOP",)
FENCE = ("park_ring NO_FENCE_WRITER", "park_ring NO_FENCE_READER", "park_ring NO_FENCE_END", "jobs NO_FENCE RINGS",
         "jobs NO_FENCE")
PREPARE = ("park_ring WEAK_PREPARE",)
PUT = ("jobs RELEASE_PUT RINGS",)
YIELD = ("jobs RELEASE_YIELD",)
ENTER_SLEEPERS = ("jobs WEAK_ENTER_SLEEPERS", "jobs WEAK_ENTER_SLEEPERS RINGS")
ENOUGH = "acquire and release would do"

ACCESSES = (
    Access("fence", FENCED, "fence(std::memory_order_seq_cst);", FENCE, "rings"),
    Access("stop", FENCED, "to.store(value, std::memory_order_seq_cst);", STOP, "stop"),
    Access("put", JOB_RING, "bottom_.store(bottom + 1, std::memory_order_seq_cst);", PUT, "stealing"),
    Access("yield", TASK_STATE, "value_.store(Value::queued, std::memory_order_seq_cst);", YIELD, "yielding"),
    Access("prepare", WAIT, "waits_.exchange(true, std::memory_order_seq_cst);", PREPARE, "turn"),
    Access("notify", WAIT, "waits_.load(std::memory_order_seq_cst)", FENCE + STOP, "turn"),
    Access("look_for_end", STREAM, "ended_.load(std::memory_order_seq_cst);", PREPARE, "rings"),
    Access("look_for_items", STREAM, "write_.load(std::memory_order_seq_cst);", PREPARE, "rings"),
    Access("look_for_space", STREAM, "reader.read.load(std::memory_order_seq_cst)", PREPARE, "rings"),
    Access("look_for_turn", STRETCH, "number_.load(std::memory_order_seq_cst)", PREPARE, "turn"),
    Access("look_at_state", TASK_STATE, "= value_.load(std::memory_order_seq_cst);", FENCE, "claiming"),
    Access("enter_sleepers", SLEEPERS, "fetch_or(bit(worker), std::memory_order_seq_cst);", ENTER_SLEEPERS, "stealing"),
    Access("look_for_sleepers", SLEEPERS, "words_[i].load(std::memory_order_seq_cst);", PUT + YIELD, "stealing"),
    Access("look_into_ring", JOB_RING, "bottom_.load(std::memory_order_seq_cst)", ENTER_SLEEPERS, "stealing"),
    Access("look_for_queued", TASK_STATE, "return value_.load(std::memory_order_seq_cst);", ENTER_SLEEPERS, "claiming"),
    Access("claim", TASK_STATE, "compare_exchange_strong(queued, Value::running, std::memory_order_seq_cst);",
           check="claiming"),
    Access("wake", TASK_STATE, "compare_exchange_weak(value, next, std::memory_order_seq_cst)", check="claiming"),

    Access("look_for_stop", RUN, "stop_.load(std::memory_order_seq_cst);", PREPARE),
    Access("look_for_space_of_a_circuit", STREAM, "? write_.load(std::memory_order_seq_cst) :",
           otherwise="the space of a circuit that nobody reads: its last writer stores it in front of the fence"),
    Access("look_for_readers", STREAM, "attached_.load(std::memory_order_seq_cst) == 0",
           otherwise="the last reader leaves in front of the fence, as the end of a stream is told"),
    Access("look_for_detached", STREAM, "reader.detached.load(std::memory_order_seq_cst)",
           otherwise="likewise, where one of several outputs has lost a reader; stored in front of `attached_`"),
    Access("look_for_jobs", JOB_POOL, "live_.load(std::memory_order_seq_cst) == 0",
           otherwise="counted down in front of the fence"),
    Access("events_made", "src/run_owners.cpp", "events_made.store(specs.size(), std::memory_order_seq_cst);",
           otherwise="pairs with `stop_`: `stop` sees the events, or the workers, made long after, see `stop_`"),
    Access("look_for_events", "src/run.cpp", "events_made.load(std::memory_order_seq_cst);", otherwise="likewise"),

    # Stronger than the proofs need, at no cost: only `finish` compiles to another instruction on x86, once per job.
    Access("wake_one", WAIT, "waits_.exchange(false, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and `prepare` are exchanges of one variable"),
    Access("new_epoch", "src/wait.cpp", "epoch_.fetch_add(1, std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": who reads it sees what was stored before it"),
    Access("rest", TASK_STATE, "compare_exchange_strong(running, Value::idle, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and a wake-up are exchanges of one variable"),
    Access("finish", TASK_STATE, "value_.store(Value::done, std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": nobody waits for it; `live_` is counted down behind it"),
    Access("leave_sleepers", SLEEPERS, "fetch_and(~bit(worker), std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and a choice are exchanges of one variable"),
    Access("choose", SLEEPERS, "compare_exchange_weak(word, word & (word - 1), std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": likewise"),
    Access("top_of_ring", JOB_RING, "top_.load(std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": one that is too old makes the exchange fail"),
    Access("take", JOB_RING, "top_.compare_exchange_weak(top, top + 1, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": who takes is who exchanges"),
)
#: Releases of items. If weakened, items are read before they are written, or overwritten while they are read.
RELEASES = (
    Access("produce", STREAM, "write_.store(write, std::memory_order_release);", check="rings"),
    Access("consume", STREAM, "reader.read.store(read, std::memory_order_release);", check="rings"),
    Access("pass", STRETCH, "number_.store(number_.load(std::memory_order_relaxed) + 1, std::memory_order_release);",
           check="turn"),
)
