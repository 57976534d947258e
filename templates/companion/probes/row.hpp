// The counts of one block, and what its probe does. The thread of the block writes them, and others read them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sched.h>

#include <gnuradio/block.h>

#include "weir/trace.hpp"

namespace weir::companion {

/// `gr::block::general_work` and `gr::basic_block::dispatch_msg`, as functions of their object.
using Work = int (*)(gr::block*, int, gr_vector_int&, gr_vector_const_void_star&, gr_vector_void_star&);
using Dispatch = void (*)(gr::basic_block*, pmt::pmt_t, pmt::pmt_t);
/// `gr::block::start` and `gr::block::stop`.
using Change = bool (*)(gr::block*);

/// Number with one writer. A plain load and store, because an atomic addition would lock the cache line.
class Count {
  public:
    void add(std::uint64_t more) noexcept { set(get() + more); }
    void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
    std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

struct Port {
    Count items;
    Count fill_sum, fill_max;  ///< items in the buffer of an input at the calls; only when profiling
    std::uint64_t before = 0;  ///< what GNU Radio had counted when the present call began
    std::uint64_t capacity = 0;  ///< of the buffer of an input, in items
};

/// Boundaries of a port. The next one is kept, because a division in each call would cost as much as the rest of it.
struct Boundaries {
    std::uint64_t each = 0;  ///< items between two; 0: none
    std::uint64_t k = 1;  ///< the next
    std::uint64_t next = 0;  ///< items before it

    void set(std::uint64_t items) noexcept {
        each = items;
        next = items > 0 ? items : UINT64_MAX;
    }
    /// Return whether the port has passed the next boundary with so many items.
    bool passed(std::uint64_t items) const noexcept { return each > 0 && items >= next; }
    void advance() noexcept {
        ++k;
        next += each;
    }
};

/// Source whose identities this block looks for.
struct Arrival {
    std::uint32_t source = 0;
    pmt::pmt_t key;
    std::uint32_t event = 0;  ///< number of their `rx`, if they are to be sent
    bool received = false;  ///< they are
    std::uint64_t last = 0;  ///< boundary that came last. Copies of a tag that come later are not counted
    Count seen;
    Count position;  ///< items of the first output when the first had come
};

/// Rights that Linux granted the thread of a block. The thread reads them itself, before its first call.
struct Granted {
    cpu_set_t cpus{};
    int policy = SCHED_OTHER;
    int priority = 0;
    int priority_error = 0;  ///< errno of the request for a priority
};

struct alignas(64) Row {
    Row(gr::block_sptr of, std::uint32_t index, std::size_t inputs, std::size_t outputs)
        : block(std::move(of)), number(index), in(inputs), out(outputs) {}

    // Fixed before the run.
    gr::block_sptr block;
    std::uint32_t number;  ///< `block` of its events
    std::string name;  ///< in the flowgraph
    Work work = nullptr;  ///< the function of its class; null: not hooked
    Dispatch dispatch = nullptr;
    Change start = nullptr;
    Change stop = nullptr;
    std::string not_hooked;  ///< why it is not
    bool profiled = false;
    pmt::pmt_t mark_key;  ///< of the tags that it adds to its first output; null: none
    Boundaries sends;  ///< `tx` of its first output
    Boundaries receives;  ///< `rx` of its first input
    std::uint64_t limit = 0;  ///< items after which it ends; 0: none
    double pace = 0;  ///< items/s at which a source may emit; 0: any
    std::int64_t pace_ns = 0;  ///< time that it waits for more items to be due
    std::uint32_t marks_messages_as = 0;  ///< `block` of the `tx` of PDUs that begin here; 0: none
    pmt::pmt_t message_key;  ///< of their identities
    int priority = 0;  ///< requested
    std::vector<std::unique_ptr<Arrival>> arrivals;
    bool receives_identities = false;  ///< sends `rx` for some of them
    std::atomic<bool> end{false};  ///< set by the runner: the next call ends the block

    // Written by the thread of the block.
    pthread_t thread{};
    std::atomic<pid_t> thread_id{0};  ///< known from the start of the block on
    trace::Log* log = nullptr;
    std::int64_t paced_from_ns = 0;  ///< first call of a paced source: its item 0 was due
    std::atomic<bool> adopted{false};  ///< `granted` is complete
    Granted granted;
    Count begun, ended;  ///< calls and messages: equal where the thread is not inside the block
    Count calls, empty, work_ns;
    Count cpu_ns;  ///< CPU time of the thread; known when the block stops
    Count first_ns, last_ns;  ///< of calls that moved items, CLOCK_MONOTONIC (COARSE unless profiled)
    Count messages;
    Count marked, marked_messages;  ///< identities that it gave
    bool calls_produce = false;  ///< publishes its items inside its calls, so their tags must be there before
    std::deque<std::uint64_t> marked_ahead;  ///< boundaries that have their tags and not yet their items
    std::uint64_t marks_left = 64;  ///< tags that it may add now. Some more with time
    std::uint64_t marks_left_at = 0;  ///< when these were counted, CLOCK_MONOTONIC_COARSE
    std::vector<Port> in, out;
    std::atomic<bool> starting{false};  ///< in `start`
    bool started = true;  ///< false: `start` threw
    std::atomic<bool> failed{false};  ///< `failure` is complete
    std::string failure;

    /// Items by which the block's progress is counted: of its first output, or else its first input.
    std::uint64_t progress() const noexcept {
        if (!out.empty()) return out[0].items.get();
        return in.empty() ? 0 : in[0].items.get();
    }
};

}  // namespace weir::companion
