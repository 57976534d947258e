// Tests real-time rights and refusals, with invented rights and sysfs trees and with threads of this process.
#include "weir/realtime.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "weir/clock.hpp"

namespace {

using namespace weir;

constexpr Scheduling kFifo{.policy = SchedulingPolicy::fifo, .priority = 50};
constexpr Scheduling kRoundRobin{.policy = SchedulingPolicy::rr, .priority = 3};
constexpr Scheduling kDeadline{
    .policy = SchedulingPolicy::deadline, .runtime_us = 500, .deadline_us = 5'000, .period_us = 10'000};
constexpr RealtimeShare kUsual{950'000, 1'000'000};

/// Return the report about a thread that requests the policy `asked`.
ThreadReport granted_for(const Scheduling& requested, const std::function<void(ThreadReport&)>& then = {}) {
    ThreadReport report;
    std::thread([&] {
        report = set_up_thread("asks", {}, requested);
        if (then) then(report);
    }).join();
    return report;
}

class Tree : public ::testing::Test {
  protected:
    Tree() { std::filesystem::remove_all(root_); }
    ~Tree() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    void share(const std::string& folder, const std::string& prefix, const std::string& runtime) {
        write(folder + "/" + prefix + "rt_runtime_us", runtime);
        write(folder + "/" + prefix + "rt_period_us", "1000000\n");
    }

    std::filesystem::path root_ =
        std::filesystem::temp_directory_path() / ("weir-realtime-" + std::to_string(::gettid()));
};

TEST_F(Tree, WithBothControlGroupVersionsTheOwnGroupAndTheTotalShareAreRead) {
    write("proc/self/status", "Name:\tx\nCapInh:\t0000000000000000\nCapEff:\t0000000000800000\nCapBnd:\t0\n");
    write("proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:/a/b\n0::/a\n");
    write("proc/self/mounts",
          "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
          "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n");
    share("proc/sys/kernel", "sched_", "-1\n");
    share("sys/fs/cgroup/cpu/a/b", "cpu.", "0\n");
    const RealtimeRights rights = realtime_rights(root_);
    EXPECT_TRUE(rights.capable);
    ASSERT_TRUE(rights.machine && rights.group);
    EXPECT_EQ(rights.machine->of_a_cpu(), 1);
    EXPECT_EQ(rights.group->of_a_cpu(), 0);
    EXPECT_EQ(rights.group_file, root_ / "sys/fs/cgroup/cpu/a/b/cpu.rt_runtime_us");
}

TEST_F(Tree, AContainersOnlyVisibleGroupIsRead) {
    write("proc/self/cgroup", "4:cpu:/docker/0123\n");
    write("proc/self/mounts", "cgroup /cg cgroup ro,cpu 0 0\n");
    share("cg", "cpu.", "400000\n");
    ASSERT_TRUE(realtime_rights(root_).group);
    EXPECT_EQ(realtime_rights(root_).group->of_a_cpu(), 0.4);
}

TEST_F(Tree, UnreportedValuesAreAbsent) {
    for (const bool others : {false, true}) {
        if (others) {
            write("proc/self/status", "Name:\tCapEff:\nCapEff:\t00000000000000ff\n");
            write("proc/self/cgroup", "0::/a\n");
            write("proc/self/mounts", "cgroup2 /cg cgroup2 rw,cpu 0 0\n");
            share("cg/a", "cpu.", "0\n");
        }
        const RealtimeRights rights = realtime_rights(root_);
        EXPECT_FALSE(rights.capable || rights.machine || rights.group);
    }
}

TEST(Refused, AMissingRightIsNamedWithTheCommand) {
    const RealtimeRights none;
    EXPECT_EQ(why_refused(kFifo, EPERM, none),
              "Operation not permitted: priority 50 needs CAP_SYS_NICE or a higher limit than 0: "
              "sudo prlimit --pid $$ --rtprio=50:50");
    EXPECT_NE(why_refused(kRoundRobin, EPERM, {.highest_priority = 2}).find("a higher limit than 2: "),
              std::string::npos);
    EXPECT_NE(
        why_refused(kDeadline, EPERM, {.highest_priority = 99}).find("a deadline needs CAP_SYS_NICE; run as root"),
        std::string::npos);
}

TEST(Refused, WithTheRightAnotherObstacleIsNamed) {
    RealtimeRights rights{.capable = true,
                          .machine = kUsual,
                          .group = RealtimeShare{0, 1'000'000},
                          .group_file = "/cg/cpu.rt_runtime_us"};
    EXPECT_EQ(why_refused(kFifo, EPERM, rights),
              "Operation not permitted: its control group has no real-time share: "
              "echo 950000 | sudo tee /cg/cpu.rt_runtime_us");
    EXPECT_NE(why_refused(kDeadline, EPERM, rights).find("root domain"), std::string::npos);
    rights.group = kUsual;
    EXPECT_NE(why_refused(kFifo, EPERM, rights).find("user namespace"), std::string::npos);
    rights.capable = false;
    rights.highest_priority = 50;
    EXPECT_EQ(why_refused(kFifo, EPERM, rights), "Operation not permitted");
    rights = {.capable = true, .machine = RealtimeShare{0, 1'000'000}};
    EXPECT_NE(why_refused(kDeadline, EPERM, rights).find("kernel.sched_rt_runtime_us is 0"), std::string::npos);
}

TEST(Refused, ADeadlineThatIsNotAdmittedOrPossible) {
    EXPECT_EQ(why_refused(kDeadline, EBUSY, {.machine = kUsual}),
              "Device or resource busy: Linux did not admit it: together with all other deadlines, its 5 % of a CPU "
              "exceeds the limit, which is 95 % of each CPU (kernel.sched_rt_runtime_us)");
    EXPECT_NE(why_refused(kDeadline, EINVAL, {}).find("sched_deadline_period_min_us"), std::string::npos);
    EXPECT_EQ(why_refused(kFifo, EINVAL, {}), "Invalid argument");
}

/// A worker that ran for `ran_s` and waited for its CPU for `delay_s`, in `pieces` pieces.
ThreadReport worker(double ran_s, double delay_s, int pieces, Scheduling scheduling = kFifo) {
    ThreadReport report;
    report.scheduling = scheduling;
    report.cpu_time_s = ran_s;
    report.run_delay_ns = static_cast<std::int64_t>(delay_s * 1e9);
    report.involuntary_switches = pieces;
    return report;
}

TEST(Throttled, IsAWorkerStoppedForThatPartOfEachPeriod) {
    const RealtimeRights usual{.machine = kUsual};
    EXPECT_NEAR(throttled_share(worker(9.5, 0.5, 10), usual).value_or(0), 0.05, 1e-9);
    EXPECT_NEAR(throttled_share(worker(1.85, 0.05, 1), usual).value_or(0), 0.0263,
                1e-4);  // one throttling in nearly two periods
    EXPECT_TRUE(throttled_share(worker(9.5, 0.5, 10, kRoundRobin), usual));
    const RealtimeRights group{.machine = kUsual, .group = RealtimeShare{400'000, 1'000'000}};
    EXPECT_NEAR(throttled_share(worker(4, 6, 10), group).value_or(0), 0.6, 1e-9);
}

TEST(Throttled, IsNoOtherWorker) {
    const RealtimeRights usual{.machine = kUsual};
    EXPECT_FALSE(throttled_share(worker(9.5, 0.5, 10, {}), usual));         // other threads use the CPU, too
    EXPECT_FALSE(throttled_share(worker(9.5, 0.5, 10, kDeadline), usual));  // it has its own runtime budget
    EXPECT_FALSE(throttled_share(worker(5, 5, 50), usual));                 // another real-time thread had the CPU
    EXPECT_FALSE(throttled_share(worker(10, 0.02, 10), usual));             // shorter than any throttling
    EXPECT_FALSE(throttled_share(worker(9.5, 0.5, 5000), usual));           // short pieces
    EXPECT_FALSE(throttled_share(worker(0.4, 0.03, 1), usual));             // its budget exceeds what it used
    EXPECT_FALSE(throttled_share(worker(9.5, -1, 10), usual));              // the kernel does not report it
    EXPECT_FALSE(throttled_share(worker(9.5, 0.5, 10), {}));
    EXPECT_FALSE(throttled_share(worker(9.5, 0.5, 10), {.machine = RealtimeShare{-1, 1'000'000}}));
}

TEST(Requested, APolicyIsReadBackWithItsPriority) {
    for (const Scheduling& requested : {kFifo, kRoundRobin}) {
        const ThreadReport report = granted_for(requested);
        if (!report.priority_error.empty()) GTEST_SKIP() << report.priority_error;
        EXPECT_EQ(report.scheduling.policy, requested.policy);
        EXPECT_EQ(report.scheduling.priority, requested.priority);
    }
}

TEST(Requested, ADeadlineIsReadBackAndKept) {
    const ThreadReport report = granted_for(kDeadline, [](ThreadReport& own) {
        if (own.scheduling.policy != SchedulingPolicy::deadline) return;
        begin_accounting(own);
        const std::int64_t end_ns = monotonic_ns() + 200'000'000;
        while (monotonic_ns() < end_ns) {
        }
        account_thread(own);
    });
    if (!report.priority_error.empty()) GTEST_SKIP() << report.priority_error;
    Scheduling expected = kDeadline;
    expected.timer_slack_ns = report.scheduling.timer_slack_ns;
    EXPECT_EQ(report.scheduling, expected);
    EXPECT_LT(report.cpu_time_s, 0.1);  // 10 ms of these 200; a second thread would double that
}

TEST(Requested, DeadlinesBeyondTheCpusCapacityAreNotAdmitted) {
    const RealtimeRights rights = realtime_rights();
    if (!rights.machine || rights.machine->of_a_cpu() == 1) GTEST_SKIP() << "this kernel admits everything";
    Scheduling whole = kDeadline;
    whole.runtime_us = whole.deadline_us = whole.period_us;
    const std::size_t count = thread_cpus().size() + 1;
    std::vector<std::string> refused(count);
    std::latch all_requested(static_cast<std::ptrdiff_t>(count));
    std::mutex turn;
    {
        std::vector<std::jthread> threads;
        for (std::string& error : refused) {
            threads.emplace_back([&] {
                {
                    const std::lock_guard lock(turn);
                    error = set_up_thread("asks", {}, whole).priority_error;
                }
                all_requested.arrive_and_wait();  // each requests its policy while the earlier ones hold theirs
            });
        }
    }
    std::ranges::sort(refused);
    if (!refused.front().empty()) GTEST_SKIP() << refused.front();
    EXPECT_NE(refused.back().find("did not admit"), std::string::npos) << refused.back();
}

TEST(Requested, TheTimerSlackIsReadBackAndZeroForRealTime) {
    for (const std::uint64_t slack_ns : {std::uint64_t{1}, std::uint64_t{70'000}, std::uint64_t{1'000'000'000}}) {
        const ThreadReport report = granted_for({.timer_slack_ns = slack_ns});
        EXPECT_EQ(report.scheduling, Scheduling{.timer_slack_ns = slack_ns});
        EXPECT_EQ(report.slack_error, "");
    }
    Scheduling requested = kFifo;
    requested.timer_slack_ns = 70'000;
    const ThreadReport report = granted_for(requested);
    if (!report.priority_error.empty()) GTEST_SKIP() << report.priority_error;
    EXPECT_TRUE(report.scheduling.timer_slack_ns == 0 || report.scheduling.timer_slack_ns == 70'000)
        << report.scheduling.timer_slack_ns;
    EXPECT_EQ(report.slack_error, "");
}

}  // namespace
