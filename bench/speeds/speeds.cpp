// Measures the speeds of a machine for the planner (`codegen/weir/model/planning/speeds.py` explains their use). Each
// is the median of many short measurements on the CPUs of the process.
//
//     speeds --l1 32768 --l2 1048576 --seconds 0.5        bytes of a core's caches; approximate total time
//
// Prints one JSON object, all in ns: {"step", "varying_step", "l1_kib", "l2_kib", "l3_kib", "far_kib", "line", "wake"}.
// The last three are null with one CPU.
//
//     step           overhead of a chunk in a block with fixed rates, within a worker: one turn of the runtime's nodes
//                    and streams, without the time for the items
//     varying_step   the same for a block that decides how many items it moves: includes shorter calls at the end of a
//                    chunk, and moving items to the front of a stream
//     l?_kib         time for 1 KiB of float items through a kernel, y = a x + b, between buffers that all lie in L1,
//                    in L2, and beyond L2
//     far_kib        the same, from buffers that another core keeps writing
//     line           transfer of one cache line between two cores that both poll it
//     wake           time from waking a sleeping thread to its first instruction

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "copy/copy.hpp"
#include "copy_rand/copy_rand.hpp"
#include "null_sink/null_sink.hpp"
#include "null_source/null_source.hpp"
#include "weir/axpy.hpp"
#include "weir/bare.hpp"
#include "weir/clock.hpp"
#include "weir/node.hpp"
#include "weir/worker_loop.hpp"

namespace {

using namespace weir;

/// Returns the CPUs that the process may use, ascending.
std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    return cpus;
}

/// Pins the calling thread to one CPU. Ends the process if that fails, because the result would be wrong.
void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return;
    std::perror("speeds: cannot pin");
    std::_Exit(1);
}

/// Pauses in a spin loop, which leaves the core to its other hardware thread.
void breathe() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

using Measurement = std::function<double()>;  ///< one short measurement, in ns

/// Returns the median of as many measurements as fit into the time, at least three.
double median(double seconds, const Measurement& measure) {
    std::vector<double> found;
    measure();  // warms up caches and pages
    const std::int64_t end = monotonic_ns() + static_cast<std::int64_t>(seconds * 1e9);
    while (found.size() < 3 || monotonic_ns() < end) found.push_back(measure());
    std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2));
    return found[found.size() / 2];
}

/// Returns the mean ns of `count` calls of `work`.
template <class Work> double each(int count, Work work) {
    const std::int64_t start = monotonic_ns();
    for (int i = 0; i < count; ++i) work();
    return static_cast<double>(monotonic_ns() - start) / count;
}

// Nodes.

constexpr std::size_t kStages = 8;

/// Chain null_source -> kStages of B -> null_sink with linear streams of `items`, stepped like in a worker.
template <class B> class Chain {
  public:
    explicit Chain(std::size_t items) {
        for (std::size_t i = 0; i <= kStages; ++i)
            streams_.push_back(
                std::make_unique<Stream<float>>(StreamSpec{.name = "s", .items = items, .kind = StreamKind::linear}));
        nodes_.push_back(std::make_unique<Node<blocks::NullSource<float>>>(
            NodeSpec{.name = "source", .chunk_items = items}, blocks::NullSource<float>::Params{}, ins(),
            outs(*streams_[0])));
        for (std::size_t i = 0; i < kStages; ++i)
            nodes_.push_back(std::make_unique<Node<B>>(NodeSpec{.name = "stage", .chunk_items = items},
                                                       typename B::Params{}, ins(*streams_[i]),
                                                       outs(*streams_[i + 1])));
        nodes_.push_back(std::make_unique<Node<blocks::NullSink<float>>>(NodeSpec{.name = "sink", .chunk_items = items},
                                                                         blocks::NullSink<float>::Params{},
                                                                         ins(*streams_[kStages]), outs()));
        for (auto& node : nodes_) {
            BlockContext context;
            context.seed = ++seed_;
            node->start(context);
        }
    }

    void pass() {
        for (auto& node : nodes_) node->turn(kMostSteps, Leave::some);
    }

    std::uint64_t items() const { return nodes_.back()->counters().items_in; }

  private:
    std::uint64_t seed_ = 0;
    std::vector<std::unique_ptr<Stream<float>>> streams_;
    std::vector<std::unique_ptr<Task>> nodes_;
};

/// Returns the ns of one stage for each chunk of `items`.
template <class B> double chunk_ns(Chain<B>& chain, std::size_t items) {
    constexpr int kPasses = 64;
    const std::uint64_t before = chain.items();
    const double ns = each(kPasses, [&] { chain.pass(); }) * kPasses;
    const double chunks = static_cast<double>(chain.items() - before) / static_cast<double>(items);
    return ns / chunks / kStages;
}

/// Returns the overhead of a chunk in one stage, in ns: extrapolates the times of two chunk sizes to 0 items.
template <class B> double beside_items_ns(double seconds, std::size_t items) {
    constexpr std::size_t kTimes = 4;
    Chain<B> few(items), many(kTimes * items);
    return median(seconds,
                  [&] { return (kTimes * chunk_ns(few, items) - chunk_ns(many, kTimes * items)) / (kTimes - 1); });
}

// Memory.

/// Returns the ns for 1 KiB of items through the kernel, between buffers of `bytes` in total.
double memory_ns(double seconds, std::size_t bytes) {
    constexpr std::size_t kBuffers = 6, kLine = 64 / sizeof(float);
    std::size_t items = bytes / kBuffers / sizeof(float) / kLine * kLine;
    const bare::Buffer all = bare::make_buffer(items * kBuffers);
    float a = 0.75F, b = 0.5F;
    asm volatile("" : "+m"(a), "+m"(b), "+r"(items));  // keeps the compiler from using the values as constants
    const int rounds = std::max(1, static_cast<int>(262'144 / bytes));
    return median(seconds, [&] {
        const double ns = each(rounds, [&] {
            for (std::size_t i = 0; i < kBuffers; ++i) {
                float* const to = all.get() + (i + 1) % kBuffers * items;
                axpy(a, all.get() + i * items, b, to, items);
                asm volatile("" : : "r"(to) : "memory");
            }
        });
        return ns / static_cast<double>(items * kBuffers * sizeof(float)) * 1024;
    });
}

// Between cores.

struct alignas(128) Line {
    std::atomic<std::uint32_t> word{0};
};

/// Returns the ns of one direction when two threads pass a number back and forth. They wait with `wait(word, old)`.
template <class Wait, class Tell>
double to_and_fro_ns(double seconds, int cpu, int other_cpu, int count, Wait wait, Tell tell) {
    Line there, back;
    constexpr std::uint32_t kEnd = ~0U;
    std::thread other([&] {
        pin(other_cpu);
        for (std::uint32_t known = 0; (known = wait(there.word, known)) != kEnd;) tell(back.word, known);
        back.word.store(kEnd);
    });
    pin(cpu);
    std::uint32_t turn = 0;
    const double ns = median(seconds, [&] {
        return each(count,
                    [&] {
                        tell(there.word, ++turn);
                        wait(back.word, turn - 1);
                    }) /
               2;
    });
    tell(there.word, kEnd);
    other.join();
    return ns;
}

/// Returns the ns for 1 KiB of items through the kernel, from a ring of `bytes` that another core fills with the same
/// kernel. Each side waits for the other.
double far_ns(double seconds, std::size_t bytes, int cpu, int other_cpu) {
    constexpr std::size_t kBuffers = 4, kLine = 64 / sizeof(float);
    const std::size_t items = bytes / kBuffers / sizeof(float) / kLine * kLine;
    const bare::Buffer ring = bare::make_buffer(items * kBuffers), given = bare::make_buffer(items),
                       taken = bare::make_buffer(items);
    const auto through = [items](const float* from, float* to) {
        float a = 0.75F, b = 0.5F;
        asm volatile("" : "+m"(a), "+m"(b));
        axpy(a, from, b, to, items);
        asm volatile("" : : "r"(to) : "memory");
    };
    Line written, read;  // counts of buffers
    std::atomic<bool> ends{false};
    std::thread writer([&] {
        pin(other_cpu);
        for (std::uint32_t count = 0; !ends.load(std::memory_order_relaxed);) {
            if (count - read.word.load(std::memory_order_acquire) == kBuffers) {
                breathe();
                continue;
            }
            through(given.get(), ring.get() + count % kBuffers * items);
            written.word.store(++count, std::memory_order_release);
        }
    });
    pin(cpu);
    std::uint32_t count = 0, known = 0;
    const int rounds = std::max(1, static_cast<int>(1'048'576 / (items * sizeof(float))));
    const double ns = median(seconds, [&] {
        return each(rounds,
                    [&] {
                        for (; known == count; known = written.word.load(std::memory_order_acquire)) breathe();
                        through(ring.get() + count % kBuffers * items, taken.get());
                        read.word.store(++count, std::memory_order_release);
                    }) /
               static_cast<double>(items * sizeof(float)) * 1024;
    });
    ends.store(true);
    writer.join();
    return ns;
}

double line_ns(double seconds, int cpu, int other_cpu) {
    return to_and_fro_ns(
        seconds, cpu, other_cpu, 1000,
        [](const std::atomic<std::uint32_t>& word, std::uint32_t old) {
            std::uint32_t now = old;
            while ((now = word.load(std::memory_order_acquire)) == old) {
            }
            return now;
        },
        [](std::atomic<std::uint32_t>& word, std::uint32_t value) { word.store(value, std::memory_order_release); });
}

double wake_ns(double seconds, int cpu, int other_cpu) {
    return to_and_fro_ns(
        seconds, cpu, other_cpu, 20,
        [](std::atomic<std::uint32_t>& word, std::uint32_t old) {
            std::uint32_t now = old;
            while ((now = word.load()) == old) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
            return now;
        },
        [](std::atomic<std::uint32_t>& word, std::uint32_t value) {
            word.store(value);
            syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
        });
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, double> option{{"--l1", 32768}, {"--l2", 262144}, {"--seconds", 0.5}};
    for (int i = 1; i < argc; i += 2) {
        char* end = nullptr;
        const double value = i + 1 < argc ? std::strtod(argv[i + 1], &end) : 0;
        if (!option.contains(argv[i]) || !(value > 0) || value > 1e12 || end == argv[i + 1] || *end != '\0') {
            std::fputs("usage: speeds [--l1 BYTES] [--l2 BYTES] [--seconds S]\n", stderr);
            return 2;
        }
        option[argv[i]] = value;
    }
    const auto cpus = allowed_cpus();
    if (cpus.empty()) return 1;
    pin(cpus[0]);
    const auto l1 = static_cast<std::size_t>(option["--l1"]), l2 = static_cast<std::size_t>(option["--l2"]);
    const double each_s = option["--seconds"] / 8;
    std::printf("{\"step\": %.6g, \"varying_step\": %.6g, ", beside_items_ns<blocks::Copy<float>>(each_s, 64),
                beside_items_ns<blocks::CopyRand<float>>(each_s, 768));
    std::printf("\"l1_kib\": %.6g, \"l2_kib\": %.6g, \"l3_kib\": %.6g, ", memory_ns(each_s, l1 / 2),
                memory_ns(each_s, l2 / 2), memory_ns(each_s, 4 * l2));
    if (cpus.size() > 1)
        std::printf("\"far_kib\": %.6g, \"line\": %.6g, \"wake\": %.6g}\n", far_ns(each_s, l2 / 8, cpus[0], cpus[1]),
                    line_ns(each_s, cpus[0], cpus[1]), wake_ns(each_s, cpus[0], cpus[1]));
    else std::printf("\"far_kib\": null, \"line\": null, \"wake\": null}\n");
    return 0;
}
