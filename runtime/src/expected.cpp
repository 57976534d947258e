#include "weir/expected.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "weir/stream.hpp"

namespace weir {
namespace {

constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

std::uint64_t times(std::uint64_t firings, std::uint64_t rate) noexcept { return firings == kUnbounded ? kUnbounded : firings * rate; }

}  // namespace

std::vector<std::optional<std::uint64_t>> expected_items(std::span<Task* const> tasks, std::uint64_t run_items) {
    std::unordered_map<const StreamBase*, std::uint64_t> carried;
    std::vector<std::optional<std::uint64_t>> expected;
    for (const Task* task : tasks) {
        const auto inputs = task->inputs();
        const auto outputs = task->outputs();
        std::uint64_t firings = kUnbounded;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto found = carried.find(inputs[i]);
            const std::uint64_t items = found == carried.end() ? kUnbounded : found->second;
            if (items != kUnbounded) firings = std::min(firings, items / task->in_rates()[i]);
        }
        // What bounds a block is counted at its first output, or at a sink's input.
        const std::uint64_t own_rate = !outputs.empty() ? task->out_rates()[0] : !inputs.empty() ? task->in_rates()[0] : 1;
        std::uint64_t own_bound = task->total_items().value_or(kUnbounded);
        if (inputs.empty() && task->spec().ends_at_run_items && run_items != 0) own_bound = std::min(own_bound, run_items);
        if (own_bound != kUnbounded) firings = std::min(firings, own_bound / own_rate);

        for (std::size_t o = 0; o < outputs.size(); ++o) carried[outputs[o]] = times(firings, task->out_rates()[o]);
        const std::uint64_t items = times(firings, inputs.empty() ? own_rate : task->in_rates()[0]);
        expected.push_back(items == kUnbounded ? std::nullopt : std::optional(items));
    }
    return expected;
}

std::vector<std::optional<double>> offered_rates(std::span<Task* const> tasks) {
    std::unordered_map<const StreamBase*, std::optional<double>> carried;
    std::vector<std::optional<double>> rates;
    for (const Task* task : tasks) {
        const auto inputs = task->inputs();
        const auto outputs = task->outputs();
        std::optional<double> firings;  // a second
        if (!inputs.empty()) {
            firings = 0;
            for (std::size_t i = 0; i < inputs.size() && firings; ++i) {
                const auto found = carried.find(inputs[i]);
                firings = found == carried.end() || !found->second
                              ? std::nullopt
                              : std::optional(std::max(*firings, *found->second / task->in_rates()[i]));
            }
        } else if (const auto rate = task->offered_items_per_s(); rate && !outputs.empty()) {
            firings = *rate / task->out_rates()[0];
        }
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            carried[outputs[o]] = firings ? std::optional(*firings * task->out_rates()[o]) : std::nullopt;
        }
        const std::uint32_t own = !inputs.empty() ? task->in_rates()[0] : !outputs.empty() ? task->out_rates()[0] : 1;
        rates.push_back(firings ? std::optional(*firings * own) : std::nullopt);
    }
    return rates;
}

}  // namespace weir
