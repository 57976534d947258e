// weir_conformance PART: runs one part of the scheduler tests (kit.hpp) and prints lines of JSON on stdout.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "kit.hpp"

namespace {

using namespace weir::testing;

constexpr char kUsage[] =
    "usage: weir_conformance PART [--seed N] [--seconds S] [--rounds N] [--once-more]\n"
    "  PART         shapes, graphs, errors, stops, timers or fairness\n"
    "  --seed N     seed of the first random graph (1)\n"
    "  --seconds S  run random graphs for S seconds (5)\n"
    "  --rounds N   run the other parts N times (1)\n"
    "  --once-more  run only the graph of this seed, repeatedly\n";

struct Part {
    std::string_view name;
    void (*run)(const SchedulerRow&, const Effort&, Report&);
};
constexpr Part kParts[] = {{"shapes", try_shapes}, {"graphs", try_graphs}, {"errors", try_errors},
                           {"stops", try_stops},   {"timers", try_timers}, {"fairness", try_fairness}};

int refuse() {
    std::fputs(kUsage, stderr);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return refuse();
    const Part* chosen = nullptr;
    for (const Part& part : kParts) {
        if (part.name == argv[1]) chosen = &part;
    }
    if (chosen == nullptr) return refuse();
    Effort effort;
    for (int i = 2; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--once-more") {
            effort.once_more = true;
            continue;
        }
        if (i + 1 == argc) return refuse();
        const char* value = argv[++i];
        if (name == "--seed") effort.seed = std::strtoull(value, nullptr, 10);
        else if (name == "--seconds") effort.seconds = std::strtod(value, nullptr);
        else if (name == "--rounds") effort.rounds = std::atoi(value);
        else return refuse();
    }
    try {
        Report report;
        chosen->run(scheduler_under_test(), effort, report);
        return report.clean() ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weir_conformance: %s\n", error.what());
        return 3;
    }
}
