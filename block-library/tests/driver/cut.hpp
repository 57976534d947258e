// Sizes of the chunks that each call offers to a port, and the memory for them.
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

/// Sizes of offers. With seed 0, everything is offered at once.
class Cutter {
  public:
    Cutter(unsigned seed, std::size_t max_chunk);
    ~Cutter();

    /// Return the number of items to offer, at most `available`: sometimes 0, and sometimes less than a firing.
    std::size_t offer(std::size_t available, std::size_t rate);

    /// Return the number of firings to offer, from 1 to `available`.
    std::size_t firings(std::size_t available);

    /// Return the number of items by which to shift the first item away from an aligned address.
    std::size_t shift();

  private:
    struct Random;
    std::unique_ptr<Random> random_;  // null: offer everything at once
    std::size_t max_chunk_;
};

inline constexpr unsigned char kGuard = 0xA5;
bool untouched(std::span<const std::byte> memory);

/// Heap memory of exactly this many items. A sanitizer finds accesses beyond it. `intact` finds writes before it and
/// behind the written items.
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

/// Files of items. Reading and writing throws std::runtime_error on failure.
std::size_t bytes_in(const std::string& path);
void read_bytes(const std::string& path, std::span<std::byte> bytes);
void write_bytes(const std::string& path, std::span<const std::byte> bytes);

template <class T> std::vector<T> read_items(const std::string& path) {
    std::vector<T> items(bytes_in(path) / sizeof(T));
    read_bytes(path, std::as_writable_bytes(std::span(items)));
    return items;
}

}  // namespace weir::test
