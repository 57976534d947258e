// program [ITEMS]: the flowgraph of examples/quickstart.weir.json, written by hand without code of Weir. One thread
// makes the numbers 2 (i mod 1021) + 4, another computes their digest. Chunks pass between them through a ring.
//
//     g++ -std=c++17 -O2 -I. program.cpp -o program -pthread -llttng-ust -ldl
//
// -DREVISION='"…"' gives the program the commit that it is built from.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tracepoints.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kSource = 1, kSink = 2;  // as in `numbers` of results.json
constexpr std::uint64_t kGranularity = 32768;    // items between boundaries, as in the project
constexpr std::uint64_t kChunk = 4096, kRing = 16 * kChunk;

/// Time of CLOCK_MONOTONIC, the clock of the tracer.
std::int64_t now_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

struct Ring {
    std::vector<float> items = std::vector<float>(kRing);
    alignas(64) std::atomic<std::uint64_t> sent{0};
    alignas(64) std::atomic<std::uint64_t> received{0};
};

void source(Ring& ring, std::uint64_t total) {
    for (std::uint64_t before = 0; before < total;) {
        const std::uint64_t after = before + std::min(kChunk, total - before);
        while (after - ring.received.load(std::memory_order_acquire) > kRing) std::this_thread::yield();
        for (std::uint64_t i = before; i < after; ++i) {
            ring.items[i % kRing] = 2.0F * static_cast<float>(i % 1021) + 4.0F;
        }
        // Record before publishing the items. A paced source passes the due time of boundary item k instead of 0.
        for (std::uint64_t k = before / kGranularity + 1; k * kGranularity <= after; ++k) {
            lttng_ust_tracepoint(weir, tx, kSource, k, 0);
        }
        ring.sent.store(after, std::memory_order_release);
        before = after;
    }
}

struct Outcome {
    std::uint64_t items = 0, digest = 0, sent_at_begin = 0, sent_at_end = 0;
    std::int64_t begin_ns = 0, end_ns = 0;
};

Outcome sink(Ring& ring, std::uint64_t total, std::uint64_t warmup) {
    Outcome out;
    while (out.items < total) {
        const std::uint64_t before = out.items;
        std::uint64_t there = 0;
        while ((there = ring.sent.load(std::memory_order_acquire)) == before) std::this_thread::yield();
        const std::int64_t entry_ns = now_ns();
        const std::uint64_t after = std::min(there, before + kChunk);
        for (std::uint64_t i = before; i < after; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &ring.items[i % kRing], sizeof bits);
            out.digest += splitmix64(bits ^ splitmix64(i));
        }
        ring.received.store(after, std::memory_order_release);
        // Record after consuming the items.
        for (std::uint64_t k = before / kGranularity + 1; k * kGranularity <= after; ++k) {
            lttng_ust_tracepoint(weir, rx, kSink, k, entry_ns);
        }
        out.items = after;
        if (out.begin_ns == 0 && after >= warmup) {
            out.sent_at_begin = ring.sent.load(std::memory_order_relaxed);
            out.begin_ns = now_ns();
        }
    }
    out.sent_at_end = ring.sent.load(std::memory_order_relaxed);
    out.end_ns = now_ns();
    return out;
}

/// Write the model of the CPU as a JSON string, without which `weir compare` does not compare runs.
void print_cpu(std::FILE* file) {
    std::string model, line;
    for (std::ifstream cpuinfo("/proc/cpuinfo"); model.empty() && std::getline(cpuinfo, line);) {
        if (line.rfind("model name", 0) == 0) model = line.substr(line.find(':') + 2);
    }
    std::fprintf(file, model.empty() ? "null" : "\"%s\"", model.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t total = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000'000;
    const std::uint64_t warmup = total / 10;
    Ring ring;
    const std::int64_t started_ns = now_ns();
    std::thread producer(source, std::ref(ring), total);
    const Outcome out = sink(ring, total, warmup);
    producer.join();

    std::FILE* file = std::fopen("results.json", "w");
    if (file == nullptr) return 1;
    const double window_s = static_cast<double>(out.end_ns - out.begin_ns) * 1e-9;
    std::fprintf(file,
                 "{\"schema_version\": 1,\n"
                 " \"runtime\": {\"target\": \"two_threads\", \"version\": \"1.0\"},\n"
                 " \"scheduler\": \"one thread each\",\n"
                 " \"numbers\": {\"source\": %" PRIu32 ", \"sink\": %" PRIu32
                 "},\n"
                 " \"items\": %" PRIu64 ", \"warmup_items\": %" PRIu64
                 ",\n"
                 " \"sinks\": [{\"id\": \"sink\", \"items\": %" PRIu64 ", \"digest\": \"%016" PRIx64
                 "\"}],\n"
                 " \"elapsed_s\": %.9f,\n"
                 " \"window\": {\"begin_ns\": %" PRId64 ", \"end_ns\": %" PRId64
                 "},\n"
                 " \"throughput_items_per_s\": %.1f,\n"
                 " \"trace\": {\"probe_granularity\": %" PRIu64 ", \"events\": %" PRIu64 "},\n",
                 kSource, kSink, total, warmup, out.items, out.digest,
                 static_cast<double>(out.end_ns - started_ns) * 1e-9, out.begin_ns, out.end_ns,
                 static_cast<double>(out.sent_at_end - out.sent_at_begin) / window_s, kGranularity,
                 2 * (total / kGranularity));
    std::fprintf(file, " \"environment\": {\"cpu\": ");
    print_cpu(file);
#ifdef REVISION
    std::fprintf(file, ", \"git_revision\": \"%s\"", REVISION);
#endif
    std::fprintf(file, "}}\n");
    return std::fclose(file) == 0 ? 0 : 1;
}
