"""Every access of the runtime that is seq_cst: what its total order is for, and what finds it weakened.

A lost wake-up is two threads that miss each other: one stores and then loads, and so does the other, and neither sees
the other's store. So each weakened store is a mutation of a model and a case of `litmus.cpp`; the load behind it,
weakened, is the same mutation. On x86 only a store shows in a running program: loads are the same instruction for every
order, and read-modify-writes are fences.
"""

from __future__ import annotations

from dataclasses import dataclass

from spoilt_runtime import Change

WAIT, TASK_STATE = "include/weir/wait.hpp", "include/weir/task_state.hpp"
STREAM, JOB_RING, JOB_POOL = "include/weir/stream.hpp", "include/weir/job_ring.hpp", "include/weir/job_pool.hpp"
RUN, STRETCH = "include/weir/run.hpp", "include/weir/stretch.hpp"


@dataclass(frozen=True)
class Access:
    """`models` are options of a model with the mutation that weakens this access, `litmus` cases of `litmus.cpp`.

    `otherwise` says what holds for an access that has no model.
    """

    name: str
    file: str
    line: str
    models: tuple[str, ...] = ()
    litmus: tuple[str, ...] = ()
    otherwise: str = ""

    @property
    def weakened(self) -> Change:
        return Change(self.file, self.line, self.line.replace("memory_order_seq_cst", "memory_order_release"))


STOP = ("park_ring RELEASE_STOP STOP",)
FENCE = ("park_ring NO_FENCE_WRITER", "park_ring NO_FENCE_READER", "park_ring NO_FENCE_END", "jobs NO_FENCE RINGS",
         "jobs NO_FENCE")
PREPARE = ("park_ring WEAK_PREPARE",)
PUT = ("jobs RELEASE_PUT RINGS",)
YIELD = ("jobs RELEASE_YIELD",)
LIE_DOWN = ("jobs WEAK_LIE_DOWN", "jobs WEAK_LIE_DOWN RINGS")
ENOUGH = "acquire and release would do"

ACCESSES = (
    # A fence and stores, of which each can be seen to be too weak on x86 as well.
    Access("fence", WAIT, "std::atomic_thread_fence(std::memory_order_seq_cst);", FENCE,
           ("park_write", "park_read", "park_end", "claim_write", "claim_read", "claim_end")),
    Access("stop", "src/run.cpp", "stop_.store(true, std::memory_order_seq_cst);", STOP, ("park_stop",)),
    Access("put", JOB_RING, "bottom_.store(bottom + 1, std::memory_order_seq_cst);", PUT, ("bed_ring",)),
    Access("yield", TASK_STATE, "value_.store(Value::queued, std::memory_order_seq_cst);", YIELD, ("bed_state",)),

    # Read-modify-writes and loads of the same pairs.
    Access("prepare", WAIT, "waits_.exchange(true, std::memory_order_seq_cst);", PREPARE),
    Access("notify", WAIT, "waits_.load(std::memory_order_seq_cst)", FENCE + STOP),
    Access("look_for_end", STREAM, "ended_.load(std::memory_order_seq_cst);", PREPARE),
    Access("look_for_items", STREAM, "write_.load(std::memory_order_seq_cst);", PREPARE),
    Access("look_for_space", STREAM, "reader.read.load(std::memory_order_seq_cst)", PREPARE),
    Access("look_for_space_of_a_circuit", STREAM, "? write_.load(std::memory_order_seq_cst) :",
           otherwise="the space of a circuit that nobody reads any more: stored by its last writer in front of the "
                     "fence"),
    Access("look_for_stop", RUN, "stop_.load(std::memory_order_seq_cst);", PREPARE),
    Access("look_for_turn", STRETCH, "number_.load(std::memory_order_seq_cst)", PREPARE),
    Access("look_at_state", TASK_STATE, "Value value = value_.load(std::memory_order_seq_cst);", FENCE),
    Access("lie_down", JOB_POOL, "fetch_or(bit(worker), std::memory_order_seq_cst);", LIE_DOWN),
    Access("look_for_sleepers", "src/job_pool.cpp", "words_[i].load(std::memory_order_seq_cst);", PUT + YIELD),
    Access("look_into_ring", JOB_RING, "bottom_.load(std::memory_order_seq_cst)", LIE_DOWN),
    Access("look_for_queued", TASK_STATE, "return value_.load(std::memory_order_seq_cst);", LIE_DOWN),

    Access("claim", TASK_STATE, "compare_exchange_strong(queued, Value::running, std::memory_order_seq_cst);",
           otherwise="the exchange, with the look behind it, is the other side of the fence's pair; locked on x86"),
    Access("wake", TASK_STATE, "compare_exchange_weak(value, next, std::memory_order_seq_cst)",
           otherwise="under thread_pool this is the put, in front of the look for sleepers; locked on x86"),
    Access("look_for_readers", STREAM, "attached_.load(std::memory_order_seq_cst) == 0",
           otherwise="the last reader leaves in front of the fence, as the end of a stream is told"),
    Access("look_for_detached", STREAM, "reader.detached.load(std::memory_order_seq_cst)",
           otherwise="likewise, where one of several outputs has lost a reader; stored in front of `attached_`"),
    Access("last_job_is_done", "src/job_pool.cpp", "live_.fetch_sub(1, std::memory_order_seq_cst) == 1",
           otherwise="in front of the look at waiters; locked on x86"),
    Access("look_for_jobs", JOB_POOL, "live_.load(std::memory_order_seq_cst) == 0", otherwise="the look for it"),
    Access("events_made", "src/run_owners.cpp", "events_made.store(specs.size(), std::memory_order_seq_cst);",
           otherwise="pairs with `stop_`: `stop` sees the events, or the workers, made long after, see `stop_`"),
    Access("look_for_events", "src/run.cpp", "events_made.load(std::memory_order_seq_cst);", otherwise="likewise"),

    # Stronger than the arguments need, at no cost: only `finish` is another instruction on x86, once a job.
    Access("wake_one", WAIT, "waits_.exchange(false, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and `prepare` are exchanges of one variable"),
    Access("new_epoch", "src/wait.cpp", "epoch_.fetch_add(1, std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": who reads it sees what was stored before it"),
    Access("rest", TASK_STATE, "compare_exchange_strong(running, Value::idle, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and a wake-up are exchanges of one variable"),
    Access("finish", TASK_STATE, "value_.store(Value::done, std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": nobody waits for it; `live_` is counted down behind it"),
    Access("get_up", JOB_POOL, "fetch_and(~bit(worker), std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": it and a choice are exchanges of one variable"),
    Access("choose", "src/job_pool.cpp", "compare_exchange_weak(word, word & (word - 1), std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": likewise"),
    Access("top_of_ring", JOB_RING, "top_.load(std::memory_order_seq_cst);",
           otherwise=ENOUGH + ": one that is too old makes the exchange fail"),
    Access("take", JOB_RING, "top_.compare_exchange_weak(top, top + 1, std::memory_order_seq_cst)",
           otherwise=ENOUGH + ": who takes is who exchanges"),
)
MUTANTS = tuple(access for access in ACCESSES if access.litmus)
CASES = tuple(case for access in MUTANTS for case in access.litmus)
