// Tests under every scheduler that the report about a run's threads agrees with Linux.
#include <sched.h>
#include <sys/mman.h>

#include <concepts>
#include <thread>

#include <gtest/gtest.h>

#include "flow_plans.hpp"
#include "weir/environment.hpp"
#include "weir/memory.hpp"
#include "weir/stream.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

Graph small_chain() {
    return {{Kind::source, {}, 20'000}, {Kind::affine, {{0}}}, {Kind::affine, {{1}}}, {Kind::sink, {{2}}}};
}

template <class Scheduler> class Granted : public ::testing::Test {
  protected:
    /// Runs the chain with a plan that `change(plan)` changed.
    template <class Change> RunOutcome outcome_of(Change&& change) {
        Settings settings;
        if (Placements<Scheduler>::kMove) settings.pool_workers = 2;
        const Graph graph = small_chain();
        flowgraph_.emplace(graph, Placements<Scheduler>::make(graph, 1), settings);
        plan_ = flowgraph_->plan();
        change(plan_);
        weir::Run run(plan_, flowgraph_->tasks(), flowgraph_->streams());
        Scheduler{}.run(run);
        EXPECT_TRUE(run.outcome().complete);
        EXPECT_EQ(run.outcome().threads.size(), plan_.workers.size());
        return run.outcome();
    }

    std::optional<Flowgraph> flowgraph_;
    Plan plan_;
};
TYPED_TEST_SUITE(Granted, AllSchedulers);

TYPED_TEST(Granted, AffinityIsReadFromTheKernelAndHolds) {
    const int cpu = thread_cpus().back();
    const RunOutcome outcome = this->outcome_of([&cpu](Plan& plan) {
        for (WorkerSpec& worker : plan.workers) worker.cpus = std::span(&cpu, 1);
    });
    for (const ThreadReport& thread : outcome.threads) {
        EXPECT_EQ(thread.cpus_granted, std::vector<int>{cpu});
        EXPECT_EQ(thread.cpu, cpu);
        EXPECT_EQ(thread.affinity_error, "");
        EXPECT_TRUE(thread.migrations <= 0) << thread.migrations;  // -1: this kernel does not report it
    }
    const RunOutcome floating = this->outcome_of([](Plan&) {});
    for (const ThreadReport& thread : floating.threads) EXPECT_EQ(thread.cpus_granted, thread_cpus());
}

TYPED_TEST(Granted, AWorkerHasThePolicyOfItsSpecOrElseOfThePlan) {
    const RunOutcome outcome = this->outcome_of([](Plan& plan) {
        plan.timer_slack_ns = 3000;
        plan.workers.front().scheduling = Scheduling{.policy = SchedulingPolicy::rr, .priority = 3};
    });
    const ThreadReport& urgent = outcome.threads.front();
    if (urgent.priority_error.empty()) {
        EXPECT_EQ(urgent.scheduling.policy, SchedulingPolicy::rr);
        EXPECT_EQ(urgent.scheduling.priority, 3);
    }
    for (const ThreadReport& thread : std::span(outcome.threads).subspan(1)) {
        EXPECT_EQ(thread.scheduling, Scheduling{.timer_slack_ns = 3000});
        EXPECT_EQ(thread.priority_error + thread.slack_error, "");
    }
}

TYPED_TEST(Granted, ThreadsCountTheirOwnTimeAndSwitches) {
    const RunOutcome outcome = this->outcome_of([](Plan&) {});
    double cpu_time_s = 0;
    std::vector<int> tids;
    for (const ThreadReport& thread : outcome.threads) {
        EXPECT_GE(thread.cpu_time_s, 0);
        EXPECT_LE(thread.cpu_time_s, static_cast<double>(outcome.elapsed_ns) * 1e-9 + 0.1);
        EXPECT_GE(thread.voluntary_switches, 0);
        EXPECT_GE(thread.involuntary_switches, 0);
        cpu_time_s += thread.cpu_time_s;
        tids.push_back(thread.tid);
    }
    EXPECT_GT(cpu_time_s, 0);
    std::ranges::sort(tids);
    EXPECT_TRUE(std::ranges::adjacent_find(tids) == tids.end());
}

TYPED_TEST(Granted, BlocksAndBuffersAreCountedUnderEveryScheduler) {
    this->outcome_of([](Plan&) {});
    for (const Task* task : this->flowgraph_->tasks()) {
        const TaskCounters& counters = task->counters();
        const std::span<const std::atomic<std::uint64_t>> histogram(counters.items_per_call);
        std::uint64_t counted = 0;
        for (const auto& bucket : histogram) counted += bucket;
        EXPECT_GT(counters.calls(), 0U);
        EXPECT_EQ(counted, counters.calls());
        EXPECT_LE(histogram::quantile(histogram, 0.05), histogram::quantile(histogram, 0.95));
    }
    for (const StreamBase* stream : this->flowgraph_->streams()) {
        ASSERT_TRUE(stream->fill_mean(0).has_value());
        // A reader on another CPU may have emptied the stream at every sample of the fill.
        const bool at_once = std::same_as<TypeParam, SingleThread>;
        EXPECT_GE(*stream->fill_mean(0), at_once ? 1e-9 : 0);
        EXPECT_LE(*stream->fill_mean(0), 1.0);
        EXPECT_FALSE(stream->fill_over_time(0));
    }
}

TYPED_TEST(Granted, AProfileHasTheFillOverTimeUnderEveryScheduler) {
    const RunOutcome outcome = this->outcome_of([](Plan& plan) { plan.run.metrics = Metrics::profile; });
    for (const StreamBase* stream : this->flowgraph_->streams()) {
        const std::optional<FillOverTime> fill = stream->fill_over_time(0);
        ASSERT_EQ(fill.has_value(), stream->kind() == StreamKind::ring);
        if (!fill) continue;
        EXPECT_LE(static_cast<std::int64_t>(fill->mean.size() - 1), outcome.elapsed_ns / fill->bin_ns);
        for (std::size_t i = 0; i < fill->mean.size(); ++i) {
            ASSERT_EQ(fill->mean[i].has_value(), fill->max[i].has_value());
            EXPECT_LE(fill->mean[i], fill->max[i]);
        }
    }
}

TYPED_TEST(Granted, TheMemoryPolicyIsReadBack) {
    const RunOutcome plain = this->outcome_of([](Plan&) {});
    for (const ThreadReport& thread : plain.threads)
        EXPECT_TRUE(thread.numa == "default" || thread.numa.empty()) << thread.numa;
    for (const auto& [requested, reported] :
         {std::pair("0", "bind 0"), std::pair("local", "local"), std::pair("interleave", "interleave 0")}) {
        const RunOutcome outcome = this->outcome_of([requested](Plan& plan) { plan.memory.numa = requested; });
        for (const ThreadReport& thread : outcome.threads) {
            if (!thread.numa_error.empty() || thread.numa.empty()) continue;  // not granted, or not reported
            EXPECT_TRUE(thread.numa.starts_with(reported)) << thread.numa;
        }
    }
}

TYPED_TEST(Granted, LockedMemoryIsWhatTheKernelCounts) {
// This build uses clang++ only for sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
    GTEST_SKIP() << "sanitizers answer mlockall themselves, and lock nothing";
#endif
    const RunOutcome outcome = this->outcome_of([](Plan& plan) { plan.memory.lock = true; });
    const MemoryGranted memory = read_memory_granted();
    ASSERT_TRUE(memory.locked.has_value());
    EXPECT_EQ(*memory.locked > 0, outcome.memory.lock_error.empty());
    ::munlockall();
}

TYPED_TEST(Granted, HugePagesAreRequestedAndCounted) {
    const RunOutcome outcome = this->outcome_of([](Plan& plan) { plan.memory.hugepages = true; });
    EXPECT_TRUE(!outcome.memory.hugepages_error.empty() || read_memory_granted().huge_pages.has_value());
}

TEST(Accounting, CountsFromItsBeginning) {
    std::thread([] {
        ThreadReport report = set_up_thread("counted", {});
        for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
        begin_accounting(report);
        for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
        account_thread(report);
        EXPECT_GE(report.voluntary_switches, 5);
        EXPECT_LT(report.voluntary_switches, 20);
        EXPECT_LT(report.cpu_time_s, 0.1);
    }).join();
}

TEST(Accounting, SeesAMigration) {
    const std::vector<int> cpus = thread_cpus();
    if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
    std::thread([&] {
        ThreadReport report = set_up_thread("moved", std::span(cpus).first(1));
        begin_accounting(report);
        if (report.migrations < 0) GTEST_SKIP() << "this kernel does not count migrations";
        for (int i = 0; i < 6; ++i) {
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(i + 1) % 2]), &set);
            ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
        }
        account_thread(report);
        EXPECT_GE(report.migrations, 5);
    }).join();
}

}  // namespace
