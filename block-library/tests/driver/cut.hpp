// Chunks of a stream: the offers of one port in each call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/block.hpp"

namespace weir::test {

/// Sizes of offers. Without a seed everything is offered at once.
class Cutter {
  public:
    Cutter(unsigned seed, std::size_t max_chunk);
    ~Cutter();

    /// At most `available`; now and then nothing, now and then less than the firing that the block waits for.
    std::size_t offer(std::size_t available, std::size_t rate);

    /// Firings, at least one and at most `available`.
    std::size_t firings(std::size_t available);

    /// Items between an address that SIMD likes and the first item.
    std::size_t shift();

  private:
    struct Random;
    std::unique_ptr<Random> random_;  // none: the whole at once
    std::size_t max_chunk_;
};

inline constexpr unsigned char kGuard = 0xA5;
bool untouched(std::span<const std::byte> memory);

/// Memory of exactly so many items, on the heap: a sanitizer sees an access beyond it, and `intact` a write in front or behind.
template <class T> class Chunk {
  public:
    Chunk(std::size_t items, std::size_t shift)
        : bytes_(new std::byte[(shift + items) * sizeof(T)]), guard_(shift * sizeof(T)), items_(items) {
        std::memset(bytes_.get(), kGuard, (shift + items) * sizeof(T));
    }
    T* data() noexcept { return reinterpret_cast<T*>(bytes_.get() + guard_); }
    std::size_t size() const noexcept { return items_; }
    std::span<T> span() noexcept { return {data(), items_}; }
    bool intact(std::size_t written) const {
        return untouched({bytes_.get(), guard_}) &&
               untouched({bytes_.get() + guard_ + written * sizeof(T), (items_ - written) * sizeof(T)});
    }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t guard_;
    std::size_t items_;
};

/// Throw std::runtime_error where the file cannot be read or written.
std::size_t bytes_in(const std::string& path);
void read_bytes(const std::string& path, std::span<std::byte> bytes);
void write_bytes(const std::string& path, std::span<const std::byte> bytes);

template <class T> std::vector<T> read_items(const std::string& path) {
    std::vector<T> items(bytes_in(path) / sizeof(T));
    read_bytes(path, std::as_writable_bytes(std::span(items)));
    return items;
}

}  // namespace weir::test
