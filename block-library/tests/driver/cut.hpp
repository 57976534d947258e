// How a stream is cut: what one port offers in one call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/block.hpp"

namespace weir::test {

/// Sizes of offers. Without a seed everything is offered at once.
class Cutter {
  public:
    Cutter(unsigned seed, std::size_t max_chunk) : random_(seed), max_chunk_(max_chunk), whole_(seed == 0) {}

    /// At most `available`; now and then nothing, now and then less than the firing that the block waits for.
    std::size_t offer(std::size_t available, std::size_t rate) {
        if (whole_) return available;
        const std::size_t most = std::min(available, std::max(max_chunk_, 3 * rate));
        return std::uniform_int_distribution<std::size_t>{0, most}(random_);
    }

    /// Items between an address that SIMD likes and the first item.
    std::size_t shift() { return whole_ ? 0 : std::uniform_int_distribution<std::size_t>{0, 15}(random_); }

  private:
    std::mt19937 random_;
    std::size_t max_chunk_;
    bool whole_;
};

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
        const auto untouched = [](std::byte b) { return b == std::byte{kGuard}; };
        return std::all_of(bytes_.get(), bytes_.get() + guard_, untouched) &&
               std::all_of(bytes_.get() + guard_ + written * sizeof(T), bytes_.get() + guard_ + items_ * sizeof(T), untouched);
    }

  private:
    static constexpr unsigned char kGuard = 0xA5;
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t guard_;
    std::size_t items_;
};

template <class T> std::vector<T> read_items(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error("the test's input is missing: " + path);
    std::vector<T> items(static_cast<std::size_t>(file.tellg()) / sizeof(T));
    file.seekg(0).read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(items.size() * sizeof(T)));
    return items;
}

template <class T> void write_items(const std::string& path, std::span<T> items) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(items.data()), static_cast<std::streamsize>(items.size() * sizeof(T)));
    if (!file.flush()) throw std::runtime_error("cannot write the test's output: " + path);
}

}  // namespace weir::test
