// The ceiling: the same kernels with no runtime around them.
//
//     bare saxpy     --seconds 0.5 --cpu 0                    one core, 16 KiB in + 16 KiB out
//     bare null_rand --workers 2 --stages 5 --buffer 65536    whole pipes per worker, plain buffers, no end-of-stream logic
//
// Prints one JSON object: {"work", "items_per_s", "elapsed_s", "buffer_bytes"}.

#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "copy_rand/copy_rand.hpp"
#include "weir/bare.hpp"
#include "weir/block.hpp"

namespace {

using weir::bare::Buffer;
using weir::bare::make_buffer;

constexpr std::size_t kPipes = 6;  // METHOD: six parallel pipes

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) std::perror("bare: cannot pin");
}

// One pipe: stages of copy_rand over plain buffers, each drained before it is filled again.
std::uint64_t run_pipe(std::size_t stages, std::size_t buffer_bytes, std::uint64_t items, std::uint64_t seed) {
    const std::size_t capacity = buffer_bytes / sizeof(float);
    std::vector<Buffer> buffers;
    for (std::size_t i = 0; i <= stages; ++i) buffers.push_back(make_buffer(capacity));
    std::vector<weir::blocks::CopyRand<float>> copies(stages);
    for (std::size_t s = 0; s < stages; ++s) {
        weir::BlockContext context;
        context.seed = seed + s;
        copies[s].start(context);
    }
    std::uint64_t done = 0;
    while (done < items) {
        std::memset(buffers[0].get(), 0, buffer_bytes);
        for (std::size_t s = 0; s < stages; ++s) {
            for (std::size_t at = 0; at < capacity;) {
                weir::In<float> in{{buffers[s].get() + at, capacity - at}, false};
                weir::Out<float> out{{buffers[s + 1].get() + at, capacity - at}};
                copies[s].work(in, out);
                at += out.produced();
            }
        }
        asm volatile("" : : "r"(buffers[stages].get()) : "memory");
        done += capacity;
    }
    return done;
}

double run_null_rand(std::size_t workers, std::size_t stages, std::size_t buffer_bytes, std::uint64_t items) {
    std::vector<std::uint64_t> done(kPipes, 0);
    const auto start = Clock::now();
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
            pin(static_cast<int>(w));
            for (std::size_t p = w; p < kPipes; p += workers) done[p] = run_pipe(stages, buffer_bytes, items, 1000 * p);
        });
    }
    threads.clear();
    const double elapsed = seconds_since(start);
    std::uint64_t total = 0;
    for (const auto d : done) total += d;
    return static_cast<double>(total) / elapsed;
}

int usage(const char* why) {
    std::fprintf(stderr, "bare: %s\nusage: bare saxpy|null_rand [--seconds S] [--cpu N] [--workers N] [--stages M] [--buffer BYTES] [--items N]\n", why);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return usage("what to run?");
    const std::string work = argv[1];
    std::map<std::string, double> option{{"--seconds", 0.5}, {"--cpu", 0}, {"--workers", 1}, {"--stages", 1}, {"--buffer", 16384}, {"--items", 1e6}};
    for (int i = 2; i + 1 < argc; i += 2) {
        if (!option.contains(argv[i])) return usage((std::string("unknown option ") + argv[i]).c_str());
        option[argv[i]] = std::atof(argv[i + 1]);
    }
    const auto bytes = static_cast<std::size_t>(option["--buffer"]);
    double rate = 0.0;
    if (work == "saxpy") {
        pin(static_cast<int>(option["--cpu"]));
        rate = weir::bare::saxpy_items_per_s(option["--seconds"], bytes);
    } else if (work == "null_rand") {
        rate = run_null_rand(static_cast<std::size_t>(option["--workers"]), static_cast<std::size_t>(option["--stages"]), bytes,
                             static_cast<std::uint64_t>(option["--items"]));
    } else {
        return usage("unknown work");
    }
    std::printf("{\"work\": \"%s\", \"items_per_s\": %.6g, \"buffer_bytes\": %zu}\n", work.c_str(), rate, bytes);
    return 0;
}
