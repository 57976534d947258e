// The command line of a generated binary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/plan.hpp"

namespace weir {

struct Options {
    RunSpec run;                               ///< the plan's, with what the command line overrides
    std::filesystem::path out = "out";         ///< results.json and what the blocks write
    std::filesystem::path project_dir = ".";   ///< relative paths that blocks read resolve here
    std::vector<std::string> params;           ///< `instance.parameter=value`, in order
    std::string run_id;                        ///< empty: made from the time
    std::uint64_t repeat = 1;                  ///< processes, one after the other
    std::uint64_t repetition = 0;              ///< which of them this is
    double speed_check_s = 0.05;                   ///< of the speed check, before and after; 0 = none
    double stall_s = 5.0;                      ///< no item moved for so long: stuck; 0 = never
    std::vector<int> beside;                   ///< processes that are there to disturb the run
    bool verify = false;
    bool without_reference = false;            ///< of --verify: whoever started it compares
    std::vector<std::string> taps;             ///< `instance.port`: outputs that --verify records
    bool json = false;
    bool progress_json = false;
    bool help = false;
};

/// Reads the command line over the plan's defaults. `problem` is "" or a message for the user.
struct ParsedOptions {
    Options options;
    std::string problem;
};
ParsedOptions parse_options(int argc, char** argv, const RunSpec& defaults);

/// The arguments without those that one repetition does not share with the others: --repeat, --out, --run-id, --repetition, --json.
std::vector<std::string> shared_arguments(int argc, char** argv);

/// The text of --help up to the parameters.
std::string usage(std::string_view program, const RunSpec& defaults);

std::string_view name_of(TraceBackend backend);
std::string_view name_of(Metrics metrics);
std::string_view name_of(SchedulingPolicy policy);

}  // namespace weir
