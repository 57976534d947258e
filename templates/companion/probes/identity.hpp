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

/// Return whether the block may add one more tag. Each costs some microseconds in every block behind it, so tags at
/// every boundary would slow a fast flowgraph down.
bool may_mark(Row& row, std::uint64_t now) noexcept;

/// Attach a tag to the last item before boundary `k` of the block's outputs: those at the same position as the first.
void mark(Row& row, gr::block& block, std::uint64_t k, std::uint64_t offset);

/// Look for tags among the items that the block has just consumed, and send `rx` for those that it is to receive.
void look(Row& row, gr::block& block, std::size_t inputs, std::int64_t entry_ns);

/// Look into the metadata of a PDU, or into a message that is metadata alone. Messages of other kinds carry nothing.
void look(Row& row, const pmt::pmt_t& message, std::int64_t entry_ns);

/// Return a PDU without an identity with one of this block, after sending its `tx`. Other messages return unchanged.
pmt::pmt_t marked(Row& row, const pmt::pmt_t& message);

}  // namespace weir::companion
