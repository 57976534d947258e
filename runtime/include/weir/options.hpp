// Command line of a generated program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/plan.hpp"

namespace weir {

struct Options {
    RunSpec run;                               ///< the plan's defaults with the changes of the command line
    std::filesystem::path out = "out";         ///< folder for results.json and the files of blocks
    std::filesystem::path project_dir = ".";   ///< folder for relative paths that blocks read
    std::vector<std::string> params;           ///< `instance.parameter=value`, in order
    std::string run_id;                        ///< empty: generated from the time
    std::uint64_t repeat = 1;                  ///< number of processes, one after the other
    std::uint64_t repetition = 0;              ///< number of this repetition
    double speed_check_s = 0.05;                   ///< duration of each speed check; 0 = none
    double stall_s = 5.0;                      ///< the run is stuck if no item moves for this time; 0 = never
    std::vector<int> beside;                   ///< processes of the interference load
    bool verify = false;
    bool without_reference = false;            ///< with --verify: the caller compares
    std::vector<std::string> taps;             ///< `instance.port`: outputs that --verify records
    bool json = false;
    bool progress_json = false;
    bool help = false;
};

/// Parse the command line over the plan's defaults. `problem` is "" or a message for the user.
struct ParsedOptions {
    Options options;
    std::string problem;
};
ParsedOptions parse_options(int argc, char** argv, const RunSpec& defaults);

/// Return the arguments that all repetitions share: without --repeat, --out, --run-id, --repetition and --json.
std::vector<std::string> shared_arguments(int argc, char** argv);

/// Return the text of --help up to the parameters.
std::string usage(std::string_view program, const RunSpec& defaults);

std::string_view name_of(TraceBackend backend);
std::string_view name_of(Metrics metrics);
std::string_view name_of(SchedulingPolicy policy);

}  // namespace weir
