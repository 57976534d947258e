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
inline constexpr int kExitUnwritten = 3;  // it ran, and its results could not be written
inline constexpr int kExitRun = 4;

/// What was recorded in memory: the records of each thread, one thread after the other.
inline constexpr const char* kEventsFile = "events.bin";

/// A program with what is asked of it again and again.
struct BuiltFlowgraph {
    std::unique_ptr<Program> program;
    std::vector<Instance*> instances;      ///< by their index
    std::vector<StreamBase*> streams;      ///< what they write to, in their order
    std::vector<const PlaceBase*> places;
    ParamTable parameters;
    std::function<void(Run&)> schedule;
    std::size_t replicas = 1;

    /// That the plan counts, each of which is there so many times.
    std::size_t blocks() const noexcept { return instances.size() / replicas; }
    /// All of the one at this position.
    std::vector<Instance*> of(std::size_t position) const;
};

BuiltFlowgraph built(const Application& application);

/// A flowgraph with the command line's parameters in it. Throws std::invalid_argument with a message for the user.
BuiltFlowgraph build_with_parameters(const Application& application, const Options& options);

/// What is known before the run starts.
Results results_before(const Application& application, const Options& options, const BuiltFlowgraph& graph);

/// What the counters of blocks and streams say. Also in mid-run: a moment's truth.
void add_counters(Results& results, const BuiltFlowgraph& graph);

/// What the finished run says of itself, its trace and its threads, and whether that is as it should be.
void add_outcome(Results& results, const BuiltFlowgraph& graph, const Run& run, const trace::Tracer& tracer);

/// What came to the sinks, and whether it was as much as had to come.
void add_sinks(Results& results, const BuiltFlowgraph& graph, const Run& run);

/// Whether what the paced sources offer came out at the sinks as fast, and at most what rate would have.
void add_load(Results& results, const BuiltFlowgraph& graph, const RunOutcome& outcome);

/// What others did on the machine, from the barrier to the workers' end.
void add_interference(Results& results, const RunOutcome& outcome, const MachineReading& before,
                      const MachineReading& after);

/// Workers of real-time policies that the kernel stopped, so that others got their CPUs.
void add_throttling(Results& results, const RunOutcome& outcome, const RealtimeRights& rights);

/// What the CPU counted of all threads together, and what of it there is not. `sys`: where sysfs is.
void add_cpu_counts(Results& results, const RunOutcome& outcome, const std::filesystem::path& sys);

/// What the machine took meanwhile, and how many items it took a joule for.
void add_energy(Results& results, const BuiltFlowgraph& graph, Energy energy);

void add_reason(Results& results, ReasonCode code, std::string message);

void add_failure(Results& results, const Failure& failure);

/// Runs the bare kernel on the first worker's CPU, before the run; none where the options say so.
std::optional<SpeedCheckResult> speed_check_before(const Application& application, const Options& options);

/// Runs it again, and adds a reason where the machine has another speed now.
void speed_check_after(const Application& application, Results& results);

/// Why the watchdog stopped the run.
void add_ending(Results& results, Ending ending, const WatchdogResult& seen);

/// Writes what was recorded in memory, and results.json. Returns "" or what went wrong.
std::string write_results(const Results& results);

/// Runs `schedule(run)` under a watchdog. Does not return when the workers cannot be stopped: then it writes `so_far` with what
/// the counters say, and ends the process.
struct Watched {
    Ending ending;
    WatchdogResult seen;
};
Watched run_watched(Run& run, const BuiltFlowgraph& graph, const Results& so_far,
                    const std::function<void(Run&)>& schedule, std::function<void(double flowing_s)> tick);

/// Runs once and fills in everything.
Results measure(const Application& application, const Options& options);

/// Runs on counted data, waiting for no clock and writing no trace, and once more on one thread to compare the sinks; the second
/// not where the options say so. Throws std::invalid_argument for a tap that is not there.
Results verify(const Application& application, const Options& options);

/// `--repeat`: a process for each repetition, in folders `out/1`, `out/2`, ….
int repeat(int argc, char** argv, const Options& options);

/// A line of `--progress=json`.
class Progress {
  public:
    Progress(const Application& application, const Options& options, const BuiltFlowgraph& graph);
    /// From any thread. What it took to touch the memory is none of the rate.
    void report(double flowing_s) const;

  private:
    std::string run_id_;
    std::vector<const Instance*> metered_;
    std::uint64_t total_ = 0;  ///< 0: unknown
};

}  // namespace weir::app
