#include "weir/ports.hpp"

namespace weir {
namespace {

/// Return the number of items that a turn leaves in a stream: a 32nd of the buffer. Moving them to its front costs less
/// than the short calls that would drain it. The next turn begins with a step in any case.
std::size_t left_over(const StreamBase& stream, std::size_t rate) {
    constexpr std::size_t kPart = 32;
    return std::max(rate, stream.least() / kPart);
}

}  // namespace

InPort::InPort(StreamBase& from, Instance& task, std::size_t items_a_firing, std::size_t chunk)
    : stream(&from), rate(items_a_firing), wanted(std::max(chunk, items_a_firing)),
      ring(from.kind() == StreamKind::ring) {
    from.require_granule(rate);
    reader = &from.attach_reader(task, wanted);
    low = left_over(from, rate);
}

OutPort::OutPort(StreamBase* to, Instance& task, std::size_t items_a_firing, std::size_t chunk, std::size_t item_bytes)
    : stream(to), rate(items_a_firing), wanted(std::max(chunk, items_a_firing)), low(items_a_firing) {
    if (stream != nullptr) {
        stream->require_granule(rate);
        stream->attach_writer(task, wanted);
        wanted = std::min(wanted, stream->least());
        low = left_over(*stream, rate);
        ring = stream->kind() == StreamKind::ring;
    } else {
        scratch.resize(wanted * item_bytes);
        begin = scratch.data();
        window = {wanted, wanted, false};
    }
}

}  // namespace weir
