// Tests the interference checks on synthetic texts of /proc.
#include "weir/interference.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace {

using namespace weir;

constexpr std::int64_t kSecond = 1'000'000'000;

/// A line of /proc/stat, in ticks of 10 ms.
std::string line(const std::string& cpu, int user, int idle, int iowait, int steal) {
    return cpu + " " + std::to_string(user) + " 0 0 " + std::to_string(idle) + " " + std::to_string(iowait) + " 0 0 " +
           std::to_string(steal) + " 0 0\n";
}

/// Reading of two CPUs after `seconds`, with the idle, disk-wait and stolen time of each.
struct Cpu {
    double idle_s = 0, iowait_s = 0, steal_s = 0;
};
MachineReading reading(double seconds, double own_s, Cpu a, Cpu b) {
    const auto ticks = [](double s) { return static_cast<int>(100 * s); };
    const auto row = [&](const std::string& name, const Cpu& cpu) {
        const double busy = seconds - cpu.idle_s - cpu.iowait_s - cpu.steal_s;
        return line(name, ticks(busy), ticks(cpu.idle_s), ticks(cpu.iowait_s), ticks(cpu.steal_s));
    };
    MachineReading r;
    const Cpu both{a.idle_s + b.idle_s, a.iowait_s + b.iowait_s, a.steal_s + b.steal_s};
    const std::string all = line("cpu ", 1000 + ticks(2 * seconds - both.idle_s - both.iowait_s - both.steal_s),
                                 ticks(both.idle_s), ticks(both.iowait_s), ticks(both.steal_s));
    EXPECT_TRUE(read_stat(all + row("cpu0", a) + row("cpu1", b) + "intr 5 6 7\n", r));
    r.time_ns = 5 * kSecond + static_cast<std::int64_t>(seconds * 1e9);
    r.own_ns = static_cast<std::int64_t>(own_s * 1e9);
    return r;
}
const MachineReading kStart = reading(0, 0, {}, {});
const std::vector<int> kBoth{0, 1}, kFirst{0};

ThreadReport worker(std::vector<int> cpus, std::int64_t delay_ns = 0, std::int64_t slices = 1) {
    ThreadReport report;
    report.name = "w" + std::to_string(cpus.front());
    report.cpus_granted = std::move(cpus);
    report.run_delay_ns = delay_ns;
    report.time_slices = slices;
    return report;
}

Conditions quiet(const std::vector<ThreadReport>& threads) {
    return {0.5, 1, 2, other_programs_between(kStart, reading(10, 19, {.5}, {.5}), kBoth), threads, 10 * kSecond};
}

const std::vector<ThreadReport> kWorkers{worker({0}), worker({1})};

TEST(OtherProgramsTime, IsNeitherIdleNorTheRunsOwn) {
    const auto f = other_programs_between(kStart, reading(10, 8, {6, 1}, {2, 0}), kBoth);
    ASSERT_TRUE(f);
    EXPECT_NEAR(f->share, 3 / 20.0, 1e-9);  // of 20 s, 9 were idle and 8 the run's own
    EXPECT_EQ(f->steal, 0);
}

TEST(OtherProgramsTime, CountsOnlyTheRunsCpus) {
    const auto f = other_programs_between(kStart, reading(10, 9, {1}, {0}), kFirst);
    ASSERT_TRUE(f);
    EXPECT_NEAR(f->share, 0.0, 1e-9);  // other programs kept the other CPU busy
}

TEST(OtherProgramsTime, ExcludesSleepAndWakeUpOfTheRunsThreads) {
    MachineReading after = reading(1, 1.4, {.2}, {.2});  // of 2 s, 0.2 are neither idle nor the run's own
    EXPECT_NEAR(other_programs_between(kStart, after, kBoth)->share, .2 / 2, 1e-9);
    after.own_sleeps = 40'000;
    EXPECT_NEAR(other_programs_between(kStart, after, kBoth)->share, (.2 - .16) / 2, 1e-9);
    after.own_sleeps = 1'000'000;
    EXPECT_EQ(other_programs_between(kStart, after, kBoth)->share, 0);
}

TEST(OtherProgramsTime, StealIsSeparate) {
    const auto f = other_programs_between(kStart, reading(10, 12, {0, 0, 4}, {0, 0, 4}), kBoth);
    ASSERT_TRUE(f);
    EXPECT_NEAR(f->steal, 8 / 20.0, 1e-9);
    EXPECT_NEAR(f->share, 0.0, 1e-9);
    EXPECT_NEAR(*steal_between(kStart, reading(10, 12, {0, 0, 4}, {0, 0, 4})), 8 / 20.0, 1e-9);
}

TEST(OtherProgramsTime, IsAbsentIfTheKernelDoesNotReportIt) {
    MachineReading broken;
    EXPECT_FALSE(read_stat("cpu  1 2 3\n", broken));
    EXPECT_FALSE(read_stat("", broken));
    EXPECT_FALSE(other_programs_between(kStart, reading(10, 0, {}, {}), std::vector<int>{7}));
    MachineReading standing = kStart;  // gVisor's totals do not move
    standing.time_ns += 10 * kSecond;
    EXPECT_FALSE(other_programs_between(kStart, standing, kBoth));
}

TEST(OtherProgramsTime, TheRealMachineIsRead) {
    const MachineReading now = read_machine();
    EXPECT_GT(now.time_ns, 0);
    EXPECT_GT(now.own_ns, 0);
    ::usleep(1);
    EXPECT_GT(read_machine().own_sleeps, now.own_sleeps);
    EXPECT_TRUE(now.all.total == 0 || !now.cpus.empty());
}

TEST(Interference, AQuietRunIsNotFlagged) { EXPECT_EQ(describe_interference(quiet(kWorkers)), ""); }

TEST(Interference, SaysHowMuchOfTheRunsCpusOtherProgramsUsed) {
    Conditions c = quiet(kWorkers);
    c.other_programs = other_programs_between(kStart, reading(10, 12, {1, 0, 1}, {1}), kBoth);
    EXPECT_EQ(describe_interference(c),
              "other programs used 30 % of the 2 CPUs during this run (other processes 25 %, steal 5 %)");
    c.other_programs = other_programs_between(kStart, reading(10, 17, {.6, 0, .5}, {.5}), kBoth);  // 1.9 of 20 s
    EXPECT_EQ(describe_interference(c), "");
}

TEST(Interference, TheInterferenceLoadDoesNotCountAsOtherPrograms) {
    MachineReading after = reading(10, 8, {6, 1}, {2, 0});
    after.ordered_ns = 2 * kSecond;
    EXPECT_NEAR(other_programs_between(kStart, after, kBoth)->share, 1 / 20.0, 1e-9);
    after.ordered_ns = -kSecond;  // one of the load's processes has ended
    EXPECT_NEAR(other_programs_between(kStart, after, kBoth)->share, 3 / 20.0, 1e-9);
    const std::vector<ThreadReport> delayed{worker({0}), worker({1}, 1'200'000'000, 300)};
    Conditions c = quiet(delayed);
    c.load = 4.25;
    c.runnable = 4;
    EXPECT_NE(describe_interference(c), "");
    c.ordered = 4;
    EXPECT_EQ(describe_interference(c), "");
    c.other_programs = other_programs_between(kStart, reading(10, 12, {1, 0, 1}, {1}), kBoth);
    EXPECT_EQ(describe_interference(c).find("besides the interference load, other programs used 30 %"), 0U);
    c.runnable = 6;
    EXPECT_NE(describe_interference(c).find("the run began at a load average"), std::string::npos);
}

TEST(Interference, TheCpuTimeOfAProcessIsRead) {
    const std::vector<int> here{static_cast<int>(::getpid())}, gone{0};
    EXPECT_GT(read_machine(here).ordered_ns, 0);
    EXPECT_EQ(read_machine(gone).ordered_ns, 0);
    EXPECT_EQ(read_machine().ordered_ns, 0);
}

TEST(Interference, PossibleRoundingDoesNotCount) {
    Conditions c = quiet(kWorkers);
    c.other_programs =
        other_programs_between(kStart, reading(0.1, 0.17, {}, {}), kBoth);  // 15 % of 0.1 s: 1.5 ticks a CPU
    EXPECT_EQ(describe_interference(c), "");
    c.other_programs = other_programs_between(kStart, reading(1, 1.7, {}, {}), kBoth);
    EXPECT_NE(describe_interference(c), "");
}

TEST(Interference, ALoadAboveTheCpusCountsIfOtherThreadsAreStillRunnable) {
    Conditions c = quiet(kWorkers);
    c.load = 4.25;
    EXPECT_EQ(describe_interference(c), "");  // the load average comes from an earlier run
    c.runnable = 2;
    EXPECT_EQ(describe_interference(c), "the run began at a load average of 4.2 on 2 CPUs");
    EXPECT_EQ(others_runnable("2.30 1.41 0.67 6/123 22407\n"), 5U);
    EXPECT_EQ(others_runnable("0.00 0.00 0.00 1/90 7\n"), 0U);
    EXPECT_EQ(others_runnable("nonsense"), std::nullopt);
}

TEST(Interference, AWorkerThatWaitsForItsNextPeriodIsNotDisturbed) {
    ThreadReport due = worker({0}, 9 * kSecond, 1000);
    EXPECT_NE(describe_interference(quiet({due, worker({1})})), "");
    due.scheduling.policy = SchedulingPolicy::deadline;
    EXPECT_EQ(describe_interference(quiet({due, worker({1})})), "");
}

TEST(Interference, LongPreemptionsCountAndWakingUpDoesNot) {
    // 100,000 times 20 us of waking up are 20 % of the run; 300 time slices of 4 ms are 12 %.
    EXPECT_EQ(describe_interference(quiet({worker({0}, 2 * kSecond, 100'000), worker({1})})), "");
    EXPECT_EQ(describe_interference(quiet({worker({0}), worker({1}, 1'200'000'000, 300)})),
              "worker w1 was ready to run but waited for a CPU for 1.2 s (12 % of the run)");
    EXPECT_EQ(describe_interference(quiet({worker({0}), worker({1}, -1, -1)})), "");
}

TEST(Interference, WorkersThatShareACpuWaitForEachOther) {
    EXPECT_EQ(describe_interference(quiet({worker({0, 1}), worker({0, 1}), worker({0, 1}, 5 * kSecond, 300)})), "");
    EXPECT_EQ(describe_interference(quiet({worker({0}, 5 * kSecond, 300), worker({0})})), "");
}

}  // namespace
