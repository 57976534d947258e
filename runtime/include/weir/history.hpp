// Windows of a stream that begin in earlier chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weir {

/// Last items of earlier chunks. A window is one item and the `items` before it; before the stream begins, all are 0.
///
/// For each chunk, call `enter`, then `window`, then `leave`.
template <class T> class History {
  public:
    void start(std::size_t items) {
        items_ = items;
        seam_.assign(2 * items + 1, T{});
    }

    /// Return the window before the stream begins.
    const T* zeros() const noexcept { return seam_.data(); }

    void enter(const T* chunk, std::size_t n) noexcept {
        std::copy_n(chunk, std::min(n, items_), seam_.data() + items_);
    }

    /// Return the window that ends with the item `last` of the chunk.
    const T* window(const T* chunk, std::size_t last) const noexcept {
        return last < items_ ? seam_.data() + last : chunk + (last - items_);
    }

    /// Keep what the windows of the next chunk need of this one, which has `n` items.
    void leave(const T* chunk, std::size_t n) noexcept { std::copy_n(window(chunk, n), items_, seam_.data()); }

  private:
    std::vector<T> seam_;  ///< the history, and then the first items of the chunk
    std::size_t items_ = 0;
};

}  // namespace weir
