// weir_conformance: what `weir test --scheduler-path` runs of one scheduler. This is what its parts share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_run.hpp"
#include "scheduler_row.hpp"

namespace weir::testing {

/// Part of the program that `weir test` builds for a scheduler (codegen/weir/engine/conformance/subject.py).
const SchedulerRow& scheduler_under_test();

/// Number of repetitions of a part.
struct Effort {
    std::uint64_t seed = 1;   ///< the first one
    double seconds = 5;       ///< of what is drawn at random
    int rounds = 1;           ///< so many times what is not
    bool once_more = false;   ///< this seed alone, again and again
};

/// Says on stdout, a line of JSON each, what is tried and what was found: whoever reads it knows the last case of a
/// program that died.
class Report {
  public:
    /// Begin a case. `seed` reproduces it if `again` is true for the part.
    void begin(std::string name, std::uint64_t seed);
    /// `runs` runs and `cases` different ones, at the end of a part.
    void tried(std::uint64_t runs, std::uint64_t cases) const;
    void found(const Finding& finding);
    void warn(const Finding& finding);
    /// A smaller graph that fails, too.
    void smaller(const std::string& graph) const;
    /// Print a measurement, for the page.
    void note(const std::string& text) const;

    bool clean() const noexcept { return clean_; }

  private:
    std::string case_;
    std::uint64_t seed_ = 0;
    bool clean_ = true;
};

/// Placement of a graph's ops under the descriptor's settings for workers.
struct Layout {
    Placement placement;
    std::size_t pool_workers = 0;  ///< where jobs move
    std::size_t threads() const noexcept { return pool_workers != 0 ? pool_workers : placement.size(); }
};
/// Empty if the shape takes more workers than the scheduler may have.
std::optional<Layout> lay_out(const SchedulerRow& scheduler, const Graph& graph, std::size_t workers,
                              std::uint64_t seed);

/// Many workers that do not sleep take the cores from the one that has something to do: policies for so many threads.
std::vector<WaitPolicy> waits_for(const SchedulerRow& scheduler, std::size_t threads);
std::string_view name_of(WaitPolicy wait) noexcept;

/// Runs the graph; what does not stop ends the program with its finding.
Outcome run_case(const SchedulerRow& scheduler, const Graph& graph, const Layout& layout, Settings settings,
                 Report& report);

// The parts. Each ends at its first finding.
void try_shapes(const SchedulerRow& scheduler, const Effort& effort, Report& report);
void try_graphs(const SchedulerRow& scheduler, const Effort& effort, Report& report);
void try_errors(const SchedulerRow& scheduler, const Effort& effort, Report& report);
void try_stops(const SchedulerRow& scheduler, const Effort& effort, Report& report);
void try_timers(const SchedulerRow& scheduler, const Effort& effort, Report& report);
void try_fairness(const SchedulerRow& scheduler, const Effort& effort, Report& report);

}  // namespace weir::testing
