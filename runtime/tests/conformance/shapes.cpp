// Small graphs under each wait policy, from one worker on one CPU to more workers than blocks; and random graphs.
#include <sched.h>

#include <chrono>

#include "kit.hpp"
#include "scheduler_shapes.hpp"

namespace weir::testing {
namespace {

/// Restricts this thread and the threads that it starts to one CPU while it lives.
class OneCore {
  public:
    explicit OneCore(bool wanted) : wanted_(wanted && ::sched_getaffinity(0, sizeof before_, &before_) == 0) {
        if (!wanted_) return;
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (!CPU_ISSET(cpu, &before_)) continue;
            CPU_SET(cpu, &one);
            break;
        }
        ::sched_setaffinity(0, sizeof one, &one);
    }
    ~OneCore() {
        if (wanted_) ::sched_setaffinity(0, sizeof before_, &before_);
    }
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;

  private:
    cpu_set_t before_{};
    bool wanted_;
};

/// Settings for running a shape.
struct Way {
    std::string_view name;
    std::size_t workers;  ///< 0: three more than blocks
    std::uint64_t seed;   ///< of random chunks and sizes; 0: chunks are not split
    bool one_core = false;
    bool only_rings = false;
    bool smallest_buffers = false;
};
constexpr Way kWays[] = {{"one worker", 1, 0},
                         {"default settings", 2, 0},
                         {"rings only", 3, 1, false, true},
                         {"random cuts", 4, 2},
                         {"the smallest buffers", 2, 4, false, false, true},
                         {"one core", 3, 5, true},
                         {"more workers than blocks", 0, 6}};

std::string text_of(const Way& way, WaitPolicy wait) {
    return std::string(way.name) + ", " + std::string(name_of(wait));
}

}  // namespace

void try_shapes(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    std::uint64_t runs = 0, shapes = 0;
    for (const NamedShape& shape : scheduler_shapes()) {
        const Reference reference = evaluate(shape.graph);
        const std::uint64_t before = runs;
        for (std::size_t i = 0; i < std::size(kWays) * static_cast<std::size_t>(effort.rounds); ++i) {
            const Way& way = kWays[i % std::size(kWays)];
            const std::uint64_t seed = way.seed + 100 * (i / std::size(kWays));
            const std::size_t workers = way.workers != 0 ? way.workers : shape.graph.size() + 3;
            const auto layout = lay_out(scheduler, shape.graph, workers, seed);
            if (!layout) continue;
            for (const WaitPolicy wait : waits_for(scheduler, layout->threads())) {
                if (way.one_core && wait == WaitPolicy::spin) continue;  // each spins for its whole slice
                report.begin(std::string(shape.name) + ", " + text_of(way, wait), seed);
                Settings settings;
                settings.seed = seed;
                settings.wait = wait;
                settings.least_buffer = shape.least_buffer;
                settings.only_rings = way.only_rings;
                settings.smallest_buffers = way.smallest_buffers;
                const OneCore core(way.one_core);
                const Outcome outcome = run_case(scheduler, shape.graph, *layout, settings, report);
                shapes += runs++ == before ? 1 : 0;
                if (const auto found = judge(shape.graph, reference, outcome, false)) {
                    report.found(*found);
                    report.tried(runs, shapes);
                    return;
                }
            }
        }
    }
    report.tried(runs, shapes);
}

void try_graphs(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    constexpr std::uint64_t kMostTries = 200;
    const auto began = std::chrono::steady_clock::now();
    std::uint64_t runs = 0, graphs = 0;
    bool begun = false;  // test one graph, however long the preparation took
    for (std::uint64_t seed = effort.seed;; seed += effort.once_more ? 0 : 1) {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (begun && (seconds >= effort.seconds || (effort.once_more && runs == kMostTries))) break;
        begun = true;
        const Graph graph = random_shape(seed).graph;
        if (scheduler.workers == "per_block" && graph.size() > scheduler.max_workers) {
            if (effort.once_more) break;  // the graph never fits
            continue;
        }
        Conditions conditions = draw_conditions(graph, scheduler, seed);
        report.begin("random graph", seed);
        conditions.settings.does_not_stop = [&](const Finding& finding) {
            report.found({finding.claim, finding.text + "\n" + text_of(conditions) + "\ngraph:\n" + text_of(graph)});
            std::_Exit(EXIT_FAILURE);
        };
        ++runs;
        graphs = effort.once_more ? 1 : runs;
        if (const auto found = try_graph(graph, evaluate(graph), scheduler, conditions)) {
            report.found({found->claim, found->text + "\n" + text_of(conditions) + "\ngraph:\n" + text_of(graph)});
            const Graph least = shrink(graph, scheduler, seed, std::chrono::seconds(15));
            if (least.size() < graph.size()) report.smaller(text_of(least));
            break;
        }
    }
    report.tried(runs, graphs);
}

}  // namespace weir::testing
