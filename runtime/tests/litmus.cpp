// Two threads on two cores meet many thousand times in a store followed by a load: `litmus CASE TIMES` exits 0 when the
// outcome that seq_cst forbids never came in so many times the case's rounds, 1 when it did, and 77 where the process
// has fewer than two CPUs.
// `test_orders.py` builds it against the runtime as it is, and with a store weakened.
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "litmus_cases.hpp"
#include "weir/digest.hpp"

namespace {

using namespace weir;
using namespace weir::litmus;

constexpr int kMissed = 1, kUsage = 2, kSkipped = 77;

std::vector<int> cpus_of_process() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    }
    return cpus;
}

void pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

/// Where the two threads wait for each other.
class Meeting {
  public:
    void meet(std::size_t me) noexcept {
        Arrivals& mine = arrivals_[me];
        mine.count.store(++mine.own, std::memory_order_release);
        for (int spins = 0; arrivals_[1 - me].count.load(std::memory_order_acquire) < mine.own; ++spins) {
            if (spins > 1'000) ::sched_yield();  // the other one is not on its core just now
        }
    }

  private:
    struct alignas(kCacheLine) Arrivals {
        std::atomic<std::uint64_t> count{0};
        alignas(kCacheLine) std::uint64_t own = 0;
    };
    Arrivals arrivals_[2];
};

/// Lines that both threads write by turns. What is stored to them before the store in question stands before it in the
/// store buffer, as a block's items do, and keeps it there the longer.
class Items {
  public:
    void write(std::uint64_t value) noexcept {
        for (auto& line : lines_) line.value.store(value, std::memory_order_relaxed);
    }

  private:
    struct alignas(kCacheLine) Line {
        std::atomic<std::uint64_t> value{0};
    };
    std::array<Line, 16> lines_;
};

/// A little while, another one each time: the two threads shall meet at every distance.
class Delay {
  public:
    explicit Delay(std::uint64_t seed) noexcept : state_(seed) {}
    void operator()() noexcept {
        state_ = splitmix64(state_);
        const std::uint64_t most = std::uint64_t{1} << state_ % 12;
        for (std::uint64_t i = (state_ >> 8) % most; i != 0; --i) asm volatile("" ::: "memory");
    }

  private:
    std::uint64_t state_;
};

/// The round in which both missed the other; 0: none.
template <class Case> std::uint64_t hammer(std::uint64_t rounds, int changers_cpu, int lookers_cpu) {
    Case subject;
    Meeting meeting;
    Items items;
    std::uint64_t missed_in = 0;  // the looker's, read by the changer only where both have met
    std::thread changer([&] {
        pin_to(changers_cpu);
        Delay delay(1);
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            meeting.meet(0);
            if (missed_in != 0) return;
            subject.changer_glances();
            meeting.meet(0);
            delay();
            items.write(round);
            subject.changer();
            meeting.meet(0);
        }
    });
    pin_to(lookers_cpu);
    Delay delay(2);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        items.write(0);
        meeting.meet(1);
        if (missed_in != 0) break;
        subject.looker_glances();
        meeting.meet(1);
        delay();
        subject.looker();
        meeting.meet(1);
        if (subject.missed()) missed_in = round;
    }
    changer.join();
    return missed_in;
}

struct Entry {
    std::string_view name;
    std::uint64_t (*hammer)(std::uint64_t, int, int);
    std::uint64_t rounds;
};

// Some make a stream or a thread a round, which takes its time.
constexpr std::uint64_t kMany = 20'000, kFewer = 4'000, kFew = 1'000;
constexpr Entry kCases[] = {
    {"park_write", hammer<Park<Write>>, kMany},
    {"park_read", hammer<Park<Read>>, kMany},
    {"park_end", hammer<Park<EndOfStream>>, kFewer},
    {"park_stop", hammer<ParkStop>, kFew},
    {"claim_write", hammer<Claim<Write>>, kMany},
    {"claim_read", hammer<Claim<Read>>, kMany},
    {"claim_end", hammer<Claim<EndOfStream>>, kFewer},
    {"bed_ring", hammer<BedRing>, kMany},
    {"bed_state", hammer<BedState>, kMany},
};

}  // namespace

int main(int argc, char** argv) {
    const std::vector<int> cpus = cpus_of_process();
    if (cpus.size() < 2) return kSkipped;
    ::setenv("WEIR_UNMIRRORED", "1", 1);  // a cheaper stream
    for (const Entry& entry : kCases) {
        if (argc != 3 || entry.name != argv[1]) continue;
        const std::uint64_t rounds = entry.rounds * std::strtoull(argv[2], nullptr, 10);
        const std::uint64_t missed_in = entry.hammer(rounds, cpus.front(), cpus.back());
        if (missed_in == 0) return 0;
        std::printf("both missed in round %llu\n", static_cast<unsigned long long>(missed_in));
        return kMissed;
    }
    std::fprintf(stderr, "litmus CASE TIMES\n");
    return kUsage;
}
