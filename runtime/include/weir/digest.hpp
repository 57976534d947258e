// Digest of a stream: the sum over items of mix64(index, bits) mod 2^64. It depends on the positions of items. Digests
// of chunks and workers can be merged, because addition commutes.
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace weir {

/// Finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t splitmix64(std::uint64_t x) noexcept {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

constexpr std::uint64_t mix64(std::uint64_t index, std::uint64_t bits) noexcept {
    return splitmix64(bits ^ splitmix64(index));
}

/// Return the bits of an item, zero-extended to 64; c64 is real | imaginary << 32.
template <class T> std::uint64_t item_bits(const T& item) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &item, sizeof(T));  // little-endian hosts only, like everything that Weir targets
    return bits;
}

/// Not inlined, because the loop would take registers from the node's code.
template <class T>
[[gnu::noinline]] std::uint64_t digest_of(const T* items, std::size_t n, std::uint64_t first_index) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += mix64(first_index + i, item_bits(items[i]));
    return sum;
}

/// Return the digest of items of 1, 2, 4 or 8 bytes, without a template instance per type.
std::uint64_t digest_of_bytes(const void* items, std::size_t item_bytes, std::size_t n,
                              std::uint64_t first_index) noexcept;

/// Return the seed of an instance: FNV-1a of its name, mixed with the run's seed.
constexpr std::uint64_t instance_seed(std::uint64_t run_seed, const char* name, std::size_t length) noexcept {
    std::uint64_t h = 0xCBF29CE484222325ULL;
    for (std::size_t i = 0; i < length; ++i) h = (h ^ static_cast<unsigned char>(name[i])) * 0x100000001B3ULL;
    return mix64(run_seed, h);
}

}  // namespace weir
