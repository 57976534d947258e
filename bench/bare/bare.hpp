// What the loops without a runtime have in common: where they run, and what one measurement of them says.
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "weir/clock.hpp"

namespace weir::bench {

struct Rate {
    double items_per_s = 0;
    double cpu_s_per_s = 0;              ///< of all threads together
    std::size_t buffer_bytes = 0;        ///< of the largest buffer
    std::size_t total_buffer_bytes = 0;  ///< of all of them
    double items_per_call = 0;           ///< of a stage; 0: there are no calls
};

/// The CPUs that the process was given, ascending.
inline std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    return cpus;
}

/// The calling thread to one CPU; ends the process where that is refused, as its number would be of another machine.
inline void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return;
    std::perror("bare: cannot pin");
    std::_Exit(1);
}

/// What a thread does while it waits for another one: the other thread of its core has the core meanwhile.
inline void breathe() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// CPU time of all threads of the process so far.
inline double cpu_time_s() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// From its making on: the clock and the CPU time.
class Stopwatch {
  public:
    double elapsed_s() const { return static_cast<double>(monotonic_ns() - start_ns_) * 1e-9; }
    Rate rate(std::uint64_t items) const {
        const double elapsed = elapsed_s();
        return {static_cast<double>(items) / elapsed, (cpu_time_s() - cpu_s_) / elapsed};
    }

  private:
    double cpu_s_ = cpu_time_s();
    std::int64_t start_ns_ = monotonic_ns();
};

/// FMA instructions on registers, on the calling thread: an item is one lane's.
Rate fma_peak(double seconds);

/// Six pipes, null_source -> head -> copy_rand x stages -> null_sink, dealt out to the CPUs; buffers of `buffer_bytes`.
Rate null_rand(const std::vector<int>& cpus, std::size_t stages, std::size_t buffer_bytes, double seconds);

/// `iterations` of busy_work an item by so many threads, dealt out to the CPUs: the items of all of them.
Rate busy_work(const std::vector<int>& cpus, std::size_t workers, std::int64_t iterations, std::size_t buffer_bytes,
               double seconds);

/// A chain of saxpy stages on the calling thread, a tile at a time; and whether it computes what its stages do one by one.
Rate chain(std::size_t stages, std::size_t tile_bytes, double seconds);
bool chain_is_right(std::size_t stages, std::size_t tile_bytes);

struct Pipeline {
    std::size_t stages;
    std::size_t slots;
    std::size_t slot_bytes;
};

/// A chain of saxpy stages, cut between two spinning threads on two CPUs.
Rate pipeline(const Pipeline& shape, int first_cpu, int second_cpu, double seconds);

/// Whether the pipeline computes, to the bit, what one stage after the other does item by item. Every slot is used
/// several times; no clock runs.
bool pipeline_is_right(const Pipeline& shape, int first_cpu, int second_cpu);

}  // namespace weir::bench
