// End of stream, run length and verification, step by step on one thread.
#include "weir/node.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "hand_driven.hpp"
#include "weir/expected.hpp"
#include "weir/watchdog.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

TEST(Node, ReportsItsWait) {
    Wire<> a(8, 1, 2), b(4), out(4);
    Node<Source> source({.name = "source"}, {.items = 100}, ins(), outs(a));
    Node<Source> other({.name = "other"}, {.items = 3}, ins(), outs(b));
    Node<Join> join({.name = "join"}, {}, ins(a, b), outs(out));
    start({&source, &other, &join});
    EXPECT_EQ(join.step().status, StepStatus::need_input);
    EXPECT_EQ(join.blocked_port(), 0);
    EXPECT_EQ(settle(source).status, StepStatus::need_output);
    EXPECT_EQ(join.step().status, StepStatus::need_input);
    EXPECT_EQ(join.blocked_port(), 1);
    EXPECT_EQ(join.state(), StepStatus::need_input);
    EXPECT_EQ(source.inputs().size(), 0U);
    EXPECT_TRUE(source.is_source());
    EXPECT_EQ(join.inputs()[1], &b);
    EXPECT_EQ(b.reader_task(0), &join);
    EXPECT_EQ(b.writer_task(), &other);
}

TEST(Node, WorksInPlaceWithTheSameResult) {
    const auto digest = [](bool in_place) {
        Wire<> a(50), b(50), c(50);
        Node<Source> source({.name = "source", .chunk_items = 40}, {.items = 1'000, .seed = 1}, ins(), outs(a));
        // Constructed in another order than they work in.
        Node<Affine> second({.name = "second", .in_place = in_place}, {3}, ins(b), outs(c));
        Node<Affine> first({.name = "first", .in_place = in_place}, {2}, ins(a), outs(b));
        Node<Sink> sink({.name = "sink"}, {0, 4}, ins(c), outs());
        EXPECT_EQ(a.write_data() == c.write_data(), in_place);
        start({&source, &first, &second, &sink});
        run_dry({&source, &first, &second, &sink});
        EXPECT_EQ(sink.counters().items_in, 1'000U);
        return sink.digest();
    };
    EXPECT_EQ(digest(true), digest(false));
}

TEST(Node, ItemsMadeInPlaceAreReadAfterItLeft) {
    struct First {
        struct Params {
            std::size_t left;
        };
        Params params;
        WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
            const std::size_t n = std::min({in.size(), out.size(), params.left});
            for (std::size_t i = 0; i < n; ++i) out[i] = 3 * in[i];
            in.consume(n);
            out.produce(n);
            params.left -= n;
            return params.left == 0 ? WorkStatus::done : WorkStatus::ok;
        }
    };
    const auto digest = [](bool in_place) {
        Wire<> a(50), b(50);
        Node<Source> source({.name = "source", .chunk_items = 40}, {.items = 1'000, .seed = 1}, ins(), outs(a));
        Node<First> first({.name = "first", .in_place = in_place}, {30}, ins(a), outs(b));
        Node<Sink> sink({.name = "sink"}, {0, 4}, ins(b), outs());
        start({&source, &first, &sink});
        settle(source);
        settle(first);
        settle(source);
        run_dry({&source, &first, &sink});
        EXPECT_EQ(sink.counters().items_in, 30U);
        return sink.digest();
    };
    EXPECT_EQ(digest(true), digest(false));
}

TEST(Node, InPlaceItWritesAsManyItemsAsItReads) {
    struct Swallow {
        struct Params {};
        Params params;
        WorkResult work(In<Item>& in, Out<Item>&) noexcept {
            in.consume(1);
            return WorkStatus::ok;
        }
    };
    Wire<> a(8), b(8);
    Node<Source> source({.name = "source"}, {.items = 100}, ins(), outs(a));
    Node<Swallow> swallow({.name = "swallow", .in_place = true}, {}, ins(a), outs(b));
    start({&source, &swallow});
    settle(source);
    EXPECT_EQ(swallow.step().status, StepStatus::error);
    EXPECT_NE(swallow.error().find("in place"), std::string::npos) << swallow.error();
}

TEST(Node, ABlockThatRequiresMoreThanAFiringWaitsForItsEmptiestInput) {
    struct Greedy {
        struct Params {};
        Params params;
        WorkResult work(In<Item>& a, In<Item>& b, Out<Item>&) noexcept {
            return a.size() >= 4 && b.size() >= 4 ? WorkStatus::done : WorkStatus::need_input;
        }
    };
    Wire<> a(8), b(8), out(8);
    Node<Source> source({.name = "source"}, {.items = 100}, ins(), outs(a));
    Node<Source> other({.name = "other", .chunk_items = 2}, {.items = 100}, ins(), outs(b));
    Node<Greedy> join({.name = "join"}, {}, ins(a, b), outs(out));
    start({&source, &other, &join});
    settle(source);
    other.step();
    EXPECT_EQ(join.step().status, StepStatus::need_input);
    EXPECT_EQ(join.blocked_port(), 1);
    const std::vector<Instance*> tasks{&source, &other, &join};
    EXPECT_EQ(diagnose("stall", tasks, {}).blocks[2].waits_for, std::vector<std::string>{"other"});
}

TEST(Node, AJoinWithoutItemsWaitsForAllItsInputs) {
    Wire<> a(8), b(8), out(8);
    Node<Source> first({.name = "first"}, {}, ins(), outs(a));
    Node<Source> second({.name = "second"}, {}, ins(), outs(b));
    Node<Join> join({.name = "join"}, {}, ins(a, b), outs(out));
    start({&first, &second, &join});
    EXPECT_EQ(join.step().status, StepStatus::need_input);
    const std::vector<Instance*> tasks{&join};
    EXPECT_EQ(diagnose("stall", tasks, {}).blocks[0].waits_for, (std::vector<std::string>{"first", "second"}));
}

TEST(Node, OffersAChunkAndAtLeastAFiring) {
    struct Spy {
        struct Params {};
        Params params;
        std::size_t offered = 0;
        WorkResult work(In<Item>& in) noexcept {
            offered = in.size();
            in.consume(in.size() / 8 * 8);
            return WorkStatus::ok;
        }
    };
    for (const auto& [chunk, offered] : {std::pair{20, 20}, std::pair{3, 8}}) {
        Wire<> wire(64, 1, 8);
        Node<Source> source({.name = "source"}, {}, ins(), outs(wire));
        Node<Spy> spy({.name = "spy", .chunk_items = static_cast<std::size_t>(chunk), .in_rates = rates<8>}, {},
                      ins(wire), outs());
        start({&source, &spy});
        source.step();
        EXPECT_EQ(spy.step().status, StepStatus::progress);
        EXPECT_EQ(spy.block().offered, static_cast<std::size_t>(offered));
    }
}

TEST(Node, DropsAndCountsTheTail) {
    Wire<> in(100, 1, 10), out(100);
    Node<Source> source({.name = "source"}, {.items = 47}, ins(), outs(in));
    Node<Decimate> decimate({.name = "decimate", .in_rates = rates<10>}, {.n = 10}, ins(in), outs(out));
    Node<Sink> sink({.name = "sink"}, {}, ins(out), outs());
    start({&source, &decimate, &sink});
    run_dry({&source, &decimate, &sink});
    EXPECT_EQ(decimate.counters().tail_items, 7U);
    EXPECT_EQ(decimate.counters().items_in, 40U);
    EXPECT_EQ(sink.counters().items_in, 4U);
    EXPECT_EQ(sink.counters().tail_items, 0U);
    for (Task* task : {static_cast<Task*>(&source), static_cast<Task*>(&decimate), static_cast<Task*>(&sink)}) {
        EXPECT_EQ(task->state(), StepStatus::done) << task->spec().name;
        EXPECT_EQ(task->step().status, StepStatus::done);
    }
}

TEST(Node, DrainsBeforeItIsDone) {
    Wire<> in(64), out(16);
    Node<Source> source({.name = "source"}, {.items = 64}, ins(), outs(in));
    Node<Affine> affine({.name = "affine"}, {}, ins(in), outs(out));
    Node<Sink> sink({.name = "sink"}, {}, ins(out), outs());
    start({&source, &affine, &sink});
    EXPECT_EQ(settle(source).status, StepStatus::done);
    EXPECT_EQ(settle(affine).status, StepStatus::need_output);  // the source is done, its items are not consumed
    run_dry({&affine, &sink});
    EXPECT_EQ(sink.counters().items_in, 64U);
    EXPECT_EQ(sink.state(), StepStatus::done);
}

TEST(Node, JoinEndsAtItsShortestInputAndCountsNoTail) {
    Wire<> a(100), b(100), out(100);
    Node<Source> longer({.name = "longer"}, {.items = 90}, ins(), outs(a));
    Node<Source> shorter({.name = "shorter"}, {.items = 20}, ins(), outs(b));
    Node<Join> join({.name = "join"}, {}, ins(a, b), outs(out));
    Node<Sink> sink({.name = "sink"}, {}, ins(out), outs());
    start({&longer, &shorter, &join, &sink});
    run_dry({&longer, &shorter, &join, &sink});
    EXPECT_EQ(sink.counters().items_in, 20U);
    EXPECT_EQ(join.counters().tail_items, 0U);
    EXPECT_EQ(join.state(), StepStatus::done);
    EXPECT_TRUE(a.closed());
}

TEST(Node, ItemsOfTheLastCallAreCommittedBeforeDone) {
    Wire<> in(64), out(64);
    Node<Source> source({.name = "source"}, {}, ins(), outs(in));
    Node<Head> head({.name = "head"}, {.items = 10}, ins(in), outs(out));
    start({&source, &head});
    source.step();
    EXPECT_EQ(head.step().status, StepStatus::done);
    EXPECT_EQ(out.fill(), 10U);
    EXPECT_EQ(head.counters().items_out, 10U);
    EXPECT_TRUE(out.ended());
    EXPECT_EQ(source.step().status, StepStatus::done);  // `done` travels upstream
}

TEST(Node, IsDoneWhenEveryReaderOfEveryOutputHasLeft) {
    Wire<> in(64), a(64), b(64);
    Node<Source> source({.name = "source"}, {}, ins(), outs(in));
    Node<Split> split({.name = "split"}, {}, ins(in), outs(a, b));
    Node<Sink> first({.name = "first"}, {.items = 5}, ins(a), outs());
    Node<Sink> second({.name = "second"}, {.items = 200}, ins(b), outs());
    start({&source, &split, &first, &second});
    run_dry({&source, &split, &first});
    EXPECT_EQ(first.state(), StepStatus::done);
    EXPECT_TRUE(a.closed());
    run_dry({&source, &split, &second});  // the unread output does not block the other one
    EXPECT_EQ(second.counters().items_in, 200U);
    EXPECT_EQ(split.step().status, StepStatus::done);
    EXPECT_EQ(source.step().status, StepStatus::done);
}

TEST(Node, AnErrorDoesNotEndTheStreamAsComplete) {
    Wire<> in(64), out(64);
    Node<Source> source({.name = "source"}, {}, ins(), outs(in));
    Node<FailAfter> fail({.name = "fail", .chunk_items = 16}, {.items = 10}, ins(in), outs(out));
    start({&source, &fail});
    source.step();
    EXPECT_EQ(settle(fail).status, StepStatus::error);
    EXPECT_EQ(fail.error(), "as told");
    EXPECT_FALSE(out.ended());
    EXPECT_EQ(fail.step().status, StepStatus::error);
}

TEST(Node, BreachOfContractIsAnError) {
    struct Greedy {
        struct Params {};
        Params params;
        WorkResult work(In<Item>& in) noexcept {
            in.consume(in.size() + 1);
            return WorkStatus::ok;
        }
    };
    struct Cutting {  // declares pairs, and moves single items
        struct Params {};
        Params params;
        WorkResult work(In<Item>& in) noexcept {
            in.consume(in.size() > 1 ? in.size() - 1 : 1);
            return WorkStatus::ok;
        }
    };
    Wire<> a(8), b(8, 1, 2);
    Node<Source> to_greedy({.name = "a"}, {}, ins(), outs(a));
    Node<Source> to_cutting({.name = "b"}, {}, ins(), outs(b));
    Node<Greedy> greedy({.name = "greedy"}, {}, ins(a), outs());
    Node<Cutting> cutting({.name = "cutting", .in_rates = rates<2>}, {}, ins(b), outs());
    start({&to_greedy, &greedy, &to_cutting, &cutting});
    to_greedy.step();
    EXPECT_EQ(greedy.step().status, StepStatus::error);
    EXPECT_NE(greedy.error().find("more items than it was offered"), std::string::npos);
    to_cutting.step();
    EXPECT_EQ(cutting.step().status, StepStatus::progress);
    EXPECT_EQ(a.fill(), 8U);
}

TEST(Node, SourceEndsAtTheRunsItemsInWholeFirings) {
    struct Triples {
        struct Params {};
        Params params;
        WorkResult work(Out<Item>& out) noexcept {
            out.produce(out.size() / 3 * 3);
            return WorkStatus::ok;
        }
    };
    Wire<> wire(300, 1, 3);
    Node<Triples> source({.name = "source", .chunk_items = 7, .out_rates = rates<3>, .ends_at_run_items = true}, {},
                         ins(), outs(wire));
    start({&source}, 100);
    EXPECT_EQ(settle(source).status, StepStatus::done);
    EXPECT_EQ(source.counters().items_out, 99U);
}

TEST(Node, SourceOfARunShorterThanAFiringEmitsNothing) {
    Wire<> wire(8, 1, 4);
    Node<Source> source({.name = "source", .out_rates = rates<4>, .ends_at_run_items = true}, {}, ins(), outs(wire));
    start({&source}, 3);
    EXPECT_EQ(settle(source).status, StepStatus::done);
    EXPECT_EQ(source.counters().items_out, 0U);
}

TEST(Node, OpenOutputIsWrittenAndDropped) {
    Wire<> in(64), b(64);
    Node<Source> source({.name = "source"}, {.items = 200}, ins(), outs(in));
    Node<Split> split({.name = "split"}, {}, ins(in), outs(unconnected<Item>, b));
    Node<Sink> sink({.name = "sink"}, {}, ins(b), outs());
    start({&source, &split, &sink});
    run_dry({&source, &split, &sink});
    EXPECT_EQ(sink.counters().items_in, 200U);
    EXPECT_EQ(split.counters().items_out, 200U);
    EXPECT_EQ(split.outputs().size(), 1U);
}

TEST(Node, WaitCarriesItsTime) {
    struct Sleepy {
        struct Params {};
        Params params;
        WorkResult work(Out<Item>& out) noexcept {
            out.produce(2);
            return WorkResult::wait_until(12'345);
        }
    };
    Wire<> wire(8);
    Node<Sleepy> source({.name = "sleepy"}, {}, ins(), outs(wire));
    start({&source});
    const StepResult result = source.step();
    EXPECT_EQ(result.status, StepStatus::wait);
    EXPECT_EQ(result.wake_ns, 12'345);
    EXPECT_EQ(result.items, 2U);
    EXPECT_EQ(source.counters().items_out, 2U);
}

TEST(Node, VerificationEndsEverySourceAtTheItemsOfTheRun) {
    Wire<> wire(64);
    Node<Source> source({.name = "source", .ends_at_run_items = false}, {}, ins(), outs(wire));
    Node<Sink> sink({.name = "sink"}, {}, ins(wire), outs());
    source.verify();
    sink.verify();
    start({&source, &sink}, 1'000);
    run_dry({&source, &sink});
    EXPECT_EQ(source.counters().items_out, 1'000U);
    EXPECT_EQ(expected_items(std::vector<Instance*>{&source, &sink}, 1'000).back(), 1'000U);
}

TEST(Node, ATapHasTheBlocksOutput) {
    Wire<> wire(64), other(64);
    std::vector<std::byte> bytes;
    Node<Source> source({.name = "source"}, {}, ins(), outs(wire));
    Node<Affine> affine({.name = "affine"}, {1}, ins(wire), outs(other));
    Node<Sink> sink({.name = "sink"}, {}, ins(other), outs());
    EXPECT_FALSE(sink.tap("wire", bytes));
    EXPECT_FALSE(affine.tap("nothing", bytes));
    ASSERT_TRUE(affine.tap("wire", bytes));  // both streams have this name; the node taps its output
    for (Task* task : {static_cast<Task*>(&source), static_cast<Task*>(&affine), static_cast<Task*>(&sink)})
        task->verify();
    start({&source, &affine, &sink}, 1'000);
    run_dry({&source, &affine, &sink});
    std::vector<Item> items(bytes.size() / sizeof(Item));
    std::memcpy(items.data(), bytes.data(), bytes.size());
    ASSERT_EQ(items.size(), 1'000U);
    EXPECT_EQ(items[999], Affine::of(CounterPattern<Item>::item(999)));
    EXPECT_EQ(sink.digest(), digest_of(items.data(), items.size(), 0));
}

}  // namespace
