// Counts that Linux keeps for a thread. Page faults are really counted if perf_event_open is permitted. The CPU's own
// counters may be absent, so for those the test covers the arithmetic, and requires that each is present or has a
// reason.
#include "weir/cpu_counters.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "weir/memory.hpp"
#include "weir/thread.hpp"

namespace {

using namespace weir;

constexpr std::size_t kPageFaults = 6;

TEST(EventReading, IsScaledByTheTimeWithoutACounter) {
    EXPECT_EQ((EventReading{100, 10, 10}.scaled()), 100U);
    EXPECT_EQ((EventReading{100, 10, 4}.scaled()), 250U);
    EXPECT_EQ((EventReading{100, 10, 4}.counted()), 0.4);
    constexpr std::uint64_t kMany = (std::uint64_t{1} << 62U) + 1;  // a double would round this
    EXPECT_EQ((EventReading{kMany, 10, 10}.scaled()), kMany);
}

TEST(EventReading, ThatNeverHadACounterIsUnknown) {
    for (const EventReading never : {EventReading{0, 0, 0}, EventReading{0, 10, 0}}) {
        EXPECT_EQ(never.scaled(), std::nullopt);
        EXPECT_EQ(never.counted(), 0);
    }
}

CpuCounts counts(std::uint64_t each, double counted, bool user_only) {
    CpuCounts of;
    of.counts.fill(each);
    of.counted = counted;
    of.user_only = user_only;
    return of;
}

TEST(CpuCounts, OfAllThreadsAreTheirSumAndLackWhatOneLacks) {
    EXPECT_FALSE(sum_of({}));
    std::vector<CpuCounts> threads{counts(1, 0.9, false), counts(10, 0.5, true), counts(100, 1, false)};
    threads[1].counts[3].reset();
    threads[1].errors[3] = EBUSY;
    const auto sum = sum_of(threads);
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->counts[0], 111U);
    EXPECT_EQ(sum->counts[3], std::nullopt);
    EXPECT_EQ(sum->errors[3], EBUSY);
    EXPECT_EQ(sum->counted, 0.5);
    EXPECT_TRUE(sum->user_only);
}

TEST(MissingText, NamesTheEventsOncePerReason) {
    CpuCounts of = counts(1, 1, false);
    EXPECT_EQ(missing_text(of, 2), "");
    for (const std::size_t i : {0, 1, 4}) of.counts[i].reset();
    of.errors = {ENOENT, EOPNOTSUPP, 0, 0, EBUSY, 0, 0};
    EXPECT_EQ(missing_text(of, 2),
              "cycles, instructions: this machine does not have the event; l1d_load_misses: other programs used the "
              "CPU's counters; sudo sysctl kernel.nmi_watchdog=0 frees the counter that Linux's watchdog uses");
}

TEST(MissingText, SaysWhatPermitsThem) {
    CpuCounts of = counts(1, 1, false);
    of.counts[6].reset();
    of.errors[6] = EACCES;
    EXPECT_EQ(missing_text(of, 3),
              "page_faults: not permitted: kernel.perf_event_paranoid is 3; "
              "sudo sysctl kernel.perf_event_paranoid=2 permits it");
    of.errors[6] = EPERM;
    EXPECT_EQ(missing_text(of, 2),
              "page_faults: not permitted: kernel.perf_event_paranoid is 2, which permits it, but something "
              "else does not, such as the rules of a container");
    EXPECT_EQ(missing_text(of, {}), "page_faults: Operation not permitted");
    of.errors[6] = ENOSYS;
    EXPECT_EQ(missing_text(of, {}), "page_faults: Linux has no perf_event_open here, or a container blocks it");
}

class Pages {
  public:
    explicit Pages(std::size_t count)
        : bytes_(count * page_size()),
          at_(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        EXPECT_NE(at_, MAP_FAILED);
        ::madvise(at_, bytes_, MADV_NOHUGEPAGE);
    }
    ~Pages() { ::munmap(at_, bytes_); }
    /// Hidden from ThreadSanitizer, whose shadow pages would be counted, too.
    __attribute__((no_sanitize("thread"))) void touch() const {
        for (std::size_t i = 0; i < bytes_; i += page_size()) static_cast<volatile char*>(at_)[i] = 1;
    }

  private:
    std::size_t bytes_;
    void* at_;
};

TEST(CpuCounters, CountThePagesThatTheirThreadTouchesBetweenBeginAndEnd) {
    const Pages before(512), meanwhile(1024), by_another(512), after(512);
    std::atomic<int> turn{0};  // the other thread starts first, because its start also touches pages of this thread
    std::jthread another([&] {
        turn.wait(0);
        by_another.touch();
        turn = 2;
        turn.notify_one();
    });
    CpuCounters counters;
    before.touch();
    counters.begin();
    meanwhile.touch();
    meanwhile.touch();  // these pages are mapped by now
    turn = 1;
    turn.notify_one();
    turn.wait(1);
    const CpuCounts found = counters.end();
    after.touch();
    const int error = found.errors[kPageFaults];
    if (error == EACCES || error == EPERM || error == ENOSYS)
        GTEST_SKIP() << missing_text(found, perf_event_paranoid());
    EXPECT_EQ(error, 0) << missing_text(found, {});
    EXPECT_GE(found.counts[kPageFaults].value_or(0), 1024U);
    EXPECT_LT(found.counts[kPageFaults].value_or(0),
              1024U + 512U);  // its code and stack, and the sanitizer's memory
}

TEST(CpuCounters, HaveEachEventOrAReason) {
    CpuCounters counters;
    counters.begin();
    const CpuCounts found = counters.end();
    for (std::size_t i = 0; i < kCpuEvents.size(); ++i)
        EXPECT_NE(found.counts[i].has_value(), found.errors[i] != 0) << kCpuEvents[i];
    for (const int error : found.errors) EXPECT_TRUE(error != EBUSY || found.counted == 0);
}

/// Counters of a thread that has first given up a resource.
template <class GiveUp> CpuCounts counted_after(GiveUp give_up) {
    CpuCounts found;
    std::thread([&] {
        give_up();
        CpuCounters counters;
        counters.begin();
        found = counters.end();
    }).join();
    return found;
}

std::ptrdiff_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST(CpuCounters, KeepNoFileAfterTheirThread) {
    const std::ptrdiff_t before = open_files();
    ThreadReport report;
    report.cpu_counters = std::make_shared<CpuCounters>();
    begin_accounting(report);
    account_thread(report);
    EXPECT_TRUE(report.cpu_counts);
    EXPECT_EQ(open_files(), before);
}

TEST(CpuCounters, AreAbsentIfTooFewFilesAreLeft) {
    const CpuCounts with_all = counted_after([] {});
    if (!with_all.counts[kPageFaults]) GTEST_SKIP() << missing_text(with_all, perf_event_paranoid());
    rlimit all{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &all), 0);
    const std::ptrdiff_t before = open_files();
    for (const rlim_t spare : {0, 20}) {  // no counter can be opened; or one can, but the others need more
        const rlimit few{static_cast<rlim_t>(before) - 1 + spare, all.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        CpuCounters counters;
        counters.begin();
        const CpuCounts found = counters.end();
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &all), 0);
        EXPECT_EQ(open_files(), before);
        for (std::size_t i = 0; i < kCpuEvents.size(); ++i) EXPECT_FALSE(found.counts[i]);
        EXPECT_TRUE(missing_text(found, {}).ends_with(
            "page_faults: the limit on open files is too low, as each event of a worker needs one; "
            "ulimit -n raises it"))
            << missing_text(found, {});
    }
}

TEST(CpuCounters, ExcludeTheKernelIfItMayNotBeCounted) {
    const std::optional<int> paranoid = perf_event_paranoid();
    if (!paranoid || *paranoid > 2) GTEST_SKIP() << "nothing is permitted here";
    const CpuCounts found = counted_after([] {
        if (::geteuid() == 0) {
            EXPECT_EQ(::syscall(SYS_setresuid, -1, 65534, -1), 0);
        }
    });
    if (found.errors[kPageFaults] != 0) GTEST_SKIP() << missing_text(found, paranoid);
    EXPECT_EQ(found.user_only, *paranoid == 2);
}

TEST(CpuCounters, AreOnlyRefusedInAContainerThatHidesTheCall) {
    for (const int error : {EPERM, ENOSYS}) {
        const CpuCounts found = counted_after([error] {
            sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
            const sock_fprog program{4, rules};
            EXPECT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
            EXPECT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
        });
        for (std::size_t i = 0; i < kCpuEvents.size(); ++i) {
            EXPECT_FALSE(found.counts[i]);
            EXPECT_EQ(found.errors[i], error);
        }
        EXPECT_FALSE(found.user_only);
    }
}

}  // namespace
