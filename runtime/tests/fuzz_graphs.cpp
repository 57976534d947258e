// weir_fuzz_graphs: compares random flowgraphs under every scheduler with a reference that shares no code with the
// runtime.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <string_view>

#include "all_schedulers.hpp"
#include "fuzz_run.hpp"
#include "weir/yield_point.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

constexpr char kUsage[] =
    "usage: weir_fuzz_graphs [--seed N] [--graphs N] [--seconds N] [--scheduler ID] [--verbose] [--list]\n"
    "                        [--stress-graphs N]\n"
    "  --seed N        seed of the first graph (1); the next has N + 1, and so on\n"
    "  --graphs N      number of graphs (0: as many as fit into --seconds)\n"
    "  --seconds N     start no new graph after N seconds (0: no limit; 10 without --graphs); 24 N if WEIR_STRESS\n"
    "                  is set, as weir test --all does\n"
    "  --stress-graphs N  number of graphs instead if WEIR_STRESS is set\n"
    "  --scheduler ID  only under this scheduler\n"
    "  --verbose       print each graph, and each run before it begins\n"
    "  --list          print the schedulers\n";

struct Options {
    std::uint64_t seed = 1, graphs = 0, stress_graphs = 0;
    double seconds = 0;
    std::string_view scheduler = {};
    bool verbose = false;
};

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "weir_fuzz_graphs: %s\n%s", why.c_str(), kUsage);
    std::exit(2);
}

std::uint64_t number(const char* text) {
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-') refuse(std::string("not a number: ") + text);
    return value;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--list") {
            for (const SchedulerRow& scheduler : kSchedulers) std::printf("%s\n", std::string(scheduler.id).c_str());
            std::exit(0);
        }
        if (name == "--verbose") {
            options.verbose = true;
            continue;
        }
        if (i + 1 == argc) refuse(std::string(name) + " needs a value");
        const char* value = argv[++i];
        if (name == "--seed") options.seed = number(value);
        else if (name == "--graphs") options.graphs = number(value);
        else if (name == "--seconds") options.seconds = static_cast<double>(number(value));
        else if (name == "--stress-graphs") options.stress_graphs = number(value);
        else if (name == "--scheduler") options.scheduler = value;
        else refuse("unknown option: " + std::string(name));
    }
    if (options.graphs == 0 && options.seconds == 0) options.seconds = 10;
    if (std::getenv("WEIR_STRESS") != nullptr) {
        options.seconds = options.stress_graphs != 0 ? 0 : 24 * options.seconds;
        if (options.stress_graphs != 0) options.graphs = options.stress_graphs;
    }
    bool known = options.scheduler.empty();
    for (const SchedulerRow& scheduler : kSchedulers) known |= scheduler.id == options.scheduler;
    if (!known) refuse("unknown scheduler: " + std::string(options.scheduler));
    return options;
}

/// Coverage of the random graphs.
class Histogram {
  public:
    void add(const Shape& shape) {
        ++graphs_;
        for (const std::string& feature : features_of(shape)) ++features_[feature];
        for (const Op& op : shape.graph) ++kinds_[name_of(op.kind)];
        count(nodes_, shape.graph.size());
        count(edges_, edges_of(shape.graph));
        count(rate_changes_, rate_changes_of(shape.graph));
    }

    void print() const {
        std::printf("topologies (graphs with it):\n");
        for (const auto& [name, n] : features_) std::printf("  %-30s %8llu  %5.1f %%\n", name.c_str(), n, share(n));
        std::printf("blocks:");
        for (const auto& [name, n] : kinds_) std::printf("  %s %llu", std::string(name).c_str(), n);
        std::printf("\n");
        print("nodes per graph", nodes_);
        print("edges per graph", edges_);
        print("rate changes per graph", rate_changes_);
    }

  private:
    using Counts = std::map<std::size_t, unsigned long long>;  ///< key: least value of the bucket

    static void count(Counts& counts, std::size_t value) {
        std::size_t bucket = value;
        if (value >= 4) {
            for (bucket = 4; bucket * 2 <= value;) bucket *= 2;
        }
        ++counts[bucket];
    }
    double share(unsigned long long n) const { return 100.0 * static_cast<double>(n) / static_cast<double>(graphs_); }
    void print(const char* title, const Counts& counts) const {
        std::printf("%s:", title);
        for (const auto& [least, n] : counts) {
            if (least < 4) std::printf("  %zu: %llu", least, n);
            else std::printf("  %zu-%zu: %llu", least, 2 * least - 1, n);
        }
        std::printf("\n");
    }

    unsigned long long graphs_ = 0;
    std::map<std::string, unsigned long long> features_;
    std::map<std::string_view, unsigned long long> kinds_;
    Counts nodes_, edges_, rate_changes_;
};

void report_failure(std::uint64_t seed, const SchedulerRow& scheduler, const Graph& graph, const Conditions& conditions,
                    const std::string& wrong) {
    const std::string id(scheduler.id);
    std::printf("FAILED: seed %llu under %s\n%s\n%s\ngraph:\n%s", static_cast<unsigned long long>(seed), id.c_str(),
                wrong.c_str(), text_of(conditions).c_str(), text_of(graph).c_str());
    std::printf("again: weir_fuzz_graphs --seed %llu --graphs 1 --scheduler %s\n",
                static_cast<unsigned long long>(seed), id.c_str());
    std::fflush(stdout);
    const Graph least = shrink(graph, scheduler, seed);
    if (least.size() < graph.size()) std::printf("a smaller graph that fails too:\n%s", text_of(least).c_str());
}

volatile std::sig_atomic_t interrupted = 0;

int fuzz(const Options& options) {
    // Ctrl-C stops after the current graph and prints the summary.
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
    const auto began = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    Histogram histogram;
    std::map<std::string_view, unsigned long long> runs;
    unsigned long long graphs = 0, stopped = 0;
    for (; options.graphs == 0 || graphs < options.graphs; ++graphs) {
        if (interrupted != 0 || (options.seconds != 0 && elapsed() >= options.seconds)) break;
        const std::uint64_t seed = options.seed + graphs;
        const Shape shape = random_shape(seed);
        const Reference reference = evaluate(shape.graph);
        histogram.add(shape);
        if (options.verbose)
            std::printf("seed %llu\n%s", static_cast<unsigned long long>(seed), text_of(shape.graph).c_str());
        for (const SchedulerRow& scheduler : kSchedulers) {
            if (!options.scheduler.empty() && scheduler.id != options.scheduler) continue;
            const Conditions conditions = draw_conditions(shape.graph, scheduler, seed);
            if (options.verbose)
                std::printf("%s: %s\n", std::string(scheduler.id).c_str(), text_of(conditions).c_str());
            if (const auto found = try_graph(shape.graph, reference, scheduler, conditions)) {
                report_failure(seed, scheduler, shape.graph, conditions, found->text);
                return EXIT_FAILURE;
            }
            ++runs[scheduler.id];
            stopped += conditions.settings.stop_after.has_value();
        }
    }
    const double seconds = elapsed();
    std::printf("%llu graphs from seed %llu, all equal to the reference; %.1f s, %.0f graphs per minute%s\n", graphs,
                static_cast<unsigned long long>(options.seed), seconds, 60 * static_cast<double>(graphs) / seconds,
                kForcedYields ? ", with forced yields" : "");
    std::printf("runs:");
    for (const auto& [id, n] : runs) std::printf("  %s %llu", std::string(id).c_str(), n);
    std::printf("  (stopped halfway: %llu)\n", stopped);
    histogram.print();
    return graphs == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    try {
        return fuzz(parse(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weir_fuzz_graphs: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
