#include "weir/task.hpp"

#include "weir/clock.hpp"
#include "weir/lateness.hpp"

namespace weir {

Instance::Instance(const NodeSpec& spec) : spec_(spec) {}

Instance::~Instance() = default;

void Instance::keep_arrivals() { arrivals_ = std::make_unique<ArrivalLog>(); }

std::span<const Arrival> Instance::arrivals() const noexcept {
    return arrivals_ ? arrivals_->samples() : std::span<const Arrival>();
}

void Instance::arrived(std::uint64_t items) noexcept { arrivals_->add(monotonic_ns(), items); }

void Instance::append(std::vector<std::byte>& to, const void* items, std::size_t bytes) {
    const auto* const first = static_cast<const std::byte*>(items);
    to.insert(to.end(), first, first + bytes);
}

void Instance::joins_input(StreamBase* stream, const Edge* edge, std::size_t rate) {
    if (stream != nullptr) inputs_.push_back(stream);
    in_edges_.push_back(edge);
    in_rates_.push_back(static_cast<std::uint32_t>(rate));
}

void Instance::joins_output(StreamBase* stream, const Edge* edge, std::size_t rate) {
    if (stream != nullptr) outputs_.push_back(stream);
    out_edges_.push_back(edge);
    out_rates_.push_back(static_cast<std::uint32_t>(rate));
}

}  // namespace weir
