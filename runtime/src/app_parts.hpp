// The parts of `run_application`, one translation unit each.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "weir/app.hpp"
#include "weir/arena.hpp"
#include "weir/interference.hpp"
#include "weir/options.hpp"
#include "weir/realtime.hpp"
#include "weir/results.hpp"
#include "weir/watchdog.hpp"

namespace weir::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitUnwritten = 3;  // the run took place, but its results could not be written
inline constexpr int kExitRun = 4;

/// File of the events recorded in memory: the records of each thread, one thread after the other.
inline constexpr const char* kEventsFile = "events.bin";

/// Program with its often-used properties.
struct BuiltFlowgraph {
    std::unique_ptr<Program> program;
    std::vector<Instance*> instances;      ///< by their index
    std::vector<StreamBase*> streams;      ///< streams that they write, in the same order
    std::vector<const PlaceBase*> places;
    ParamTable parameters;
    std::function<void(Run&)> schedule;
    std::size_t replicas = 1;

    /// Number of blocks in the plan; each exists once per replica.
    std::size_t blocks() const noexcept { return instances.size() / replicas; }
    /// Return all replicas of the block at this position.
    std::vector<Instance*> of(std::size_t position) const;
};

BuiltFlowgraph built(const Application& application);

/// Build a flowgraph with the command line's parameters. Throws std::invalid_argument with a message for the user.
BuiltFlowgraph build_with_parameters(const Application& application, const Options& options);

/// Return the results that are known before the run starts.
Results results_before(const Application& application, const Options& options, const BuiltFlowgraph& graph);

/// Add the counters of blocks and streams. During a run they are momentary values.
void add_counters(Results& results, const BuiltFlowgraph& graph);

/// Add the outcome of the finished run, its trace and its threads, and check them.
void add_outcome(Results& results, const BuiltFlowgraph& graph, const Run& run, const trace::Tracer& tracer);

/// Add the sinks' items, and report a sink that did not receive the expected number.
void add_sinks(Results& results, const BuiltFlowgraph& graph, const Run& run);

/// Add whether the sinks kept up with the paced sources, and the rate that they can sustain.
void add_load(Results& results, const BuiltFlowgraph& graph, const RunOutcome& outcome);

/// Add the interference from the barrier to the workers' end.
void add_interference(Results& results, const RunOutcome& outcome, const MachineReading& before,
                      const MachineReading& after);

/// Report the real-time workers that Linux throttled.
void add_throttling(Results& results, const RunOutcome& outcome, const RealtimeRights& rights);

/// Add the CPU counts of all threads together, and report missing ones. `sys`: root of sysfs.
void add_cpu_counts(Results& results, const RunOutcome& outcome, const std::filesystem::path& sys);

/// Add the energy used by the machine, and the items per joule.
void add_energy(Results& results, const BuiltFlowgraph& graph, Energy energy);

void add_reason(Results& results, ReasonCode code, std::string message);

void add_failure(Results& results, const Failure& failure);

/// Run the speed check on the first worker's CPU, before the run; absent if the options disable it.
std::optional<SpeedCheckResult> speed_check_before(const Application& application, const Options& options);

/// Run the speed check again, and add a reason if the machine's speed has changed.
void speed_check_after(const Application& application, Results& results);

/// Add the reason for which the watchdog stopped the run.
void add_ending(Results& results, Ending ending, const WatchdogResult& seen);

/// Write the events recorded in memory and results.json. Returns "" or an error message.
std::string write_results(const Results& results);

/// Run `schedule(run)` under a watchdog. If the workers cannot be stopped, this does not return: it writes `so_far` with
/// the counters and ends the process.
struct Watched {
    Ending ending;
    WatchdogResult seen;
};
Watched run_watched(Run& run, const BuiltFlowgraph& graph, const Results& so_far,
                    const std::function<void(Run&)>& schedule, std::function<void(double flowing_s)> tick);

/// Run once and return all results.
Results measure(const Application& application, const Options& options);

/// Run untimed and untraced on counter data, then again on one thread to compare the sinks, unless the options disable
/// that. Throws std::invalid_argument if a tap does not exist.
Results verify(const Application& application, const Options& options);

/// Start a process for each repetition of `--repeat`, with the folders `out/1`, `out/2`, ….
int repeat(int argc, char** argv, const Options& options);

/// Prints lines of `--progress=json`.
class Progress {
  public:
    Progress(const Application& application, const Options& options, const BuiltFlowgraph& graph);
    /// Print a line. Any thread. The rate excludes the time for touching memory.
    void report(double flowing_s) const;

  private:
    std::string run_id_;
    std::vector<const Instance*> metered_;
    std::uint64_t total_ = 0;  ///< 0: unknown
};

}  // namespace weir::app
