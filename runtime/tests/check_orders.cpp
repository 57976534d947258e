// The runtime's own headers under relacy, a model checker that knows the memory orders of C++:
//
//     check_orders [CASE|all [EXECUTIONS [FILE LINE ACCESS]]]
//
// Exits with 0 if that many executions of each case show no error. Exits with 1 at the first execution that shows a
// lost wake-up (no thread can run any more), a data race on the data that the atomics hand over, or a wrong count. FILE
// LINE ACCESS names an access whose memory order is weakened by one step (`store`, `load`, `exchange`, `fence`). Exits
// with 3 if the program never made this access. `test_orders.py` runs this program. It replaces two parts of the
// runtime: the futex, and memory (no mmap).
#include "weir/atomic.hpp"  // first: it changes the atomics of the other headers

#include <array>
#include <cstdio>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <type_traits>

// One translation unit: the sources then use the same atomics as the headers.
#include "../src/fill_series.cpp"
#include "../src/ports.cpp"
#include "../src/ring_limit.cpp"
#include "../src/stream.cpp"
#include "../src/task.cpp"
#include "../src/wait.cpp"
#include "idle_task.hpp"
#include "weir/fired.hpp"
#include "weir/job_pool.hpp"
#include "weir/job_ring.hpp"
#include "weir/ports.hpp"
#include "weir/sleepers.hpp"
#include "weir/stream.hpp"
#include "weir/stretch.hpp"
#include "weir/task_state.hpp"
#include "weir/wait.hpp"

namespace weir {

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t) noexcept { word.sleep_if(value); }
void futex_wake_one(atomic<std::uint32_t>& word) noexcept { word.wake_one(); }

Buffer Buffer::plain(std::size_t bytes, std::size_t) {
    return {static_cast<std::byte*>(std::calloc(bytes, 1)), bytes, 0, false};
}
Buffer Buffer::mirrored(std::size_t) noexcept { return {}; }
Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }
Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(map_, other.map_);
    std::swap(mapped_, other.mapped_);
    return *this;
}
Buffer::~Buffer() { std::free(map_); }
std::size_t page_size() noexcept { return 4096; }

}  // namespace weir

namespace {

using namespace weir;
using testing::IdleTask;
using Item = std::uint32_t;

void require(bool holds) { RL_ASSERT_IMPL(holds, rl::test_result_user_assert_failed, "assertion", RL_INFO); }

/// Data that only one thread may use at a time; relacy reports when two do.
template <class T> class Guarded {
  public:
    void write(T value) { value_(RL_INFO) = value; }
    T read() { return value_(RL_INFO); }

  private:
    rl::var<T> value_;
};

/// Parks like `ScheduledWorker::wait_until` and `Waiting::park`, without the passes before.
template <class Ready> void park_until(EventCount& events, Ready ready) {
    while (!ready()) {
        const EventCount::Key key = events.prepare();
        if (ready()) return events.cancel();
        events.wait(key);
    }
}

struct Parked final : Waker {
    EventCount events;
    bool at_hand = true;
    void wake(Instance&, const Fenced& fenced) noexcept override { events.notify(fenced); }
    bool is_at_hand() const noexcept override { return at_hand; }
};

// Objects outside all executions: their data is not shared.
IdleTask writer_task{"writer"}, reader_task{"reader"};

/// Workers that take turns with one block, under `replicated`.
template <int Workers, int Stretches> struct Turns : rl::test_suite<Turns<Workers, Stretches>, Workers> {
    Turn turn;
    std::array<EventCount, Workers> events;
    Guarded<int> block;

    void before() { block.write(0); }
    void thread(unsigned me) {
        for (unsigned number = me; number < Stretches; number += Workers) {
            park_until(events[me], [&] { return turn.is_of(Stretch(number)); });
            require(block.read() == static_cast<int>(number));
            block.write(static_cast<int>(number) + 1);
            turn.pass([&](const Fenced& fenced) {
                for (EventCount& other : events) other.notify(fenced);
            });
        }
    }
    void after() { require(block.read() == Stretches); }
};

/// Ring between two workers, with room for `Capacity` items. Of wide items, two are aligned, and the ring keeps offsets.
using Wide = std::array<std::byte, kAlignment / 2>;
template <std::size_t Capacity, class T = Item> struct RingOf {
    static constexpr bool kAligned = std::is_same_v<T, Wide>;
    Parked writer, reader;
    Stream<T> stream{{.name = "writer.out", .items = kAligned ? Capacity - 2 : Capacity, .kind = StreamKind::ring}};
    std::array<Guarded<Item>, Capacity> places;

    RingOf() {
        writer_task.set_waker(&writer);
        reader_task.set_waker(&reader);
        if (kAligned) stream.keep_offsets();
        if (stream.capacity() != Capacity) throw std::logic_error("the ring has another capacity");
    }
    void write(std::uint64_t index) { places[index % Capacity].write(static_cast<Item>(index)); }
    void read(std::uint64_t index) { require(places[index % Capacity].read() == index); }
};

/// Both ends as tasks use them. `AtHand`: the other end is notified during a turn, otherwise at its end.
template <std::size_t Items, bool AtHand, std::size_t ReaderLeavesAfter = Items, class Ring = RingOf<2>>
struct Ports : rl::test_suite<Ports<Items, AtHand, ReaderLeavesAfter, Ring>, 2>, Ring {
    std::array<OutPort, 1> outs{OutPort(&this->stream, writer_task, 1, 1, sizeof(Item))};
    std::array<InPort, 1> ins{InPort(this->stream, reader_task, 1, 1)};
    std::array<InPort, 0> no_ins;
    std::array<OutPort, 0> no_outs;
    std::uint64_t got = 0;

    Ports() { this->writer.at_hand = this->reader.at_hand = AtHand; }
    void thread(unsigned me) { me == 0 ? write_all() : read_all(); }
    void write_all() {
        OutPort& port = outs[0];
        for (std::uint64_t made = 0; made < Items;) {
            bool closed = false;
            park_until(this->writer.events, [&] {
                port.open(Leave::nothing);
                return (closed = this->stream.closed()) || port.has_firing();
            });
            if (closed) return require(ReaderLeavesAfter < Items);
            for (; port.has_firing() && made < Items; ++made) {
                this->write(made);
                port.commit(1, false);
            }
            port.settle(false);
            wake_other_ends(no_ins, outs);
        }
        port.finish();
        wake_other_ends(no_ins, outs);
    }
    void read_all() {
        InPort& port = ins[0];
        for (;;) {
            park_until(this->reader.events, [&] {
                port.open(Leave::nothing);
                return port.has_firing() || port.is_starved();
            });
            if (port.is_starved()) break;
            for (; port.has_firing() && got < ReaderLeavesAfter; ++got) {
                this->read(got);
                port.commit(1);
            }
            port.settle();
            wake_other_ends(ins, no_outs);
            if (got == ReaderLeavesAfter && ReaderLeavesAfter < Items) break;
        }
        port.finish();
        wake_other_ends(ins, no_outs);
    }
    void after() { require(got == ReaderLeavesAfter); }
};

/// Both ends as worker schedules use them.
template <std::size_t Items> struct Rings : rl::test_suite<Rings<Items>, 2>, RingOf<2> {
    RingOut<Item> out{this->stream};
    RingIn<Item> in{this->stream};

    Rings() {
        this->stream.attach_writer(writer_task, 1);
        in.reader = &this->stream.attach_reader(reader_task, 1);
    }
    void thread(unsigned me) {
        if (me == 0) {
            for (std::uint64_t i = 0; i < Items; ++i) {
                park_until(this->writer.events, [&] { return out.ready(1); });
                this->write(i);
                out.commit(1, false);
            }
            out.finish();
        } else {
            for (std::uint64_t i = 0; i < Items; ++i) {
                park_until(this->reader.events, [&] { return in.ready(1); });
                this->read(i);
                in.commit(1);
            }
            park_until(this->reader.events, [&] { return in.ready(1) || in.cut_off(1); });
            require(in.cut_off(1));
            in.finish();
        }
    }
};

/// `Run::stop` and a waiting worker.
struct Stop : rl::test_suite<Stop, 2> {
    EventCount events;
    atomic<bool> stop{false};

    void thread(unsigned me) {
        if (me == 0) events.notify(store_before_waking(stop, true));
        else park_until(events, [&] { return stop.load(std::memory_order_seq_cst); });
    }
};

/// A worker that puts jobs into its ring, and one that takes them or falls asleep: `JobPool` under work_stealing.
template <int Jobs, int Thieves> struct Stealing : rl::test_suite<Stealing<Jobs, Thieves>, 1 + Thieves> {
    std::array<char, Jobs> jobs{};  // only their addresses are used
    std::array<Guarded<int>, Jobs> done;
    JobRing ring{Jobs};
    Sleepers sleepers{1 + Thieves};
    std::array<EventCount, 1 + Thieves> events;
    atomic<int> live{Jobs};

    void before() {
        for (auto& each : done) each.write(0);
    }
    void thread(unsigned me) {
        if (me == 0) {
            for (char& job : jobs) {
                ring.put(reinterpret_cast<Job&>(job));
                sleepers.wake_one([&](std::size_t worker, const Fenced& fenced) { events[worker].notify(fenced); });
            }
            return;
        }
        for (Job* job = nullptr;;) {
            if (live.load(std::memory_order_seq_cst) == 0) return;
            if ((job = ring.take()) == nullptr) {
                const EventCount::Key key = events[me].prepare();
                sleepers.add(me);
                job = ring.take();
                if (job == nullptr && live.load(std::memory_order_seq_cst) != 0) {
                    events[me].wait(key);
                    static_cast<void>(sleepers.remove(me));
                    continue;
                }
                events[me].cancel();
                // It was woken for another job than the one that it found.
                if (!sleepers.remove(me)) wake_sleeper();
            }
            if (job == nullptr) return;
            Guarded<int>& mine = done[reinterpret_cast<char*>(job) - jobs.data()];
            mine.write(mine.read() + 1);
            if (live.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_all(fence_before_waking());
        }
    }
    void wake_sleeper() {
        sleepers.wake_one([&](std::size_t worker, const Fenced& fenced) { events[worker].notify(fenced); });
    }
    void wake_all(const Fenced& fenced) {
        for (EventCount& each : events) each.notify(fenced);
    }
    void after() {
        for (auto& each : done) require(each.read() == 1);
    }
};

/// A worker claims a job, releases it and claims it again, while another worker writes for it: `JobPool` under
/// thread_pool.
template <std::size_t Items> struct Claiming : rl::test_suite<Claiming<Items>, 2>, RingOf<2> {
    struct Queue final : Waker {
        TaskState state{TaskState::Value::queued};
        Sleepers sleepers{1};
        EventCount events;
        void wake(Instance&, const Fenced& fenced) noexcept override {
            if (state.wake(fenced)) wake_sleeper();
        }
        void wake_sleeper() noexcept {
            sleepers.wake_one([this](std::size_t, const Fenced& fenced) { events.notify(fenced); });
        }
    } queue;
    RingOut<Item> out{this->stream};
    RingIn<Item> in{this->stream};

    Claiming() {
        this->stream.attach_writer(writer_task, 1);
        in.reader = &this->stream.attach_reader(reader_task, 1);
        reader_task.set_waker(&queue);
    }
    void thread(unsigned me) {
        if (me == 0) {
            for (std::uint64_t i = 0; i < Items; ++i) {
                park_until(this->writer.events, [&] { return out.ready(1); });
                this->write(i);
                out.commit(1, false);
            }
            return;
        }
        for (std::uint64_t got = 0; got < Items;) {
            while (!queue.state.claim()) {
                const EventCount::Key key = queue.events.prepare();
                queue.sleepers.add(0);
                if (queue.state.value() == TaskState::Value::queued) queue.events.cancel();
                else queue.events.wait(key);
                static_cast<void>(queue.sleepers.remove(0));
            }
            if (in.ready(1)) {
                this->read(got++);
                in.commit(1);
                if (got == Items) queue.state.finish();
                else queue.state.yield();
            } else {
                static_cast<void>(queue.state.rest());
            }
        }
    }
};

/// A worker whose job has finished its turn, and a worker that falls asleep.
struct Yielding : rl::test_suite<Yielding, 2> {
    TaskState state{TaskState::Value::running};
    Sleepers sleepers{1};
    EventCount events;
    Guarded<int> job;

    void thread(unsigned me) {
        if (me == 0) {
            job.write(1);
            state.yield();
            sleepers.wake_one([&](std::size_t, const Fenced& fenced) { events.notify(fenced); });
            return;
        }
        while (!state.claim()) {
            const EventCount::Key key = events.prepare();
            sleepers.add(0);
            if (state.value() == TaskState::Value::queued) events.cancel();
            else events.wait(key);
            static_cast<void>(sleepers.remove(0));
        }
        require(job.read() == 1);
    }
};

/// Output of relacy, truncated at a fixed size. relacy allocates for the test while it prints, so printing must not
/// allocate.
class Text : public std::streambuf {
  public:
    Text() { setp(room_.data(), room_.data() + room_.size()); }
    std::string_view text() const { return {pbase(), static_cast<std::size_t>(pptr() - pbase())}; }

  private:
    std::array<char, 1 << 16> room_;
};

struct Result {
    bool holds;
    std::uint64_t executions;
};

/// Like rl::simulate, but with one search: compiling all of relacy's searches takes three times as long.
template <class Case, class Search> Result search(rl::scheduler_type_e type, std::uint64_t executions) {
    static Text text;
    std::ostream stream(&text);
    rl::test_params params;
    params.search_type = type;
    params.iteration_count = executions;
    params.output_stream = params.progress_stream = &stream;
    static Text drawn_so_far;
    std::ostream state(&drawn_so_far);
    const bool holds = rl::run_test<Case, Search>(params, state, false) == rl::test_result_success;
    const Result result{holds, params.stop_iteration};
    if (!holds && type == rl::random_scheduler_type) {  // repeat, this time with a report
        params.initial_state = drawn_so_far.text();
        params.collect_history = true;
        rl::run_test<Case, Search>(params, state, true);
        std::printf("%.*s\n", static_cast<int>(text.text().size()), text.text().data());
    }
    return result;
}

/// Random executions, the same on every call.
template <class Case> Result draw(std::uint64_t executions) {
    return search<Case, rl::random_scheduler<Case::params::thread_count>>(rl::random_scheduler_type, executions);
}
/// Every possible execution.
template <class Case> Result all(std::uint64_t) {
    return search<Case, rl::full_search_scheduler<Case::params::thread_count>>(rl::fair_full_search_scheduler_type,
                                                                               std::uint64_t{1} << 40U);
}

struct Entry {
    std::string_view name;
    Result (*check)(std::uint64_t executions);
    std::string_view kind = "drawn";
};

constexpr Entry kCases[] = {
    {"turn", draw<Turns<2, 5>>},
    {"turn_of_three", draw<Turns<3, 5>>},
    {"turn_once", all<Turns<2, 2>>, "all"},
    {"ports_at_hand", draw<Ports<5, true>>},
    {"ports_at_turn_end", draw<Ports<5, false>>},
    {"reader_leaves", draw<Ports<5, true, 2>>},
    {"ports_aligned", draw<Ports<7, true, 7, RingOf<4, Wide>>>},
    {"rings", draw<Rings<5>>},
    {"stop", all<Stop>, "all"},
    {"stealing", draw<Stealing<3, 1>>},
    {"stealing_by_two", draw<Stealing<3, 2>>},
    {"claiming", draw<Claiming<4>>},
    {"yielding", all<Yielding>, "all"},
};

constexpr int kFault = 1, kUsage = 2, kNotMet = 3;

}  // namespace

int main(int argc, char** argv) {
    const std::string_view wanted = argc > 1 ? argv[1] : "all";
    const std::uint64_t executions = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
    if (argc > 5) checked::weakened = {argv[3], argv[5], static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10))};
    bool known = false, holds = true;
    for (const Entry& entry : kCases) {
        if (wanted != "all" && wanted != entry.name) continue;
        known = true;
        const Result result = entry.check(executions);
        std::printf("%-18s %9llu executions (%s)  %s\n", entry.name.data(),
                    static_cast<unsigned long long>(result.executions), entry.kind.data(),
                    result.holds ? "nothing found" : "FAULT");
        std::fflush(stdout);
        holds = holds && result.holds;
    }
    if (!known) return std::fprintf(stderr, "check_orders [CASE|all [EXECUTIONS [FILE LINE ACCESS]]]\n"), kUsage;
    if (!holds) return kFault;
    return argc > 5 && !checked::weakened.met ? kNotMet : 0;
}
