// Identities that travel with the items: a tag whose key names a source and whose value a boundary, and the same in the
// metadata of a PDU. Each source has a key of its own, so that where items or metadata of several sources are joined, the
// identities of all of them stay.
#pragma once

#include <cstddef>
#include <cstdint>

#include "row.hpp"

namespace weir::companion {

/// Return the key of the identities of a source.
pmt::pmt_t key_of(std::uint32_t source);

/// Attach tags to the boundaries that the next call can reach, for a block that publishes its items inside the call: a
/// reader would miss a tag that came later. `shift` is what the offset of a tag has more than the item's number.
void mark_ahead(Row& row, gr::block& block, std::uint64_t reachable, std::uint64_t shift, std::uint64_t now);

/// Count the tag of the boundary that the block has just passed. Attach one if it has none and `in_time` says that the
/// item is not published yet.
void mark(Row& row, gr::block& block, bool in_time, std::uint64_t shift, std::uint64_t now);

/// Look for tags among the items that the block has just consumed, and send `rx` for those that it is to receive.
void look(Row& row, gr::block& block, std::size_t inputs, std::int64_t entry_ns);

/// Look into the metadata of a PDU, or into a message that is metadata alone. Messages of other kinds carry nothing.
void look(Row& row, const pmt::pmt_t& message, std::int64_t entry_ns);

/// Return a PDU without an identity with one of this block, after sending its `tx`. Other messages return unchanged.
pmt::pmt_t marked(Row& row, const pmt::pmt_t& message);

}  // namespace weir::companion
