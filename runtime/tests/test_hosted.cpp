// A block hosted by a peer runtime. The test plays the peer runtime: buffers are vectors, and it makes each call.
#include <gtest/gtest.h>

#include <cstdint>
#include <latch>
#include <thread>
#include <vector>

#include "hosted/node.hpp"
#include "weir/memory.hpp"
#include "weir/run.hpp"
#include "weir/watchdog.hpp"

namespace weir::hosted {
namespace {

/// Takes two items, gives one. If requested, requires four at first.
struct Pairs {
    struct Params {
        bool patient = false;
    };
    Params params;
    WorkResult work(In<std::int32_t>& in, Out<std::int32_t>& out) noexcept {
        if (params.patient && in.size() < 4) return WorkStatus::need_input;
        const std::size_t firings = std::min(in.size() / 2, out.size());
        for (std::size_t i = 0; i < firings; ++i) out[i] = in[2 * i] + in[2 * i + 1];
        in.consume(2 * firings);
        out.produce(firings);
        return firings != 0 ? WorkStatus::ok : WorkStatus::need_input;
    }
};

/// Ends after this many items.
struct First {
    struct Params {
        std::size_t items = 3;
    };
    Params params;
    std::size_t seen = 0;
    WorkResult work(In<std::int32_t>& in, Out<std::int32_t>& out) noexcept {
        const std::size_t n = std::min({in.size(), out.size(), params.items - seen});
        std::copy_n(in.data(), n, out.data());
        seen += n;
        in.consume(n);
        out.produce(n);
        return seen == params.items ? WorkStatus::done : WorkStatus::ok;
    }
};

struct Moved {
    std::size_t items = 0;
    static void note(void* end, std::size_t n) { static_cast<Moved*>(end)->items += n; }
};

struct World {
    Connection before{{.name = "source.out", .items = 64, .readers = ports<"pairs.in">}};
    Connection after{{.name = "pairs.out", .items = 64, .readers = ports<"sink.in">}};
    std::vector<std::int32_t> in = std::vector<std::int32_t>(64), out = std::vector<std::int32_t>(64);
    Moved read, written;
    Rest rest{};
    Plan plan = [] {
        Plan made;
        made.workers = {{.name = "w0", .tasks = tasks<0>}};
        return made;
    }();

    template <class N> Turn call(N& node, std::size_t items, bool over, std::size_t room) {
        read = written = {};
        const Port input{in.data(), items, over, &read, Moved::note},
            output{out.data(), room, false, &written, Moved::note};
        return node.turn(&input, &output);
    }

    /// Makes a direct call. Returns whether it moved all items and goes on at a change.
    template <class N> bool pass(N& node, std::size_t items, std::size_t room) {
        rest = {};
        const Direct direct = node.direct();
        return direct.call(direct.block, in.data(), items, out.data(), room, &rest);
    }

    /// Calls `f` during a run.
    template <class N, class F> void during(N& node, F f, RunSetup setup = {}) {
        weir::Run run(plan, std::vector<Instance*>{&node}, {}, std::move(setup));
        node.join(run);
        run.host(plan.workers, [&] {
            run.enter(0);
            f(run);
            run.leave(0);
        });
        EXPECT_FALSE(run.outcome().failure.has_value());
    }
};

NodeSpec spec(std::string_view name, std::size_t chunk = 64) {
    return {.name = name, .chunk_items = chunk, .in_rates = rates<2>, .out_rates = rates<1>};
}

TEST(Hosted, IsCalledAgainAtOnceOnlyIfItCanMove) {
    World world;
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        for (std::size_t i = 0; i < 64; ++i) world.in[i] = static_cast<std::int32_t>(i);
        Turn turn = world.call(node, 9, false, 64);
        EXPECT_TRUE(turn.moved);
        EXPECT_EQ(turn.next, Next::at_change);
        EXPECT_EQ(node.state(), StepStatus::need_input);
        EXPECT_EQ(world.read.items, 8U);
        EXPECT_EQ(world.written.items, 4U);
        EXPECT_EQ(world.out[3], 6 + 7);

        turn = world.call(node, 9, false, 2);
        EXPECT_EQ(world.written.items, 2U);
        EXPECT_EQ(turn.next, Next::at_change);
        EXPECT_EQ(node.state(), StepStatus::need_output);

        turn = world.call(node, 1, false, 64);
        EXPECT_FALSE(turn.moved || turn.wants_more);
    });
}

TEST(Hosted, IsOfferedAtMostOneChunk) {
    World world;
    Node<Pairs> node(spec("pairs", 4), {}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        EXPECT_EQ(world.call(node, 9, true, 64).next, Next::at_once);
        EXPECT_EQ(world.read.items, 4U);
        EXPECT_EQ(world.call(node, 5, true, 64).next, Next::over);
        EXPECT_EQ(node.counters().tail_items, 1U);
    });
}

TEST(Hosted, EndsWithItsWriterAndCountsTheRest) {
    World world;
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        EXPECT_EQ(world.call(node, 7, true, 64).next, Next::over);
        EXPECT_EQ(world.written.items, 3U);
        EXPECT_EQ(node.counters().tail_items, 1U);
        node.leave(1);
        node.leave(1);
        EXPECT_EQ(node.counters().tail_items, 1U);
        EXPECT_EQ(node.state(), StepStatus::done);
    });
}

TEST(Hosted, RequestsMoreThanAFiringAndEndsIfNoMoreComes) {
    World world;
    Node<Pairs> node(spec("pairs"), {.patient = true}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        const Turn turn = world.call(node, 3, false, 64);
        EXPECT_TRUE(turn.wants_more);
        EXPECT_EQ(turn.next, Next::at_change);
        EXPECT_EQ(world.call(node, 3, true, 64).next, Next::over);
        EXPECT_EQ(node.counters().tail_items, 3U);
    });
}

/// Copies. Also the source or the sink of a graph whose blocks are never called.
struct Pass {
    struct Params {};
    Params params;
    WorkResult work(In<std::int32_t>& in, Out<std::int32_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        in.consume(n);
        out.produce(n);
        return n != 0 ? WorkStatus::ok : WorkStatus::need_input;
    }
};
struct Spring {
    struct Params {};
    Params params;
    WorkResult work(Out<std::int32_t>&) noexcept { return WorkStatus::need_output; }
};
struct Drain {
    struct Params {};
    Params params;
    WorkResult work(In<std::int32_t>& in) noexcept {
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

/// Emits what fits.
struct Flood {
    struct Params {};
    Params params;
    WorkResult work(Out<std::int32_t>& out) noexcept {
        out.produce(out.size());
        return WorkStatus::ok;
    }
};
/// Claims to have read more than there is.
struct Greedy {
    struct Params {};
    Params params;
    WorkResult work(In<std::int32_t>& in) noexcept {
        in.consume(in.size() + 1);
        return WorkStatus::ok;
    }
};
struct Sum {
    struct Params {};
    Params params;
    WorkResult work(In<std::int32_t>& /*a*/, In<std::int32_t>& /*b*/) noexcept { return WorkStatus::need_input; }
};

TEST(Hosted, ADirectCallSaysWhatItDidNotMove) {
    World world;
    Node<First> node({.name = "first", .chunk_items = 8}, {.items = 25}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        for (std::size_t i = 0; i < 64; ++i) world.in[i] = static_cast<std::int32_t>(i);
        EXPECT_TRUE(world.pass(node, 8, 8));
        EXPECT_EQ(world.out[7], 7);
        EXPECT_EQ(node.state(), StepStatus::need_input);
        EXPECT_EQ(node.counters().items_in, 8U);
        EXPECT_EQ(node.counters().items_out, 8U);

        EXPECT_FALSE(world.pass(node, 8, 3));
        EXPECT_EQ(world.rest.read, 3U);
        EXPECT_EQ(world.rest.written, 3U);
        EXPECT_EQ(world.rest.turn.next, Next::at_change);
        EXPECT_EQ(node.state(), StepStatus::need_output);

        EXPECT_FALSE(world.pass(node, 9, 9));  // more than a chunk
        EXPECT_EQ(world.rest.read, 8U);
        EXPECT_EQ(world.rest.turn.next, Next::at_once);

        EXPECT_FALSE(world.pass(node, 8, 8));  // all that it may ever move
        EXPECT_EQ(world.rest.read, 6U);
        EXPECT_EQ(world.rest.turn.next, Next::over);
        EXPECT_TRUE(node.is_over());
        EXPECT_EQ(node.counters().items_out, 25U);
        EXPECT_FALSE(world.pass(node, 8, 8));
        EXPECT_EQ(world.rest.read, 0U);
        EXPECT_EQ(world.rest.turn.next, Next::over);
    });
    EXPECT_EQ(node.direct().block, &node);
    Node<Sum> two({.name = "sum"}, {}, {&world.before, &world.after}, {});
    EXPECT_EQ(two.direct().call, nullptr);
}

TEST(Hosted, ADirectCallKeepsTheRateOfItsBlock) {
    World world;
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run&) {
        EXPECT_TRUE(world.pass(node, 8, 4));
        EXPECT_FALSE(world.pass(node, 9, 64));
        EXPECT_EQ(world.rest.read, 8U);
        EXPECT_EQ(world.rest.written, 4U);
    });
}

TEST(Hosted, DirectCallsEndWithTheRun) {
    World world;
    RunSetup setup;
    setup.spec.items = 20;
    Node<Flood> source({.name = "source", .chunk_items = 8, .ends_at_run_items = true}, {}, {}, {&world.after});
    const auto until_the_end = [&](weir::Run&) {
        EXPECT_TRUE(world.pass(source, 0, 8));
        EXPECT_EQ(source.state(), StepStatus::need_output);
        EXPECT_TRUE(world.pass(source, 0, 8));
        EXPECT_FALSE(world.pass(source, 0, 4));  // the last items: it must not be called again
        EXPECT_EQ(world.rest.written, 4U);
        EXPECT_EQ(world.rest.turn.next, Next::over);
    };
    world.during(source, until_the_end, setup);

    Node<Flood> stopped({.name = "source", .chunk_items = 8}, {}, {}, {&world.after});
    world.during(stopped, [&](weir::Run& run) {
        EXPECT_TRUE(world.pass(stopped, 0, 8));
        run.stop();
        EXPECT_FALSE(world.pass(stopped, 0, 8));
        EXPECT_EQ(world.rest.written, 0U);
        EXPECT_EQ(world.rest.turn.next, Next::over);
    });
}

TEST(Hosted, DirectCallsAreWatchedIfTheRunRequestsIt) {
    World world;
    RunSetup setup;
    setup.spec.metrics = Metrics::counters;
    Node<Drain> counted({.name = "sink", .chunk_items = 8}, {}, {&world.before}, {});
    world.during(
        counted,
        [&](weir::Run&) {
            EXPECT_TRUE(world.pass(counted, 8, 0));
            EXPECT_TRUE(world.pass(counted, 5, 0));
            EXPECT_EQ(counted.counters().calls(), 2U);
            EXPECT_EQ(counted.counters().items_in, 13U);
        },
        setup);

    setup = {};
    setup.verify = true;
    Node<Drain> digested({.name = "sink", .chunk_items = 8}, {}, {&world.before}, {});
    digested.verify();
    world.during(
        digested,
        [&](weir::Run&) {
            EXPECT_EQ(digested.digest(), 0U);
            EXPECT_TRUE(world.pass(digested, 8, 0));
            EXPECT_NE(digested.digest(), 0U);
        },
        setup);

    Node<Drain> awaited({.name = "sink", .chunk_items = 8}, {}, {&world.before}, {});
    struct Observer final : MilestoneObserver {
        int reached = 0;
        void milestone(Instance&) noexcept override { ++reached; }
    } observer;
    awaited.set_milestone(16, &observer);
    world.during(awaited, [&](weir::Run&) {
        EXPECT_TRUE(world.pass(awaited, 8, 0));
        EXPECT_EQ(observer.reached, 0);
        EXPECT_TRUE(world.pass(awaited, 8, 0));
        EXPECT_EQ(observer.reached, 1);
    });
}

TEST(Hosted, ADirectCallThatBreaksItsContractFailsTheRun) {
    World world;
    Node<Greedy> node({.name = "greedy", .chunk_items = 8}, {}, {&world.before}, {});
    weir::Run run(world.plan, std::vector<Instance*>{&node}, {});
    node.join(run);
    run.host(world.plan.workers, [&] {
        run.enter(0);
        EXPECT_FALSE(world.pass(node, 8, 0));
        EXPECT_EQ(world.rest.turn.next, Next::over);
        EXPECT_EQ(node.counters().items_in, 0U);
        run.leave(0);
    });
    ASSERT_TRUE(run.outcome().failure.has_value());
    EXPECT_EQ(run.outcome().failure->instance, "greedy");
}

/// A source, two branches (a copy, and a block that ends by itself), and a sink behind each.
struct Forked {
    Connection made{{.name = "source.out", .items = 64, .readers = ports<"a.in", "b.in">}};
    Connection a_out{{.name = "a.out", .items = 64, .readers = ports<"first.in">}},
        b_out{{.name = "b.out", .items = 64, .readers = ports<"last.in">}};
    Connection first_out{{.name = "first.out", .items = 64, .readers = ports<"x.in">}},
        last_out{{.name = "last.out", .items = 64, .readers = ports<"y.in">}};
    Node<Spring, true> source{{.name = "source"}, {}, {}, {&made}};
    Node<Pass, true> a{{.name = "a"}, {}, {&made}, {&a_out}}, b{{.name = "b"}, {}, {&made}, {&b_out}};
    Node<First, true> first{{.name = "first", .chunk_items = 64}, {}, {&a_out}, {&first_out}},
        last{{.name = "last", .chunk_items = 64}, {}, {&b_out}, {&last_out}};
    Node<Drain, true> x{{.name = "x"}, {}, {&first_out}, {}}, y{{.name = "y"}, {}, {&last_out}, {}};
};

TEST(Hosted, StaysAndTakesItemsIfThePeerRuntimeWouldEndItsWriters) {
    World world;
    Forked graph;
    world.during(graph.first, [&](weir::Run& run) {
        graph.last.join(run);
        EXPECT_EQ(world.call(graph.first, 5, false, 64).next, Next::closes);
        EXPECT_EQ(world.read.items, 3U);
        EXPECT_EQ(world.call(graph.first, 2, false, 64).next, Next::stays);
        EXPECT_EQ(world.read.items, 2U);
        EXPECT_EQ(world.written.items, 0U);
        // `last` need not stay for `first`, whose readers get no more items. Then `first` need not stay for anyone.
        EXPECT_EQ(world.call(graph.last, 3, false, 64).next, Next::over);
        EXPECT_EQ(world.call(graph.first, 4, false, 64).next, Next::over);
    });
}

TEST(Hosted, StaysForOtherReadersWithoutItemsAndLeavesIfAlone) {
    World world;
    Forked graph;
    world.during(graph.first, [&](weir::Run&) {
        EXPECT_EQ(world.call(graph.first, 3, true, 64).next, Next::closes);
        EXPECT_EQ(world.call(graph.first, 0, true, 64).next,
                  Next::stays);  // its end would end the writer, whatever else reads that stream
        EXPECT_TRUE(graph.first.is_over());
    });
    World alone;
    Node<First, true> node({.name = "first", .chunk_items = 64}, {}, {&alone.before}, {&alone.after});
    alone.during(node, [&](weir::Run&) { EXPECT_EQ(alone.call(node, 5, false, 64).next, Next::over); });
    Forked plain;
    Node<First> first({.name = "first", .chunk_items = 64}, {}, {&plain.a_out}, {&plain.first_out});
    World other;
    other.during(first, [&](weir::Run&) { EXPECT_EQ(other.call(first, 5, false, 64).next, Next::over); });
}

TEST(Hosted, IsReplacedByANativeBlockThatReportsItsItems) {
    World world;
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    world.during(node, [&](weir::Run& run) {
        EXPECT_TRUE(node.is_unwatched(run));
        EXPECT_TRUE(node.is_counted() && node.knows_items());
        node.stand_aside();
        EXPECT_FALSE(node.is_counted() || node.knows_items());
        node.report_items(8, 4);
        EXPECT_TRUE(node.knows_items());
        EXPECT_EQ(node.counters().items_out, 4U);
        node.leave(0);
        EXPECT_TRUE(node.is_over());
    });
    RunSetup watched;
    watched.spec.warmup_items = 1;
    EXPECT_FALSE(node.is_unwatched(weir::Run(world.plan, std::vector<Instance*>{&node}, {}, watched)));
    watched = {};
    watched.verify = true;
    EXPECT_FALSE(node.is_unwatched(weir::Run(world.plan, std::vector<Instance*>{&node}, {}, watched)));
}

TEST(Hosted, ItsLogIsThatOfTheCallingThread) {
    World world;
    world.plan.workers = {{.name = "w0"}, {.name = "w1"}};
    world.plan.jobs = {{.name = "j0", .tasks = tasks<0>}};
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    weir::Run run(world.plan, std::vector<Instance*>{&node}, {});
    node.join(run);
    std::vector<std::size_t> workers;
    run.host(world.plan.workers, [&] {
        std::latch entered(2);  // the thread that begins a block may differ from the one that calls it
        const auto enter = [&](std::size_t worker) {
            run.enter(worker);
            entered.arrive_and_wait();
        };
        std::thread other([&] {
            enter(1);
            workers.push_back(weir::Run::hosted_here()->index);
            world.call(node, 2, false, 64);
            run.leave(1);
        });
        enter(0);
        other.join();
        workers.push_back(weir::Run::hosted_here()->index);
        world.call(node, 2, true, 64);
        node.leave(0);
        run.leave(0);
    });
    EXPECT_EQ(workers, (std::vector<std::size_t>{1, 0}));
    EXPECT_TRUE(run.outcome().complete);
}

TEST(Hosted, CpuCountersAreOfTheThreadThatEnters) {
    World world;
    world.plan.run.cpu_counters = true;
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after});
    weir::Run run(world.plan, std::vector<Instance*>{&node}, {});
    node.join(run);
    run.host(world.plan.workers, [&] {
        run.enter(0);
        const Buffer pages = Buffer::plain(256 * page_size(), 0);
        pages.prefault();
        run.leave(0);
    });
    const auto& counts = run.outcome().threads[0].cpu_counts;
    ASSERT_TRUE(counts);
    if (const std::string missing = missing_text(*counts, {}); missing.find("page_faults") != std::string::npos)
        GTEST_SKIP() << missing;
    EXPECT_GE(counts->counts.back().value_or(0), 256U);
}

TEST(Hosted, TheWatchdogNamesTheBlockAtTheOtherEnd) {
    World world;
    Connection last{{.name = "next.out", .items = 64, .readers = ports<"nobody.in">}};
    Node<Pairs> node(spec("pairs"), {}, {&world.before}, {&world.after}),
        next(spec("next"), {}, {&world.after}, {&last});
    std::vector<Instance*> both{&node, &next};
    world.during(next, [&](weir::Run& run) {
        node.join(run);
        world.call(next, 1, false, 64);
        EXPECT_EQ(diagnose("stall", both, {}).blocks[1].waits_for, std::vector<std::string>{"pairs"});
        world.call(node, 8, false, 1);
        EXPECT_EQ(diagnose("stall", both, {}).blocks[0].waits_for, std::vector<std::string>{"next"});
        EXPECT_EQ(diagnose("stall", both, {}).blocks[0].state, "need_output");
    });
}

}  // namespace
}  // namespace weir::hosted
