#include "weir/digest.hpp"

namespace weir {

std::uint64_t digest_of_bytes(const void* items, std::size_t item_bytes, std::size_t n,
                              std::uint64_t first_index) noexcept {
    switch (item_bytes) {
        case 1: return digest_of(static_cast<const std::uint8_t*>(items), n, first_index);
        case 2: return digest_of(static_cast<const std::uint16_t*>(items), n, first_index);
        case 4: return digest_of(static_cast<const std::uint32_t*>(items), n, first_index);
        default: return digest_of(static_cast<const std::uint64_t*>(items), n, first_index);
    }
}

}  // namespace weir
