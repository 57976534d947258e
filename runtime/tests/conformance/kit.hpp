// weir_conformance: tests of `weir test --scheduler-path` for one scheduler. This header has what its parts share.
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
    std::uint64_t seed = 1;   ///< seed of the first case
    double seconds = 5;       ///< duration of random tests
    int rounds = 1;           ///< repetitions of the other tests
    bool once_more = false;   ///< repeat only this seed
};

/// Prints a line of JSON on stdout for each case and each finding. If the program dies, the last line names its case.
class Report {
  public:
    /// Begin a case. `seed` reproduces it in parts whose `again` is true.
    void begin(std::string name, std::uint64_t seed);
    /// Report the number of runs and of different cases at the end of a part.
    void tried(std::uint64_t runs, std::uint64_t cases) const;
    void found(const Finding& finding);
    void warn(const Finding& finding);
    /// Report a smaller graph that fails, too.
    void smaller(const std::string& graph) const;
    /// Print a measurement for the report page.
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
    std::size_t pool_workers = 0;  ///< 0: jobs do not move
    std::size_t threads() const noexcept { return pool_workers != 0 ? pool_workers : placement.size(); }
};
/// Return nothing if the shape takes more workers than the scheduler may have.
std::optional<Layout> lay_out(const SchedulerRow& scheduler, const Graph& graph, std::size_t workers,
                              std::uint64_t seed);

/// Wait policies for this number of threads: many workers that do not sleep take the CPUs from the one with work.
std::vector<WaitPolicy> waits_for(const SchedulerRow& scheduler, std::size_t threads);
std::string_view name_of(WaitPolicy wait) noexcept;

/// Run the graph. A run that cannot be stopped ends the program with its finding.
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
