// The ceilings: the same kernels with no runtime around them, on the CPUs that the process is given.
//
//     bare saxpy     --seconds 0.5                                the first CPU, 16 KiB in + 16 KiB out
//     bare fma_peak  --seconds 0.5                                the first CPU, no memory
//     bare null_rand --seconds 0.5 --stages 5 --buffer 65536      whole pipes per CPU, plain buffers, no end-of-stream logic
//     bare busy_work --seconds 0.5 --workers 4 --iterations 1000 --buffer 256     threads on all CPUs, chunks of the buffer
//     bare chain     --seconds 0.5 --stages 4 --buffer 11264      the first CPU, a tile of the buffer's size
//     bare pipeline  --seconds 0.5 --stages 4 --slots 3 --buffer 16384    the first two CPUs, one ring
//     bare pipeline  --check 1 --stages 4 --slots 3 --buffer 16384        whether it computes what it should; `chain` likewise
//
// Prints one JSON object: {"work", "items_per_s", "cpu_s_per_s", "buffer_bytes", "total_buffer_bytes", "items_per_call",
// "vector_bits"}, with --check {"work", "right"}. `items_per_call`: of a stage, 0 = there are no calls; `vector_bits`: the widest vectors that this program was compiled for, 0 = what the compiler took.

#include "bare.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "weir/bare.hpp"

namespace {

using weir::bench::Rate;

int usage(const std::string& why) {
    std::fprintf(stderr,
                 "bare: %s\nusage: bare saxpy|fma_peak|null_rand|busy_work|chain|pipeline [--seconds S] [--stages M] "
                 "[--buffer BYTES] [--slots N] "
                 "[--workers N] [--iterations N] [--check 1]\n",
                 why.c_str());
    return 2;
}

Rate saxpy(int cpu, double seconds, std::size_t bytes) {
    weir::bench::pin(cpu);
    const weir::bench::Stopwatch watch;
    const double items_per_s = weir::bare::saxpy_items_per_s(seconds, bytes);
    return {items_per_s, watch.rate(0).cpu_s_per_s, bytes, 2 * bytes, static_cast<double>(bytes / sizeof(float))};
}

/// The exit code.
int say_whether(const std::string& work, bool right) {
    std::printf("{\"work\": \"%s\", \"right\": %s}\n", work.c_str(), right ? "true" : "false");
    if (!right) std::fprintf(stderr, "bare: the %s does not compute what its stages do one by one\n", work.c_str());
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return usage("what to run?");
    const std::string work = argv[1];
    std::map<std::string, double> option{{"--seconds", 0.5}, {"--stages", 2},       {"--buffer", 16384}, {"--slots", 3},
                                         {"--workers", 1},   {"--iterations", 100}, {"--check", 0}};
    for (int i = 2; i < argc; i += 2) {
        if (!option.contains(argv[i])) return usage(std::string("unknown option ") + argv[i]);
        if (i + 1 == argc) return usage(std::string(argv[i]) + " wants a number");
        char* end = nullptr;
        const double value = std::strtod(argv[i + 1], &end);
        if (*end != '\0' || end == argv[i + 1] || !(value > 0) || value > 1e9)
            return usage(std::string(argv[i]) + " wants a number above 0, and " + argv[i + 1] + " is none");
        option[argv[i]] = value;
    }
    const auto whole = [&](const char* name) { return static_cast<std::size_t>(option[name]); };
    const std::size_t bytes = whole("--buffer"), stages = whole("--stages");
    if (bytes < sizeof(float) || bytes % sizeof(float) != 0) return usage("--buffer wants whole items of 4 bytes");
    const auto cpus = weir::bench::allowed_cpus();
    if (cpus.empty()) return usage("no CPU to run on");
    const double seconds = option["--seconds"];
    Rate rate;
    if (work == "saxpy") {
        rate = saxpy(cpus[0], seconds, bytes);
    } else if (work == "fma_peak") {
        weir::bench::pin(cpus[0]);
        rate = weir::bench::fma_peak(seconds);
    } else if (work == "null_rand") {
        if (stages < 1) return usage("--stages wants 1 or more");
        rate = weir::bench::null_rand(cpus, stages, bytes, seconds);
    } else if (work == "busy_work") {
        if (whole("--iterations") < 1 || whole("--workers") < 1 || whole("--workers") > 1024)
            return usage("--iterations wants 1 or more, and --workers 1 to 1024");
        rate = weir::bench::busy_work(cpus, whole("--workers"), static_cast<std::int64_t>(whole("--iterations")), bytes,
                                      seconds);
    } else if (work == "chain") {
        if (stages < 1) return usage("--stages wants 1 or more");
        if (option["--check"] > 0) return say_whether(work, weir::bench::chain_is_right(stages, bytes));
        weir::bench::pin(cpus[0]);
        rate = weir::bench::chain(stages, bytes, seconds);
    } else if (work == "pipeline") {
        if (stages < 2 || cpus.size() < 2 || whole("--slots") < 1)
            return usage("a pipeline is of 2 stages or more, 1 slot or more and 2 CPUs");
        const weir::bench::Pipeline shape{stages, whole("--slots"), bytes};
        if (option["--check"] > 0) return say_whether(work, weir::bench::pipeline_is_right(shape, cpus[0], cpus[1]));
        rate = weir::bench::pipeline(shape, cpus[0], cpus[1], seconds);
    } else {
        return usage("unknown work " + work);
    }
    std::printf(
        "{\"work\": \"%s\", \"items_per_s\": %.6g, \"cpu_s_per_s\": %.4g, \"buffer_bytes\": %zu, "
        "\"total_buffer_bytes\": %zu, "
        "\"items_per_call\": %.6g, \"vector_bits\": %d}\n",
        work.c_str(), rate.items_per_s, rate.cpu_s_per_s, rate.buffer_bytes, rate.total_buffer_bytes,
        rate.items_per_call, WEIR_VECTOR_BITS);
    return 0;
}
