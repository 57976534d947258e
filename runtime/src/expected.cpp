#include "weir/expected.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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

std::vector<Offered> offered_rates(std::span<Task* const> tasks) {
    constexpr double kEqual = 1e-9;  // of two rates, apart in what reckoning loses
    std::unordered_map<const StreamBase*, Offered> carried;
    std::vector<Offered> rates;
    for (std::size_t place = 0; place < tasks.size(); ++place) {
        const Task& task = *tasks[place];
        const auto inputs = task.inputs();
        const auto outputs = task.outputs();
        Offered offered;
        double firings = 0;  // a second, where `paced`
        bool paced = !inputs.empty();
        if (inputs.empty()) {
            offered.sources = {place};
            if (const auto rate = task.offered_items_per_s(); rate && !outputs.empty()) {
                firings = *rate / task.out_rates()[0];
                paced = true;
            }
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Offered& input = carried[inputs[i]];  // one that nothing feeds is like one that nobody paces
            offered.burst_ns = std::max(offered.burst_ns, input.burst_ns);
            offered.uneven |= input.uneven;
            std::vector<std::size_t> sources;
            std::ranges::set_union(offered.sources, input.sources, std::back_inserter(sources));
            offered.sources = std::move(sources);
            paced &= input.items_per_s.has_value();
            const double wanted = input.items_per_s.value_or(0) / task.in_rates()[i];
            offered.uneven |= i != 0 && std::abs(wanted - firings) > kEqual * wanted;
            firings = std::max(firings, wanted);
        }
        offered.burst_ns = std::max(offered.burst_ns, task.burst_ns());
        const auto at = [&](std::uint32_t rate) { return paced ? std::optional(firings * rate) : std::nullopt; };
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            offered.items_per_s = at(task.out_rates()[o]);
            carried[outputs[o]] = offered;
        }
        offered.items_per_s = at(!inputs.empty() ? task.in_rates()[0] : !outputs.empty() ? task.out_rates()[0] : 1);
        rates.push_back(std::move(offered));
    }
    return rates;
}

}  // namespace weir
