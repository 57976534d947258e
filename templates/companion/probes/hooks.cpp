// The functions that stand in for those of every class. A call is counted after the block consumed and before GNU Radio
// publishes what it produced, so a tx is never late and an rx never early. A block that calls produce() publishes during
// the call, so its tx has the time at which the call began.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <thread>
#include <utility>

#include <unistd.h>

#include <gnuradio/block_detail.h>

#include "identity.hpp"
#include "session.hpp"
#include "weir/clock.hpp"

namespace weir::companion {

namespace {

/// Return a time that costs no read of the hardware clock and is up to 4 ms old.
std::uint64_t time_ns(clockid_t clock) noexcept {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t coarse_ns() noexcept { return time_ns(CLOCK_MONOTONIC_COARSE); }

/// Prepare the calling thread, which runs the block from now on. GNU Radio has set its affinity before.
void adopt(Row& row) {
    row.thread = ::pthread_self();
    Granted& granted = row.granted;
    if (row.priority > 0) {
        // GNU Radio keeps the policy, and under SCHED_OTHER there is no priority but 0.
        const sched_param wanted{row.priority};
        granted.priority_error = ::sched_setscheduler(0, SCHED_FIFO, &wanted) == 0 ? 0 : errno;
    }
    ::sched_getaffinity(0, sizeof granted.cpus, &granted.cpus);
    sched_param param{};
    granted.policy = ::sched_getscheduler(0);
    ::sched_getparam(0, &param);
    granted.priority = param.sched_priority;
    const gr::block_detail_sptr detail = row.block->detail();
    for (std::size_t port = 0; port < row.in.size() && port < static_cast<std::size_t>(detail->ninputs()); ++port)
        row.in[port].capacity = detail->input(static_cast<unsigned>(port))->buffer()->bufsize();
    const bool stamps =
        row.sends.each > 0 || row.receives.each > 0 || row.marks_messages_as > 0 || row.receives_identities;
    if (stamps && row.log == nullptr) row.log = &session().tracer->thread_log(session().capacity);
    row.adopted.store(true, std::memory_order_release);
}

/// Keep what an exception of the block says. The block then ends as if its stream did: with the exception, GNU Radio
/// would end its thread and let its neighbours wait for ever.
void failed(Row& row, const char* what) {
    if (row.failed.load(std::memory_order_relaxed)) return;
    row.failure = what;
    row.failed.store(true, std::memory_order_release);
    row.end.store(true, std::memory_order_relaxed);
}

/// Return whether the block is to be called no more.
bool ends(const Row& row) noexcept {
    return row.end.load(std::memory_order_relaxed) || (row.limit > 0 && row.progress() >= row.limit);
}

/// Return the fewest items from `items` on that the block can make in a call: GNU Radio keeps its least and its multiple.
int callable(const gr::block& block, int items) noexcept {
    const int multiple = std::max(block.output_multiple(), 1);
    return (std::max(items, block.min_noutput_items()) + multiple - 1) / multiple * multiple;
}

/// Return how many items to offer to a source, so that it ends at its limit exactly where its multiple allows it.
int within_limit(const Row& row, const gr::block& block, int offered) noexcept {
    if (row.limit == 0 || !row.in.empty() || row.out.empty()) return offered;
    const std::uint64_t left = row.limit - row.out[0].items.get();
    if (left >= static_cast<std::uint64_t>(offered)) return offered;
    return std::min(offered, callable(block, static_cast<int>(left)));
}

/// Return when item `index` of a paced source is due.
std::int64_t due_ns(const Row& row, std::uint64_t index) noexcept {
    return row.paced_from_ns + static_cast<std::int64_t>(static_cast<double>(index) / row.pace * 1e9);
}

/// Wait until offered items of a paced source are due, and return how many are. 0: the source is to end.
///
/// The wait is here because GNU Radio calls a source that made nothing only after a quarter of a second.
int due_of(Row& row, const gr::block& block, int offered) {
    constexpr std::int64_t longest_wait_ns = 10'000'000;  // a run that ends does not wait for it
    if (row.paced_from_ns == 0) row.paced_from_ns = monotonic_ns();
    const std::uint64_t emitted = row.out[0].items.get();
    const int multiple = std::max(block.output_multiple(), 1);
    const double quantum =
        std::max(row.pace * static_cast<double>(row.pace_ns) * 1e-9, static_cast<double>(callable(block, 1)));
    const double wanted = std::ceil(std::min<double>(quantum, offered));
    const std::int64_t begin_ns = due_ns(row, emitted + static_cast<std::uint64_t>(wanted));
    while (!row.end.load(std::memory_order_relaxed)) {
        const std::int64_t now = monotonic_ns();
        if (now >= begin_ns) {
            const double until_now = static_cast<double>(now - row.paced_from_ns) * 1e-9 * row.pace;
            const double due = std::max(until_now - static_cast<double>(emitted), wanted);
            return due >= offered ? offered : static_cast<int>(due) / multiple * multiple;
        }
        std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(begin_ns - now, longest_wait_ns)));
    }
    return 0;
}

/// Return the time at which the call begins if an event or the profile needs it, else 0.
std::int64_t entry_time(const Row& row, const gr_vector_int& available) noexcept {
    if (row.profiled || row.receives_identities || row.calls_produce || row.calls.get() == 0) return monotonic_ns();
    if (row.in.empty() || available.empty()) return 0;
    const std::uint64_t reachable = row.in[0].items.get() + static_cast<std::uint64_t>(available[0]);
    return row.receives.passed(reachable) ? monotonic_ns() : 0;
}

void sample_fill(Row& row, const gr_vector_int& available) noexcept {
    for (std::size_t port = 0; port < row.in.size() && port < available.size(); ++port) {
        const auto items = static_cast<std::uint64_t>(available[port]);
        row.in[port].fill_sum.add(items);
        row.in[port].fill_max.set(std::max(row.in[port].fill_max.get(), items));
    }
}

/// Count what a call that returned `result` moved. Returns whether it moved anything.
bool count_items(Row& row, gr::block& block, int result, std::size_t inputs, std::size_t outputs) {
    bool moved = false;
    for (std::size_t port = 0; port < inputs; ++port) {
        Port& in = row.in[port];
        const std::uint64_t items = block.nitems_read(static_cast<unsigned>(port)) - in.before;
        in.items.add(items);
        moved |= items > 0;
    }
    for (std::size_t port = 0; port < outputs; ++port) {
        Port& out = row.out[port];
        // A result below 0 says that the block called produce(), or that it ended, perhaps after such calls.
        const std::uint64_t items = result >= 0 ? static_cast<std::uint64_t>(result)
                                                : block.nitems_written(static_cast<unsigned>(port)) - out.before;
        out.items.add(items);
        moved |= items > 0;
    }
    return moved;
}

/// Call the function of the class, and count and stamp what it moved.
int call(Row& row, gr::block& block, int offered, gr_vector_int& available, gr_vector_const_void_star& in,
         gr_vector_void_star& out) {
    // A flowgraph that is changed while it runs may give a block other ports than its row has.
    const std::size_t inputs = std::min(row.in.size(), in.size());
    const std::size_t outputs = std::min(row.out.size(), out.size());
    for (std::size_t port = 0; port < inputs; ++port)
        row.in[port].before = block.nitems_read(static_cast<unsigned>(port));
    for (std::size_t port = 0; port < outputs; ++port)
        row.out[port].before = block.nitems_written(static_cast<unsigned>(port));
    const std::uint64_t sent = row.out.empty() ? 0 : row.out[0].items.get();
    // The offsets of tags restart when the flowgraph changes, unlike the counts of the row.
    const std::uint64_t shift = row.out.empty() ? 0 : row.out[0].before - sent;
    offered = within_limit(row, block, offered);
    if (row.calls_produce) mark_ahead(row, block, sent + static_cast<std::uint64_t>(offered), shift, coarse_ns());
    if (row.profiled) sample_fill(row, available);
    const std::int64_t entry_ns = entry_time(row, available);

    row.begun.add(1);
    int result = gr::block::WORK_DONE;
    try {
        result = row.work(&block, offered, available, in, out);
    } catch (const std::exception& error) {
        failed(row, error.what());  // boost::thread_interrupted, with which GNU Radio stops threads, is none
    }
    row.ended.add(1);
    row.calls.add(1);

    const std::int64_t exit_ns = row.profiled ? monotonic_ns() : 0;
    row.work_ns.add(static_cast<std::uint64_t>(exit_ns - (row.profiled ? entry_ns : 0)));
    if (!count_items(row, block, result, inputs, outputs)) {
        if (result == 0 || result == gr::block::WORK_CALLED_PRODUCE) row.empty.add(1);
        return result;
    }
    const std::uint64_t now = row.profiled ? static_cast<std::uint64_t>(exit_ns) : coarse_ns();
    if (row.first_ns.get() == 0) row.first_ns.set(now);
    row.last_ns.set(now);
    if (!row.arrivals.empty()) look(row, block, inputs, entry_ns);
    for (; inputs > 0 && row.receives.passed(row.in[0].items.get()); row.receives.advance())
        row.log->write(trace::Event::rx, row.number, row.receives.k, entry_ns);
    row.calls_produce |= result < 0;
    for (; outputs > 0 && row.sends.passed(row.out[0].items.get()); row.sends.advance()) {
        if (row.mark_key) mark(row, block, result >= 0, shift, coarse_ns());
        const std::int64_t published_ns = result < 0 ? entry_ns : 0;  // in the call, after its begin. 0: now
        row.log->write(trace::Event::tx, row.number, row.sends.k,
                       row.pace > 0 ? due_ns(row, row.sends.next) : published_ns);
    }
    return result;
}

}  // namespace

int hooked_work(gr::block* self, int offered, gr_vector_int& available, gr_vector_const_void_star& in,
                gr_vector_void_star& out) {
    Row* const row = session().row_of(self);
    // A block of another flowgraph, or one that came while this one ran.
    if (row == nullptr) return session().original_of(self).work(self, offered, available, in, out);
    if (row->thread != ::pthread_self() || !row->adopted.load(std::memory_order_relaxed)) adopt(*row);
    if (ends(*row)) return gr::block::WORK_DONE;
    if (row->pace > 0) offered = due_of(*row, *self, offered);
    return offered > 0 ? call(*row, *self, offered, available, in, out) : static_cast<int>(gr::block::WORK_DONE);
}

void hooked_dispatch(gr::basic_block* self, pmt::pmt_t port, pmt::pmt_t message) {
    Row* const row = session().row_of(self);
    if (row == nullptr) {
        session().original_of(self).dispatch(self, std::move(port), std::move(message));
        return;
    }
    if (row->thread != ::pthread_self() || !row->adopted.load(std::memory_order_relaxed)) adopt(*row);
    if (port == session().system_port) {  // GNU Radio's own messages. Symbols are unique
        row->dispatch(self, std::move(port), std::move(message));
        return;
    }
    const std::int64_t entry_ns = row->profiled || row->receives_identities ? monotonic_ns() : 0;
    const pmt::pmt_t kept = row->arrivals.empty() ? pmt::pmt_t() : message;
    if (row->marks_messages_as > 0) message = marked(*row, message);
    row->begun.add(1);
    try {
        row->dispatch(self, std::move(port), std::move(message));
    } catch (const std::exception& error) {
        failed(*row, error.what());
    }
    row->ended.add(1);
    row->messages.add(1);
    if (row->profiled) row->work_ns.add(static_cast<std::uint64_t>(monotonic_ns() - entry_ns));
    const std::uint64_t now = coarse_ns();
    if (row->first_ns.get() == 0) row->first_ns.set(now);
    row->last_ns.set(now);
    if (kept) look(*row, kept, entry_ns);
}

// GNU Radio calls `start` and `stop` in the thread of the block. With an exception of `start` that thread ends while all
// others wait for it, and one of `stop` leaves a destructor, which ends the process.

bool hooked_start(gr::block* self) {
    Row* const row = session().row_of(self);
    if (row == nullptr) return session().original_of(self).start(self);
    bool answer = false;
    row->thread_id.store(::gettid(), std::memory_order_relaxed);  // its affinity follows after this call
    row->starting.store(true, std::memory_order_relaxed);
    try {
        answer = row->start(self);
    } catch (const std::exception& error) {
        failed(*row, error.what());
        row->started = false;
    }
    row->starting.store(false, std::memory_order_relaxed);
    return answer;
}

bool hooked_stop(gr::block* self) {
    Row* const row = session().row_of(self);
    if (row == nullptr) return session().original_of(self).stop(self);
    row->cpu_ns.set(time_ns(CLOCK_THREAD_CPUTIME_ID));
    // GNU Radio would not have come here, and blocks expect what their `start` made.
    if (!row->started) return false;
    try {
        return row->stop(self);
    } catch (const std::exception& error) {
        failed(*row, error.what());
        return false;
    }
}

}  // namespace weir::companion
