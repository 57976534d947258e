// streampu [ITEMS]: the flowgraph of examples/quickstart.weir.json with the library StreamPU
// (github.com/aff3ct/streampu). Its pipeline has a thread for the source, one for the gain and the stages, and one for
// the sink. With a checkout of StreamPU and its submodules in the folder S:
//
//     cmake -S $S -B $S/build -DCMAKE_BUILD_TYPE=Release -DSPU_TESTS=OFF -DSPU_STACKTRACE=OFF && cmake --build $S/build
//     g++ -std=c++17 -O2 -I. -I$S/include -I$S/lib/rang/include -I$S/lib/json/include streampu.cpp -o streampu
//         $S/build/lib/libstreampu.a -pthread -llttng-ust -ldl -DREVISION='"'$(git -C $S rev-parse HEAD)'"'
//
// REVISION is the commit of StreamPU.
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
#include <streampu.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t kSource = 1, kSink = 2;  // as in `numbers` of results.json
constexpr std::uint64_t kGranularity = 32768;  // items between boundaries, as in the project
constexpr std::size_t kFrame = 4096, kFrames = 16;
constexpr int kStages = 4;

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
    using spu::module::Module;
    using spu::runtime::Task;

    const std::uint64_t total = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000'000;
    const std::uint64_t warmup = total / 10;
    std::atomic<std::uint64_t> sent{0};
    std::uint64_t received = 0, digest = 0, sent_at_begin = 0, sent_at_end = 0;
    std::int64_t begin_ns = 0, end_ns = 0;

    spu::module::Stateless source, stages, sink;
    source.set_name("source");
    stages.set_name("stages");
    sink.set_name("sink");

    auto& generate = source.create_task("generate");
    const auto out = source.create_socket_out<float>(generate, "out", kFrame);
    const auto count_out = source.create_socket_out<std::uint32_t>(generate, "count", 1);
    source.create_codelet(generate, [&, out, count_out](Module&, Task& task, std::size_t) -> int {
        const std::uint64_t before = sent.load(std::memory_order_relaxed);
        const std::uint64_t after = before + std::min<std::uint64_t>(kFrame, total - before);
        auto* items = task[out].get_dataptr<float>();
        for (std::uint64_t i = before; i < after; ++i) items[i - before] = static_cast<float>(i % 1021);
        *task[count_out].get_dataptr<std::uint32_t>() = static_cast<std::uint32_t>(after - before);
        // Record before the pipeline passes the frame on.
        for (std::uint64_t k = before / kGranularity + 1; k * kGranularity <= after; ++k) {
            lttng_ust_tracepoint(weir, tx, kSource, k, 0);
        }
        sent.store(after, std::memory_order_relaxed);
        return spu::runtime::status_t::SUCCESS;
    });

    auto& compute = stages.create_task("compute");
    const auto x = stages.create_socket_in<float>(compute, "in", kFrame);
    const auto y = stages.create_socket_out<float>(compute, "out", kFrame);
    stages.create_codelet(compute, [x, y](Module&, Task& task, std::size_t) -> int {
        const auto* in = task[x].get_dataptr<const float>();
        auto* result = task[y].get_dataptr<float>();
        for (std::size_t i = 0; i < kFrame; ++i) {
            float value = 2.0F * in[i];
            for (int stage = 0; stage < kStages; ++stage) value = 1.0F * value + 1.0F;
            result[i] = value;
        }
        return spu::runtime::status_t::SUCCESS;
    });

    auto& consume = sink.create_task("consume");
    const auto in = sink.create_socket_in<float>(consume, "in", kFrame);
    const auto count_in = sink.create_socket_in<std::uint32_t>(consume, "count", 1);
    sink.create_codelet(consume, [&, in, count_in](Module&, Task& task, std::size_t) -> int {
        const std::int64_t entry_ns = now_ns();
        const auto* items = task[in].get_dataptr<const float>();
        const std::uint64_t before = received, after = before + *task[count_in].get_dataptr<const std::uint32_t>();
        for (std::uint64_t i = before; i < after; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &items[i - before], sizeof bits);
            digest += splitmix64(bits ^ splitmix64(i));
        }
        // Record after consuming the items.
        for (std::uint64_t k = before / kGranularity + 1; k * kGranularity <= after; ++k) {
            lttng_ust_tracepoint(weir, rx, kSink, k, entry_ns);
        }
        received = after;
        if (begin_ns == 0 && after >= warmup) {
            sent_at_begin = sent.load(std::memory_order_relaxed);
            begin_ns = now_ns();
        }
        if (after == total) {
            sent_at_end = sent.load(std::memory_order_relaxed);
            end_ns = now_ns();
        }
        return spu::runtime::status_t::SUCCESS;
    });

    stages["compute::in"] = source["generate::out"];
    sink["consume::in"] = stages["compute::out"];
    sink["consume::count"] = source["generate::count"];
    spu::runtime::Pipeline pipeline(source("generate"),
                                    {{{&source("generate")}, {&source("generate")}},
                                     {{&stages("compute")}, {&stages("compute")}},
                                     {{&sink("consume")}, {}}},
                                    {1, 1, 1}, {kFrames, kFrames}, {false, false});
    const std::int64_t started_ns = now_ns();
    // The first stage ends after the last item; the pipeline then lets the others finish.
    const auto never = [] { return false; };
    pipeline.exec(std::vector<std::function<bool()>>{[&] { return sent.load() == total; }, never, never});

    std::FILE* file = std::fopen("results.json", "w");
    if (file == nullptr) return 1;
    const double window_s = static_cast<double>(end_ns - begin_ns) * 1e-9;
    std::fprintf(file,
                 "{\"schema_version\": 1,\n"
                 " \"runtime\": {\"target\": \"streampu\"},\n"
                 " \"scheduler\": \"pipeline of three stages\",\n"
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
                 kSource, kSink, total, warmup, received, digest, static_cast<double>(end_ns - started_ns) * 1e-9,
                 begin_ns, end_ns, static_cast<double>(sent_at_end - sent_at_begin) / window_s, kGranularity,
                 2 * (total / kGranularity));
    std::fprintf(file, " \"environment\": {\"cpu\": ");
    print_cpu(file);
#ifdef REVISION
    std::fprintf(file, ", \"git_revision\": \"%s\"", REVISION);
#endif
    std::fprintf(file, "}}\n");
    return std::fclose(file) == 0 ? 0 : 1;
}
