#include "key_order.h"

#include <algorithm>

namespace weir::editor {
namespace {

struct Order {
    std::vector<std::string> path; ///< "*" stands for any name or index
    std::vector<std::string> keys;
};

const std::vector<Order>& orders() {
    static const std::vector<Order> table = {
        {{},
         {"schema_version", "name", "title", "description", "parameters", "graph", "deployments", "run", "sweeps",
          "ui"}},
        {{"parameters", "*"}, {"value", "minimum", "maximum", "description"}},
        {{"graph"}, {"blocks", "groups", "connections", "pipes"}},
        {{"graph", "blocks", "*"}, {"id", "type", "parameters", "repeat", "state", "probe", "comment"}},
        {{"graph", "groups", "*"}, {"id", "blocks", "repeat", "comment"}},
        {{"deployments", "*"},
         {"name",        "scheduler", "parameters",     "workers", "placement", "affinity", "buffers",
          "chunk_items", "blocks",    "kernels",        "wait",    "policy",    "priority", "runtime_us",
          "deadline_us", "period_us", "timer_slack_ns", "threads", "memory",    "volk",     "alignment",
          "environment", "disturb",   "build",          "require", "target"}},
        {{"deployments", "*", "placement"}, {"strategy", "map"}},
        {{"deployments", "*", "memory"}, {"lock", "hugepages", "numa"}},
        {{"deployments", "*", "threads", "*"},
         {"policy", "priority", "runtime_us", "deadline_us", "period_us", "timer_slack_ns"}},
        {{"deployments", "*", "volk"}, {"implementation", "kernels"}},
        {{"deployments", "*", "environment"}, {"isolate"}},
        {{"deployments", "*", "environment", "isolate"}, {"cpus", "free_siblings", "governor"}},
        {{"deployments", "*", "disturb"}, {"loops", "cpu_limit", "slice_us", "cpus"}},
        {{"deployments", "*", "build"}, {"compiler", "march", "optimisation", "extra_flags"}},
        {{"run"},
         {"items", "warmup_items", "repetitions", "seed", "timeout_s", "deadline_us", "metrics", "cpu_counters",
          "trace"}},
        {{"run", "trace"}, {"backend", "probe_granularity", "events", "causes"}},
        {{"sweeps", "*"}, {"name", "vary", "loads", "repetitions", "best", "hold", "where", "items", "quick", "plot"}},
        {{"sweeps", "*", "quick"}, {"vary", "items"}},
        {{"sweeps", "*", "loads"}, {"parameter", "of", "shares", "latency", "loss"}},
        {{"sweeps", "*", "plot"}, {"kind", "x", "y", "by", "title", "against", "ceiling", "reference", "overlay"}},
        {{"sweeps", "*", "plot", "reference", "*"}, {"label", "value"}},
        {{"sweeps", "*", "plot", "overlay"}, {"file", "label", "columns", "y", "name", "only"}},
        {{"ui"}, {"positions", "colours", "notes", "frames", "reroutes", "designs"}},
        {{"ui", "designs", "*"},
         {"kind", "sample_rate", "cutoff", "low_cutoff", "high_cutoff", "transition", "window", "attenuation_db",
          "beta", "symbol_rate", "roll_off", "number_of_taps", "gain"}},
        {{"ui", "notes", "*"}, {"text", "rect", "colour"}},
        {{"ui", "frames", "*"}, {"title", "rect", "colour"}},
    };
    return table;
}

bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
    return std::equal(pattern.begin(), pattern.end(), path.begin(), path.end(),
                      [](const std::string& p, const std::string& s) { return p == "*" || p == s; });
}

std::vector<std::string> tokens(Pointer pointer) {
    std::vector<std::string> result;
    for (; !pointer.empty(); pointer.pop_back()) result.push_back(pointer.back());
    std::reverse(result.begin(), result.end());
    return result;
}

} // namespace

const std::vector<std::string>& schemaOrder(const Pointer& parent) {
    static const std::vector<std::string> none;
    const auto path = tokens(parent);
    for (const Order& order : orders())
        if (matches(order.path, path)) return order.keys;
    return none;
}

std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key) {
    const auto& keys = schemaOrder(parent);
    const auto rank = std::find(keys.begin(), keys.end(), key);
    if (rank == keys.end()) return object.size();
    std::size_t position = 0;
    std::size_t after = 0;
    for (const auto& item : object.items()) {
        ++position;
        if (std::find(keys.begin(), rank, item.key()) != rank) after = position;
    }
    return after;
}

} // namespace weir::editor
