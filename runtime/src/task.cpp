#include "weir/task.hpp"

namespace weir {

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
