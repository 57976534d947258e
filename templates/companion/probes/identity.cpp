#include "identity.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gnuradio/block_detail.h>

#include "session.hpp"

namespace weir::companion {

namespace {

constexpr std::uint64_t kMarkEach_ns = 10'000'000;  ///< mean time between two tags of a source in the long run
constexpr std::uint64_t kMarksAtOnce = 64;

/// Count an identity that reached this block, and send its `rx` if it is the first copy.
void arrived(const Row& row, Arrival& arrival, const pmt::pmt_t& value, std::int64_t entry_ns) {
    if (!pmt::is_uint64(value)) return;
    const std::uint64_t k = pmt::to_uint64(value);
    if (k <= arrival.last) return;
    arrival.last = k;
    if (arrival.seen.get() == 0) arrival.position.set(row.out.empty() ? 0 : row.out[0].items.get());
    arrival.seen.add(1);
    if (arrival.received && row.log != nullptr) row.log->write(trace::Event::rx, arrival.event, k, entry_ns);
}

bool has_metadata(const pmt::pmt_t& message) {
    return pmt::is_pair(message) && pmt::is_dict(pmt::car(message));  // null is a dictionary, too
}

/// Return whether the block may add one more tag. Each costs some microseconds in every block behind it, so tags at
/// every boundary would slow a fast flowgraph down.
bool may_mark(Row& row, std::uint64_t now) noexcept {
    const std::uint64_t more = (now - row.marks_left_at) / kMarkEach_ns;
    if (more > 0) {
        row.marks_left = std::min(kMarksAtOnce, row.marks_left + more);
        row.marks_left_at = now;
    }
    if (row.marks_left == 0) return false;
    --row.marks_left;
    return true;
}

/// Attach a tag to the last item before a boundary of the block's outputs: those at the same position as the first.
void attach(const Row& row, gr::block& block, const Boundaries& boundary, std::uint64_t shift) {
    gr::tag_t tag;
    tag.offset = boundary.next - 1 + shift;
    tag.key = row.mark_key;
    tag.value = pmt::from_uint64(boundary.k);
    tag.srcid = pmt::PMT_F;
    const gr::block_detail_sptr detail = block.detail();
    for (std::size_t port = 0; port < row.out.size(); ++port) {
        if (row.out[port].items.get() == row.out[0].items.get()) detail->add_item_tag(static_cast<unsigned>(port), tag);
    }
}

}  // namespace

pmt::pmt_t key_of(std::uint32_t source) { return pmt::intern("weir." + std::to_string(source)); }

void mark_ahead(Row& row, gr::block& block, std::uint64_t reachable, std::uint64_t shift, std::uint64_t now) {
    if (!row.mark_key) return;
    for (Boundaries ahead = row.sends; ahead.passed(reachable); ahead.advance()) {
        if (!row.marked_ahead.empty() && row.marked_ahead.back() >= ahead.k) continue;
        if (!may_mark(row, now)) return;
        attach(row, block, ahead, shift);
        row.marked_ahead.push_back(ahead.k);
    }
}

void mark(Row& row, gr::block& block, bool in_time, std::uint64_t shift, std::uint64_t now) {
    if (!row.marked_ahead.empty() && row.marked_ahead.front() == row.sends.k) {
        row.marked_ahead.pop_front();
    } else if (in_time && may_mark(row, now)) {
        attach(row, block, row.sends, shift);
    } else {
        return;
    }
    row.marked.add(1);
}

void look(Row& row, gr::block& block, std::size_t inputs, std::int64_t entry_ns) {
    const gr::block_detail_sptr detail = block.detail();
    std::vector<gr::tag_t> tags;
    for (std::size_t port = 0; port < inputs; ++port) {
        const auto which = static_cast<unsigned>(port);
        const std::uint64_t end = detail->nitems_read(which);
        if (end == row.in[port].before) continue;
        tags.clear();
        detail->get_tags_in_range(tags, which, row.in[port].before, end, block.unique_id());
        for (const gr::tag_t& tag : tags) {
            for (const auto& arrival : row.arrivals) {
                if (tag.key == arrival->key) arrived(row, *arrival, tag.value, entry_ns);  // symbols are unique
            }
        }
    }
}

void look(Row& row, const pmt::pmt_t& message, std::int64_t entry_ns) {
    const pmt::pmt_t metadata = has_metadata(message) ? pmt::car(message) : message;
    if (pmt::is_null(metadata) || !pmt::is_dict(metadata)) return;
    for (const auto& arrival : row.arrivals)
        arrived(row, *arrival, pmt::dict_ref(metadata, arrival->key, pmt::PMT_NIL), entry_ns);
}

pmt::pmt_t marked(Row& row, const pmt::pmt_t& message) {
    if (!has_metadata(message)) return message;
    const pmt::pmt_t metadata = pmt::car(message);
    const auto has = [&](const auto& arrival) { return pmt::dict_has_key(metadata, arrival->key); };
    if (pmt::dict_has_key(metadata, row.message_key) || std::ranges::any_of(row.arrivals, has)) return message;
    row.marked_messages.add(1);
    const std::uint64_t k = row.marked_messages.get();
    if (row.log != nullptr) row.log->write(trace::Event::tx, row.marks_messages_as, k, 0);
    return pmt::cons(pmt::dict_add(metadata, row.message_key, pmt::from_uint64(k)), pmt::cdr(message));
}

}  // namespace weir::companion
