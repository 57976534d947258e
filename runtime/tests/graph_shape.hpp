// A flowgraph of the tests as plain data, and properties that follow from its shape. Free of runtime code, so that the
// reference shares no code with what it judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::testing {

enum class Kind {
    source,
    drip,
    sleeper,
    affine,
    pacer,
    toil,
    decimate,
    interpolate,
    resample,
    fir,
    head,
    join,
    weave,
    split,
    fail,
    refuse,
    sink
};

struct Port {
    std::size_t op;
    std::size_t port = 0;
};

/// One instance; inputs name earlier ones, so the order is topological.
///
///     source, drip   n items (0: without end); a drip waits now and then
///     sleeper        n items with m ms between them; m = 0: n items at once, then an hour's rest, repeatedly
///     affine, pacer  a firing is 1 -> 1; a pacer waits now and then
///     toil           as affine, with n rounds of work an item
///     decimate       n -> 1        interpolate  1 -> n        resample  n -> m
///     fir            m -> 1, over the last n items
///     head, fail     1 -> 1, ends (fails) after n items; refuse fails at its start
///     join           1 + 1 -> 1    weave  n + m -> n + m
///     split          1 -> 1 and 1
///     sink           digests; leaves after n items (0: never)
struct Op {
    Kind kind;
    std::vector<Port> inputs = {};
    std::uint64_t n = 0;
    std::uint64_t m = 0;
};
using Graph = std::vector<Op>;

std::string_view name_of(Kind kind) noexcept;
inline bool is_source(Kind kind) noexcept { return kind <= Kind::sleeper; }
inline bool maps_item_for_item(Kind kind) noexcept {
    return kind == Kind::affine || kind == Kind::pacer || kind == Kind::toil;
}
inline std::size_t outputs_of(Kind kind) noexcept { return kind == Kind::sink ? 0 : kind == Kind::split ? 2 : 1; }
std::uint64_t in_rate(const Op& op, std::size_t port = 0) noexcept;  ///< items per firing
std::uint64_t out_rate(const Op& op) noexcept;

/// Items per op and output port.
using Capacities = std::vector<std::vector<std::size_t>>;

/// Least common multiple of the rates on each stream.
Capacities granules(const Graph& graph);

/// The least capacities with which no graph of consistent rates can get stuck. A stream on no undirected cycle needs
/// its granule: then its writer and its reader cannot both be short. A stream on a cycle needs the items of one
/// iteration of the balance equations: then a firing order exists, and without choices any order of firing finds it.
Capacities least_capacities(const Graph& graph);

/// Describe the graph with one line per op, for a failed test.
std::string text_of(const Graph& graph);

}  // namespace weir::testing
