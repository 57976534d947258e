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

std::uint64_t times(std::uint64_t firings, std::uint64_t rate) noexcept {
    return firings == kUnbounded ? kUnbounded : firings * rate;
}

/// Return the items per firing at the first output, or at the first input of a sink.
std::uint64_t own_rate(const Instance& task) noexcept {
    return !task.out_edges().empty() ? task.out_rates()[0] : !task.in_edges().empty() ? task.in_rates()[0] : 1;
}

/// Number of firings that the inputs and the bound of an instance allow. `bounded`: no input ends before the bound.
struct Firings {
    std::uint64_t count = kUnbounded;
    bool bounded = false;
};

std::vector<Firings> firings_of(std::span<Instance* const> tasks, std::uint64_t run_items) {
    std::unordered_map<const Edge*, std::uint64_t> carried;
    std::vector<Firings> found;
    for (const Instance* task : tasks) {
        const auto inputs = task->in_edges();
        const auto outputs = task->out_edges();
        std::uint64_t firings = kUnbounded;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto at = carried.find(inputs[i]);
            const std::uint64_t items = at == carried.end() ? kUnbounded : at->second;
            if (items != kUnbounded) firings = std::min(firings, items / task->in_rates()[i]);
        }
        // The bound counts items at the same port as `own_rate`.
        std::uint64_t own_bound = task->total_items().value_or(kUnbounded);
        if (inputs.empty() && task->spec().ends_at_run_items && run_items != 0)
            own_bound = std::min(own_bound, run_items);
        const std::uint64_t own = own_bound == kUnbounded ? kUnbounded : own_bound / own_rate(*task);
        found.push_back({std::min(firings, own), own <= firings});
        for (std::size_t o = 0; o < outputs.size(); ++o)
            carried[outputs[o]] = times(found.back().count, task->out_rates()[o]);
    }
    return found;
}

}  // namespace

std::vector<std::optional<std::uint64_t>> expected_items(std::span<Instance* const> tasks, std::uint64_t run_items) {
    const std::vector<Firings> firings = firings_of(tasks, run_items);
    std::vector<std::optional<std::uint64_t>> expected;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const bool source = tasks[i]->in_edges().empty();
        const std::uint64_t items = times(firings[i].count, source ? own_rate(*tasks[i]) : tasks[i]->in_rates()[0]);
        expected.push_back(items == kUnbounded ? std::nullopt : std::optional(items));
    }
    return expected;
}

std::vector<Instance::Quota> quotas_of(std::span<Instance* const> instances, std::uint64_t run_items, bool all) {
    const std::vector<Firings> firings = firings_of(instances, run_items);
    std::vector<Instance::Quota> quotas(instances.size());
    std::unordered_map<const Edge*, std::uint64_t> wanted;  // most items that any reader consumes
    std::unordered_map<const Edge*, std::uint64_t> made;    // most items that the writer can produce
    for (std::size_t i = 0; i < instances.size(); ++i) {
        for (std::size_t o = 0; o < instances[i]->out_edges().size(); ++o) {
            made[instances[i]->out_edges()[o]] = times(firings[i].count, instances[i]->out_rates()[o]);
        }
    }
    for (std::size_t i = instances.size(); i-- != 0;) {
        const Instance& instance = *instances[i];
        std::uint64_t& count = quotas[i].firings;
        count = firings[i].count;
        if (!instance.out_edges().empty() && (!all || count == kUnbounded)) {
            std::uint64_t needed = 0;
            for (std::size_t o = 0; o < instance.out_edges().size(); ++o) {
                const std::uint64_t items = wanted[instance.out_edges()[o]];
                const std::uint64_t rate = instance.out_rates()[o];
                needed = std::max(needed, items == kUnbounded ? kUnbounded : items / rate + (items % rate != 0));
            }
            count = std::min(count, needed);
        }
        for (std::size_t p = 0; p < instance.in_edges().size(); ++p) {
            const std::uint64_t rate = instance.in_rates()[p];
            std::uint64_t& most = wanted[instance.in_edges()[p]];
            most = std::max(most, times(count, rate));
            const std::uint64_t there = made[instance.in_edges()[p]];
            // Add the items of an ended input that are too few for a firing. Inputs that may continue are not counted.
            if (!firings[i].bounded && count == firings[i].count && there != kUnbounded &&
                there - count * rate < rate) {
                quotas[i].tail_items += there - count * rate;
            }
        }
    }
    return quotas;
}

std::vector<OfferedRate> offered_rates(std::span<Instance* const> tasks) {
    constexpr double kEqual = 1e-9;  // relative rounding error of two equal rates
    std::unordered_map<const Edge*, OfferedRate> carried;
    std::vector<OfferedRate> rates;
    for (std::size_t place = 0; place < tasks.size(); ++place) {
        const Instance& task = *tasks[place];
        const auto inputs = task.in_edges();
        const auto outputs = task.out_edges();
        OfferedRate offered;
        double firings = 0;  // per second, valid if `paced`
        const std::optional<double> own = task.offered_items_per_s();
        bool paced = own || !inputs.empty();
        if (inputs.empty() || own) offered.sources = {place};
        if (own) firings = *own / static_cast<double>(own_rate(task));
        for (std::size_t i = 0; i < inputs.size() && !own; ++i) {
            const OfferedRate& input = carried[inputs[i]];  // an unconnected input counts as unpaced
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
