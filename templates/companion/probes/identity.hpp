// Identities that travel with the items: a tag whose value names a source and a boundary, and the same in a PDU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "row.hpp"

namespace weir::companion {

/// Return the value of the tag of boundary `k` of source `source`.
pmt::pmt_t identity(std::uint32_t source, std::uint64_t k);

/// Return whether the block may add one more tag. Each costs some microseconds in every block behind it, so tags at
/// every boundary would slow a fast flowgraph down.
bool may_mark(Row& row, std::uint64_t now) noexcept;

/// Attach a tag to the last item before boundary `k` of the block's outputs: those at the same position as the first.
void mark(Row& row, gr::block& block, std::uint64_t k, std::uint64_t offset);

/// Look for tags among the items that the block has just consumed, and send `rx` for those that it is to receive.
void look(Row& row, gr::block& block, std::size_t inputs, std::int64_t entry_ns);

/// Look into the metadata of a PDU. Messages of other kinds carry nothing.
void look(Row& row, const pmt::pmt_t& message, std::int64_t entry_ns);

/// Return the PDU with an identity of its own in the metadata, after sending its `tx`. Other messages return unchanged.
pmt::pmt_t marked(Row& row, const pmt::pmt_t& message);

}  // namespace weir::companion
