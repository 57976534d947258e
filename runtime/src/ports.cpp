#include "weir/ports.hpp"

namespace weir {

InPort::InPort(StreamBase& from, Instance& task, std::size_t items_a_firing, std::size_t chunk)
    : stream(&from), rate(items_a_firing), wanted(std::max(chunk, items_a_firing)) {
    from.require_granule(rate);
    reader = &from.attach_reader(task, wanted);
}

OutPort::OutPort(StreamBase* to, Instance& task, std::size_t items_a_firing, std::size_t chunk, std::size_t item_bytes)
    : stream(to), rate(items_a_firing), wanted(std::max(chunk, items_a_firing)) {
    if (stream != nullptr) {
        stream->require_granule(rate);
        stream->attach_writer(task, wanted);
        wanted = std::min(wanted, stream->capacity());
    } else {
        scratch.resize(wanted * item_bytes);
        window = {wanted, wanted, false};
    }
}

}  // namespace weir
