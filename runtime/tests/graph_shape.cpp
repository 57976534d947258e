#include "graph_shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

namespace weir::testing {
namespace {

/// Firings of an op per item of a source, as a fraction.
struct Fraction {
    std::uint64_t up = 1, down = 1;
};

Fraction times(Fraction x, std::uint64_t up, std::uint64_t down) {
    const std::uint64_t a = x.up * up, b = x.down * down, divisor = std::gcd(a, b);
    return {a / divisor, b / divisor};
}

std::vector<Fraction> firings(const Graph& graph) {
    std::vector<Fraction> found;
    for (const Op& op : graph) {
        if (op.inputs.empty()) {
            found.push_back({});
        } else {
            const std::size_t from = op.inputs[0].op;
            found.push_back(times(found[from], out_rate(graph[from]), in_rate(op)));
        }
    }
    return found;
}

/// Return for each stream whether it lies on a cycle of the undirected graph whose vertices are the ops and the
/// streams.
std::vector<std::vector<bool>> on_cycles(const Graph& graph) {
    std::vector<std::size_t> first_stream;  // vertex of output 0 of each op
    std::size_t vertices = graph.size();
    for (const Op& op : graph) {
        first_stream.push_back(vertices);
        vertices += outputs_of(op.kind);
    }
    struct Edge {
        std::size_t to, id;
    };
    std::vector<std::vector<Edge>> edges(vertices);
    std::size_t ids = 0;
    const auto connect = [&](std::size_t a, std::size_t b) {
        edges[a].push_back({b, ids});
        edges[b].push_back({a, ids++});
    };
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (std::size_t port = 0; port < outputs_of(graph[i].kind); ++port) connect(i, first_stream[i] + port);
        for (const Port& from : graph[i].inputs) connect(i, first_stream[from.op] + from.port);
    }
    // Tarjan's bridges: an edge is on no cycle if nothing below it reaches above it.
    constexpr std::size_t kNew = static_cast<std::size_t>(-1);
    std::vector<std::size_t> order(vertices, kNew), low(vertices);
    std::vector<bool> bridge(ids, false);
    std::size_t next = 0;
    const std::function<void(std::size_t, std::size_t)> visit = [&](std::size_t at, std::size_t by) {
        order[at] = low[at] = next++;
        for (const Edge& edge : edges[at]) {
            if (edge.id == by) continue;
            if (order[edge.to] == kNew) {
                visit(edge.to, edge.id);
                bridge[edge.id] = low[edge.to] > order[at];
            }
            low[at] = std::min(low[at], low[edge.to]);
        }
    };
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (order[i] == kNew) visit(i, kNew);
    }
    std::vector<std::vector<bool>> found;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        auto& ports = found.emplace_back();
        for (std::size_t port = 0; port < outputs_of(graph[i].kind); ++port) {
            ports.push_back(
                std::ranges::any_of(edges[first_stream[i] + port], [&](const Edge& e) { return !bridge[e.id]; }));
        }
    }
    return found;
}

}  // namespace

std::string_view name_of(Kind kind) noexcept {
    constexpr std::string_view kNames[] = {"source",   "drip",        "sleeper",  "affine", "pacer", "toil",
                                           "decimate", "interpolate", "resample", "fir",    "head",  "join",
                                           "weave",    "split",       "fail",     "refuse", "sink"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::uint64_t in_rate(const Op& op, std::size_t port) noexcept {
    switch (op.kind) {
        case Kind::decimate:
        case Kind::resample: return op.n;
        case Kind::fir: return op.m;
        case Kind::weave: return port == 0 ? op.n : op.m;
        default: return 1;
    }
}

std::uint64_t out_rate(const Op& op) noexcept {
    switch (op.kind) {
        case Kind::interpolate: return op.n;
        case Kind::resample: return op.m;
        case Kind::weave: return op.n + op.m;
        default: return 1;
    }
}

Capacities granules(const Graph& graph) {
    Capacities found;
    for (const Op& op : graph) found.emplace_back(outputs_of(op.kind), static_cast<std::size_t>(out_rate(op)));
    for (const Op& op : graph) {
        for (std::size_t port = 0; port < op.inputs.size(); ++port) {
            std::size_t& granule = found[op.inputs[port].op][op.inputs[port].port];
            granule = std::lcm(granule, static_cast<std::size_t>(in_rate(op, port)));
        }
    }
    return found;
}

Capacities least_capacities(const Graph& graph) {
    Capacities least = granules(graph);
    const std::vector<Fraction> firing = firings(graph);
    const auto cycles = on_cycles(graph);
    std::uint64_t iteration = 1;  // iteration: items of a source
    for (std::size_t i = 0; i < graph.size(); ++i) {
        bool on_cycle = std::ranges::any_of(cycles[i], [](bool on) { return on; });
        for (const Port& from : graph[i].inputs) on_cycle |= cycles[from.op][from.port];
        if (on_cycle) iteration = std::lcm(iteration, firing[i].down);
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto items = static_cast<std::size_t>(iteration / firing[i].down * firing[i].up * out_rate(graph[i]));
        for (std::size_t port = 0; port < least[i].size(); ++port) {
            if (cycles[i][port]) least[i][port] = std::lcm(items, least[i][port]);
        }
    }
    return least;
}

std::string text_of(const Graph& graph) {
    std::string text;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Op& op = graph[i];
        text += "  op" + std::to_string(i) + " " + std::string(name_of(op.kind));
        if (op.n != 0 || op.m != 0) text += " " + std::to_string(op.n);
        if (op.m != 0) text += ":" + std::to_string(op.m);
        for (const Port& from : op.inputs) {
            text += (&from == op.inputs.data() ? " <- op" : ", op") + std::to_string(from.op);
            if (outputs_of(graph[from.op].kind) > 1) text += "." + std::to_string(from.port);
        }
        text += "\n";
    }
    return text;
}

}  // namespace weir::testing
