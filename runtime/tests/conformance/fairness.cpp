// Independent pipes, none of which ends: each must make progress beside the others.
#include <algorithm>
#include <chrono>

#include "kit.hpp"

namespace weir::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPipes = 4, kOps = 3;
/// Each pipe must move kEnough items. A pipe starves if it moves nothing in the second half of kLong while another pipe
/// moves kMany items.
constexpr std::uint64_t kEnough = 2'048, kMany = 20'000, kUneven = 1'000;
constexpr auto kLong = std::chrono::seconds(5), kTooLong = std::chrono::seconds(60);

struct Load {
    std::string_view name;
    std::uint64_t rounds[kPipes];  ///< of work per item
};
constexpr Load kLoads[] = {{"equal pipes", {20, 20, 20, 20}}, {"pipes of unequal work", {0, 10, 100, 400}}};

Graph pipes_of(const Load& load) {
    Graph graph;
    for (const std::uint64_t rounds : load.rounds) {
        const std::size_t first = graph.size();
        graph.push_back({Kind::source, {}, 0});
        graph.push_back({Kind::toil, {{first}}, rounds});
        graph.push_back({Kind::sink, {{first + 1}}});
    }
    return graph;
}

class FairnessWatch {
  public:
    bool operator()(std::span<Task* const> tasks) {
        for (std::size_t pipe = 0; pipe < kPipes; ++pipe) items_[pipe] = tasks[pipe * kOps + 2]->counters().items_in;
        const auto passed = Clock::now() - began_;
        if (passed < kLong / 2) std::ranges::copy(items_, at_half_);
        return least() >= kEnough || (passed > kLong && most() >= kMany) || passed > kTooLong;
    }
    std::uint64_t least() const { return *std::ranges::min_element(items_); }
    std::uint64_t most() const { return *std::ranges::max_element(items_); }
    bool starves() const {
        bool stands = false, moves = false;
        for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
            stands = stands || items_[pipe] == at_half_[pipe];
            moves = moves || items_[pipe] - at_half_[pipe] >= kMany;
        }
        return least() < kEnough && stands && moves;
    }
    std::uint64_t apart() const { return most() / std::max<std::uint64_t>(least(), 1); }
    std::string text() const {
        std::string text;
        for (const std::uint64_t items : items_) text += (text.empty() ? "" : ", ") + std::to_string(items);
        return text;
    }

  private:
    std::uint64_t items_[kPipes] = {}, at_half_[kPipes] = {};
    Clock::time_point began_ = Clock::now();
};

/// Workers that do not sleep take the CPUs from each other.
WaitPolicy parking(const SchedulerRow& scheduler) {
    const bool parks = std::ranges::find(scheduler.waits, WaitPolicy::park) != scheduler.waits.end();
    return parks ? WaitPolicy::park : scheduler.waits.front();
}

/// A worker waited for a CPU most of the time and ran almost never, so other programs use the CPUs.
bool machine_is_busy(const Outcome& outcome) {
    return std::ranges::any_of(outcome.run.threads, [](const ThreadReport& thread) {
        return thread.cpu_time_s < 0.05 && thread.run_delay_ns > 1'000'000'000;
    });
}

}  // namespace

void try_fairness(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    std::uint64_t runs = 0, cases = 0;
    std::string furthest;
    std::uint64_t apart = 0;
    for (const Load& load : kLoads) {
        const Graph graph = pipes_of(load);
        ++cases;
        for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(effort.rounds) && report.clean(); ++i) {
            const std::size_t workers = 1 + i % 3;
            if (workers > 1 && scheduler.workers != "chosen") continue;
            const auto layout = lay_out(scheduler, graph, workers, effort.seed + i);
            if (!layout) continue;
            const std::string name = std::string(load.name) + ", " + std::to_string(layout->threads()) +
                                     (layout->threads() == 1 ? " worker" : " workers");
            report.begin(name, effort.seed + i);
            FairnessWatch watch;
            Settings settings;
            settings.wait = parking(scheduler);
            settings.stop_when = std::ref(watch);
            ++runs;
            const Outcome outcome = run_case(scheduler, graph, *layout, settings, report);
            const std::string counts = "items at the sinks of the pipes: " + watch.text();
            if (outcome.stuck) {
                report.found({outcome.stuck->claim, outcome.stuck->text});
            } else if (const auto& failure = outcome.run.failure) {
                report.found({Claim::errors, failure->instance + " failed: " + failure->message});
            } else if (watch.starves() && !machine_is_busy(outcome)) {
                report.found({Claim::fairness, "one pipe was ready but did not move while another did; " + counts});
            } else if (load.rounds[0] == load.rounds[kPipes - 1] && watch.apart() > kUneven) {
                report.warn({Claim::fairness, "pipes with equal work progressed very unequally; " + counts});
            }
            if (watch.apart() >= apart) {
                apart = watch.apart();
                furthest = "most unequal progress, " + name + ": " + watch.text() + " items";
            }
        }
        if (!report.clean()) break;
    }
    if (!furthest.empty()) report.note(furthest);
    report.tried(runs, cases);
}

}  // namespace weir::testing
