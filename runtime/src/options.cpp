#include "weir/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "weir/numbers.hpp"
#include "weir/text.hpp"
#include "weir/trace.hpp"

namespace weir {

namespace {

using namespace std::string_view_literals;

/// Function that stores the argument of one option. Returns "" or a description of a valid argument.
using Apply = std::string (*)(Options&, const std::string& argument);

struct OptionSpec {
    std::string_view name;
    std::string_view argument;  ///< "" = a flag
    std::string_view help;
    bool per_repetition;        ///< not passed on to the processes of --repeat
    Apply apply;
};

template <auto Member> std::string set_count(Options& options, const std::string& text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 0) return "a whole number of at least 0, such as 100k";
    options.*Member = static_cast<std::uint64_t>(*value);
    return "";
}

template <std::uint64_t RunSpec::* Member> std::string set_run_count(Options& options, const std::string& text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 0) return "a whole number of at least 0, such as 100k";
    options.run.*Member = static_cast<std::uint64_t>(*value);
    return "";
}

/// Store a 64-bit seed. A negative number is stored as its two's complement, as in the project file.
std::string set_seed(Options& options, const std::string& text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value) return "a whole number, such as 1";
    options.run.seed = static_cast<std::uint64_t>(*value);
    return "";
}

std::string set_repeat(Options& options, const std::string& text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 1 || *value > 1'000'000) return "a whole number from 1 to 1000000";
    options.repeat = static_cast<std::uint64_t>(*value);
    return "";
}

constexpr double kLongestSeconds = 1e9;

std::string set_timeout(Options& options, const std::string& text) {
    const std::optional<double> value = parse_real(text);
    if (!value || !(*value > 0) || *value > kLongestSeconds) return "a number of seconds above 0";
    options.run.timeout_s = *value;
    return "";
}

std::string set_stall(Options& options, const std::string& text) {
    const std::optional<double> value = parse_real(text);
    if (!value || *value < 0 || *value > kLongestSeconds) return "a number of seconds, or 0 for never";
    options.stall_s = *value;
    return "";
}

std::string set_speed_check(Options& options, const std::string& text) {
    const std::optional<double> value = parse_real(text);
    if (!value || *value < 0 || *value > kLongestSeconds) return "a number of seconds, or 0 to skip the check";
    options.speed_check_s = *value;
    return "";
}

std::string set_trace(Options& options, const std::string& text) {
    // A result must not claim a trace backend that this binary was not built with.
    constexpr TraceBackend kOwn = WEIR_TRACING ? TraceBackend::not_enabled : TraceBackend::compiled_out;
    for (const TraceBackend backend : {TraceBackend::off, TraceBackend::memory, TraceBackend::lttng, kOwn}) {
        if (name_of(backend) != text) continue;
        options.run.trace = backend;
        return "";
    }
    return concat({"lttng, memory, off or ", name_of(kOwn)});
}

std::string set_metrics(Options& options, const std::string& text) {
    for (const Metrics metrics : {Metrics::none, Metrics::counters, Metrics::profile}) {
        if (name_of(metrics) != text) continue;
        options.run.metrics = metrics;
        return "";
    }
    return "none, counters or profile";
}

std::string set_cpu_counters(Options& options, const std::string& text) {
    options.run.cpu_counters = text == "on";
    return text == "on" || text == "off" ? "" : "on or off";
}

std::string set_progress(Options& options, const std::string& text) {
    if (text != "json") return "json";
    options.progress_json = true;
    return "";
}

std::string set_beside(Options& options, const std::string& text) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::optional<std::int64_t> process = parse_integer(std::string_view(text).substr(at, comma - at));
        if (!process || *process < 1 || *process > std::numeric_limits<int>::max())
            return "process ids, such as 812,813";
        options.beside.push_back(static_cast<int>(*process));
        at = comma + 1;
    }
    return "";
}

template <auto Member> std::string set_path(Options& options, const std::string& text) {
    if (text.empty()) return "a folder";
    options.*Member = text;
    return "";
}

template <bool Options::* Member> std::string set_flag(Options& options, const std::string&) {
    options.*Member = true;
    return "";
}

constexpr OptionSpec kOptions[] = {
    {"--items", "N", "items that each source or head emits; 0 = no limit", false, set_run_count<&RunSpec::items>},
    {"--warmup-items", "N", "items that each sink receives before the measured window opens", false,
     set_run_count<&RunSpec::warmup_items>},
    {"--seed", "N", "seed from which every random block derives its own", false, set_seed},
    {"--param", "I.P=V", "set parameter P of instance I; may be given many times", false,
     [](Options& options, const std::string& text) {
         options.params.push_back(text);
         return std::string();
     }},
    {"--trace", "lttng|memory|off", "where to record the events of the run", false, set_trace},
    {"--metrics", "none|counters|profile", "what to measure for each block", false, set_metrics},
    {"--cpu-counters", "on|off", "count the cycles, cache misses and page faults of each worker", false,
     set_cpu_counters},
    {"--timeout-s", "S", "stop the run after S seconds", false, set_timeout},
    {"--stall-s", "S", "stop the run when no item has moved for S seconds; 0 = never", false, set_stall},
    {"--speed-check-s", "S",
     "speed check: time the bare kernel for S seconds before and after the run; 0 = no speed check", false,
     set_speed_check},
    {"--beside", "PIDS", "processes of the interference load: their CPU time does not count as interference", false,
     set_beside},
    {"--repeat", "N", "run N times, each time in its own process and folder", true, set_repeat},
    {"--out", "DIR", "folder for results.json (default: out)", true, set_path<&Options::out>},
    {"--project-dir", "DIR", "folder that the paths of files to read are relative to", false,
     set_path<&Options::project_dir>},
    {"--verify", "",
     "run untimed on counter data, and compare every sink with a run under the single_thread scheduler (or, if the "
     "schedule is fixed, with a second run of it)",
     false, set_flag<&Options::verify>},
    {"--without-reference", "", "with --verify: run once and compare nothing; the caller compares", false,
     set_flag<&Options::without_reference>},
    {"--tap", "I.P",
     "with --verify: record output P of instance I in tap-0.items, the next in tap-1.items, ...; may be given many "
     "times",
     false,
     [](Options& options, const std::string& text) {
         options.taps.push_back(text);
         return std::string();
     }},
    {"--json", "", "print the results as a JSON array instead of a summary", true, set_flag<&Options::json>},
    {"--progress", "json", "print progress to stderr during the run, one JSON object per line", false, set_progress},
    {"--run-id", "ID", "name of this run in results.json", true,
     [](Options& options, const std::string& text) {
         options.run_id = text;
         return std::string();
     }},
    {"--repetition", "N", "number of this repetition in results.json", true, set_count<&Options::repetition>},
    {"--help", "", "print this text", false, set_flag<&Options::help>},
};

const OptionSpec* find_option(std::string_view name) {
    if (name == "--witness-s") name = "--speed-check-s";  // scripts written before the option was renamed
    const auto found = std::find_if(std::begin(kOptions), std::end(kOptions),
                                    [&](const OptionSpec& spec) { return spec.name == name; });
    return found == std::end(kOptions) ? nullptr : &*found;
}

std::string unknown_option(std::string_view name) {
    std::vector<std::string_view> names;
    for (const OptionSpec& spec : kOptions) names.push_back(spec.name);
    const std::string_view guess = did_you_mean(name, names);
    return concat({"unknown option `", name, "`; ", suggestion(guess)});
}

}  // namespace

std::string_view name_of(TraceBackend backend) {
    switch (backend) {
        case TraceBackend::off: return "off";
        case TraceBackend::memory: return "memory";
        case TraceBackend::not_enabled: return "not_enabled";
        case TraceBackend::compiled_out: return "compiled_out";
        case TraceBackend::lttng: break;
    }
    return "lttng";
}

std::string_view name_of(Metrics metrics) {
    switch (metrics) {
        case Metrics::none: return "none";
        case Metrics::counters: return "counters";
        case Metrics::profile: break;
    }
    return "profile";
}

std::string_view name_of(SchedulingPolicy policy) {
    switch (policy) {
        case SchedulingPolicy::other: return "other";
        case SchedulingPolicy::fifo: return "fifo";
        case SchedulingPolicy::rr: return "rr";
        case SchedulingPolicy::deadline: break;
    }
    return "deadline";
}

ParsedOptions parse_options(int argc, char** argv, const RunSpec& defaults) {
    ParsedOptions parsed;
    parsed.options.run = defaults;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const std::size_t equals = word.find('=');
        const std::string name(word.substr(0, equals));
        const OptionSpec* spec = find_option(name);
        if (spec == nullptr) {
            parsed.problem =
                name.starts_with('-') ? unknown_option(name) : concat({"unexpected argument `", name, "`"});
            return parsed;
        }
        std::string argument;
        if (equals != std::string_view::npos) {
            if (spec->argument.empty()) {
                parsed.problem = concat({name, " takes no value"});
                return parsed;
            }
            argument = word.substr(equals + 1);
        } else if (!spec->argument.empty()) {
            if (i + 1 == argc) {
                parsed.problem = concat({name, " needs a value: ", spec->argument});
                return parsed;
            }
            argument = argv[++i];
        }
        const std::string expected = spec->apply(parsed.options, argument);
        if (!expected.empty()) {
            parsed.problem = concat({name, " takes ", expected, ", not `", argument, "`"});
            return parsed;
        }
    }
    if (parsed.options.verify && parsed.options.repeat > 1) parsed.problem = "--verify and --repeat cannot be combined";
    if (!parsed.options.verify && (parsed.options.without_reference || !parsed.options.taps.empty())) {
        parsed.problem = "--without-reference and --tap need --verify";
    }
    return parsed;
}

std::vector<std::string> shared_arguments(int argc, char** argv) {
    std::vector<std::string> kept;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const OptionSpec* spec = find_option(word.substr(0, word.find('=')));
        const bool detached = spec != nullptr && !spec->argument.empty() && word == spec->name && i + 1 < argc;
        if (spec == nullptr || !spec->per_repetition) {
            kept.emplace_back(word);
            if (detached) kept.emplace_back(argv[i + 1]);
        }
        if (detached) ++i;
    }
    return kept;
}

std::string usage(std::string_view program, const RunSpec& defaults) {
    constexpr std::size_t kColumn = 34;
    std::string text = concat({"usage: ", program, " [options]\n\n"});
    for (const OptionSpec& spec : kOptions) {
        std::string line = concat({"  ", spec.name, spec.argument.empty() ? "" : " ", spec.argument});
        line.resize(std::max(line.size() + 2, kColumn), ' ');
        text += concat({line, spec.help, "\n"});
    }
    return concat({text, "\nNumbers take the suffixes p n u m k M G T. Defaults of this project: items ",
                   std::to_string(defaults.items), ", trace ", name_of(defaults.trace), ", metrics ",
                   name_of(defaults.metrics), ".\n"});
}

}  // namespace weir
