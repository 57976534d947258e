// Order in which a call reads the clock, works, stamps, publishes and consumes. Stepped nodes and blocks that a worker
// schedule fires must both follow one table. This program replaces clock_gettime to record its calls.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hand_driven.hpp"
#include "idle_task.hpp"
#include "weir/fired.hpp"
#include "weir/lists.hpp"
#include "weir/worker_schedule.hpp"

namespace {
bool listening = false;
std::string heard;
void (*look)() = nullptr;  ///< records what has reached the other ends of the streams since the last look

void put_down(const std::string& what) { heard += (heard.empty() ? "" : " ") + what; }

void say(const std::string& what) {
    if (!listening) return;
    look();
    put_down(what);
}
}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    say("clock");
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
}

namespace weir::testing {
namespace {

/// Moves all firings that it is offered, of `Rate` items at each port.
template <std::size_t... Rate, class... Port>
WorkResult move_all(std::index_sequence<Rate...>, Port&... ports) noexcept {
    say("work");
    const std::size_t firings = std::min({ports.size() / Rate...});
    const auto move = [firings](auto& port, std::size_t rate) {
        if constexpr (requires { port.produce(0); }) port.produce(firings * rate);
        else port.consume(firings * rate);
    };
    (move(ports, Rate), ...);
    return firings != 0 ? WorkStatus::ok : WorkStatus::need_input;
}

struct Origin {
    struct Params {};
    Params params;
    static constexpr NodeSpec kSpec{
        .name = "origin", .index = 1, .chunk_items = 16, .out_rates = rates<2, 1>, .ends_at_run_items = true};
    WorkResult work(Out<Item>& x, Out<Item>& y) noexcept { return move_all(std::index_sequence<2, 1>{}, x, y); }
};

struct Middle {
    struct Params {};
    Params params;
    static constexpr NodeSpec kSpec{.name = "middle", .index = 1, .chunk_items = 16, .out_rates = rates<2, 1>};
    WorkResult work(In<Item>& a, In<Item>& b, Out<Item>& x, Out<Item>& y) noexcept {
        return move_all(std::index_sequence<1, 1, 2, 1>{}, a, b, x, y);
    }
};

struct End {
    struct Params {};
    Params params;
    static constexpr NodeSpec kSpec{.name = "end", .index = 1, .chunk_items = 16};
    WorkResult work(In<Item>& a, In<Item>& b) noexcept { return move_all(std::index_sequence<1, 1>{}, a, b); }
};

/// The other end of a stream. It looks at each new record, and when it is woken, possibly later. Its name is recorded
/// when items were published or consumed, `-name` when the stream ended or its reader was detached.
struct Listener final : Waker {
    const StreamBase* stream;
    bool reads;
    std::uint64_t fill = 0;
    bool over = false;
    Listener(const StreamBase& to, bool as_reader) : stream(&to), reads(as_reader) {}
    void look_for_items() {
        if (std::exchange(fill, stream->fill()) != stream->fill()) put_down(std::string(stream->name()));
    }
    void look_for_the_end() {
        if (!std::exchange(over, reads ? stream->ended() : stream->detached(0)) && over)
            put_down("-" + std::string(stream->name()));
    }
    void wake(Instance&, const Fenced&) noexcept override {
        if (listening) look();
    }
};

struct Log final : trace::Log {
    Log() : trace::Log(trace::bit(trace::Event::work_entry) | trace::bit(trace::Event::work_exit)) {}
    void write(trace::Event event, std::uint32_t, std::uint64_t value, std::int64_t) noexcept override {
        if (event == trace::Event::work_entry) say("entry");
        else if (event == trace::Event::work_exit) say("exit");
        else say((event == trace::Event::tx ? "tx" : "rx") + std::to_string(value));
    }
};

struct Observer final : MilestoneObserver {
    void milestone(Instance&) noexcept override { say("milestone"); }
};

/// Items at the inputs a and b, and readers of the outputs x and y.
struct Around {
    Stream<Item> a{{.name = "a", .items = 64}}, b{{.name = "b", .items = 64}},
        x{{.name = "x", .items = 64, .granule = 2}}, y{{.name = "y", .items = 64}};
    Listener at_a{a, false}, at_b{b, false}, at_x{x, true}, at_y{y, true};
    IdleTask feeds_a, feeds_b, reads_x, reads_y;

    Around() {
        a.attach_writer(feeds_a, 16);
        b.attach_writer(feeds_b, 16);
        x.attach_reader(reads_x, 16);
        y.attach_reader(reads_y, 16);
        feeds_a.set_waker(&at_a);
        feeds_b.set_waker(&at_b);
        reads_x.set_waker(&at_x);
        reads_y.set_waker(&at_y);
        present = this;
        ::look = [] { present->look(); };
    }
    void look() {
        for (Listener* end : {&at_x, &at_y, &at_a, &at_b}) end->look_for_items();
        for (Listener* end : {&at_a, &at_b, &at_x, &at_y}) end->look_for_the_end();
    }
    /// Records everything from now on.
    void listen() {
        listening = false;
        look();
        heard.clear();
        listening = true;
    }
    static inline Around* present = nullptr;
    template <class B> auto ins() {
        if constexpr (std::is_same_v<B, Origin>) return std::tuple<>();
        else return std::tie(a, b);
    }
    template <class B> auto outs() {
        if constexpr (std::is_same_v<B, End>) return std::tuple<>();
        else return std::tie(x, y);
    }
};

template <class... T> Inputs<RingIn<T>...> fired_ins(std::tuple<Stream<T>&...>);
template <class... T> Outputs<RingOut<T>...> fired_outs(std::tuple<Stream<T>&...>);
template <class B>
using FiredAs = Fired<B, decltype(fired_ins(std::declval<Around&>().ins<B>())),
                      decltype(fired_outs(std::declval<Around&>().outs<B>()))>;

// Calls as a scheduler and as a worker schedule make them: they call the block, and report its end to the run.

struct Stepping {
    template <class B> using Host = Node<B>;
    template <class B> static void move(Node<B>& host, weir::Run&, std::uint64_t) { host.step(); }
    /// Looks again, finds no more items, and ends.
    template <class B> static void end(Node<B>& host, weir::Run& run) {
        look();
        const std::size_t before = heard.size();
        EXPECT_EQ(host.step().status, StepStatus::done);
        constexpr std::string_view kLooks = " entry work exit";
        if (const std::size_t at = heard.find(kLooks, before); at != std::string::npos) heard.erase(at, kLooks.size());
        run.task_done(host);
    }
};

struct Firing {
    template <class B> using Host = FiredAs<B>;
    template <class B> static void move(FiredAs<B>& host, weir::Run& run, std::uint64_t firings) {
        EventCount events;
        const std::uint32_t tasks[] = {0};
        const WorkerSpec spec{.name = "w0", .tasks = tasks};
        Worker worker{0, &spec, {}, &events, nullptr, &run};
        ScheduledWorker at(worker);
        EXPECT_TRUE(host.fire(at, firings));
    }
    template <class B> static void end(FiredAs<B>& host, weir::Run&) { EXPECT_EQ(host.state(), StepStatus::done); }
};

/// Return the records of calls of 8, 8 and 4 firings, the last one with the end. `granularity`: firings, 0: no probe.
template <class Way, class B> std::vector<std::string> order(std::uint64_t granularity) {
    Around around;
    Log log;
    Observer observer;
    NodeSpec spec = B::kSpec;
    spec.probe_granularity = std::is_same_v<B, Origin> ? 2 * granularity : granularity;
    spec.tx_granularity = 2 * granularity;
    typename Way::template Host<B> host(spec, {}, around.ins<B>(), around.outs<B>());
    const Plan plan;
    weir::Run run(plan, std::vector<Instance*>{&host}, {});
    host.set_run_items(std::is_same_v<B, Origin> ? 40 : 0);
    host.set_quota({.firings = 20});
    host.set_metrics(Metrics::counters);
    host.set_log(&log);
    host.set_milestone(9, &observer);
    host.start({});
    host.begin(0);
    std::vector<std::string> found;
    for (const std::uint64_t firings : {8U, 8U, 4U}) {
        const bool last = firings == 4;
        around.a.produce(firings);
        around.b.produce(firings);
        if (last) {
            around.a.end();
            around.b.end();
        }
        around.listen();
        Way::move(host, run, firings);
        if (last) Way::end(host, run);
        around.look();
        listening = false;
        found.push_back(heard);
    }
    return found;
}

using Heard = std::vector<std::string>;
template <class Way> class Order : public ::testing::Test {};
using Ways = ::testing::Types<Stepping, Firing>;
TYPED_TEST_SUITE(Order, Ways);

TYPED_TEST(Order, OfABlockInTheMiddle) {
    EXPECT_EQ((order<TypeParam, Middle>(4)), (Heard{"entry clock work exit tx1 tx2 x y a b rx1 rx2",
                                                    "entry clock work exit tx3 tx4 x y a b rx3 rx4 milestone",
                                                    "entry clock work exit tx5 x y a b rx5 -a -b -x -y"}));
}

TYPED_TEST(Order, WithABoundaryWithinTheSecondCall) {
    EXPECT_EQ((order<TypeParam, Middle>(12)),
              (Heard{"entry work exit x y a b", "entry clock work exit tx1 x y a b rx1 milestone",
                     "entry work exit x y a b -a -b -x -y"}));
}

TYPED_TEST(Order, WithoutAProbe) {
    EXPECT_EQ((order<TypeParam, Middle>(0)), (Heard{"entry work exit x y a b", "entry work exit x y a b milestone",
                                                    "entry work exit x y a b -a -b -x -y"}));
}

TYPED_TEST(Order, OfASource) {
    EXPECT_EQ((order<TypeParam, Origin>(6)),
              (Heard{"entry work exit tx1 x y", "entry work exit tx2 x y", "entry work exit tx3 x y -x -y"}));
}

TYPED_TEST(Order, OfASink) {
    EXPECT_EQ((order<TypeParam, End>(10)), (Heard{"entry work exit a b", "entry clock work exit a b rx1 milestone",
                                                  "entry clock work exit a b rx2 -a -b clock"}));
}

}  // namespace
}  // namespace weir::testing
