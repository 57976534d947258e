// Memory of a worker with a fixed schedule, and the places in it that replace streams. Places may share bytes: the
// schedule ensures that no item is overwritten before it is read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "weir/lists.hpp"
#include "weir/memory.hpp"
#include "weir/task.hpp"

namespace weir {

class Arena {
  public:
    explicit Arena(std::size_t bytes) : buffer_(Buffer::plain(bytes, 0)) {}
    const Buffer& buffer() const noexcept { return buffer_; }

  private:
    Buffer buffer_;
};

struct PlaceSpec {
    std::string_view name;  ///< output port, `source.out`
    std::size_t offset = 0;  ///< bytes
    std::size_t items = 0;
    bool held = false;  ///< keep items until they are read; false: for recomputed items, which the readers already have
    std::span<const std::string_view> readers = {};  ///< input ports, `sink.in`; they outlive the place (`lists.hpp`)
};

/// On its own cache lines, like an instance, because each call writes it.
class alignas(kCacheLine) PlaceBase : public Edge {
  public:
    const PlaceSpec& spec() const noexcept { return spec_; }
    /// Items that the place was planned for. A peer runtime that allocates the memory reports the size itself.
    virtual std::size_t granted() const noexcept { return spec_.items; }

  protected:
    explicit PlaceBase(const PlaceSpec& spec) : spec_(spec) {}
    ~PlaceBase() = default;

    PlaceSpec spec_;
};

/// Only one worker uses a place. Positions advance as planned, even if a run ends within a period. They return to 0
/// when every reader has caught up with the writer, so they are the same in every period.
template <class T, std::size_t Readers = 1> class Place final : public PlaceBase {
  public:
    using Item = T;

    Place(const Arena& arena, const PlaceSpec& spec) : PlaceBase(spec), arena_(&arena) {}

    const Buffer& buffer() const noexcept { return arena_->buffer(); }

    T* write_data() noexcept { return data() + write_; }
    const T* read_data(std::size_t reader) const noexcept { return data() + read_[reader]; }
    void wrote(std::size_t planned) noexcept { write_ += planned; }
    void took(std::size_t reader, std::size_t planned) noexcept {
        read_[reader] += planned;
        if (std::ranges::all_of(read_, [this](std::size_t read) { return read == write_; })) {
            write_ = 0;
            read_.fill(0);
        }
    }

  private:
    T* data() const noexcept { return reinterpret_cast<T*>(arena_->buffer().data() + spec_.offset); }

    const Arena* arena_;
    std::size_t write_ = 0;
    std::array<std::size_t, Readers> read_{};
};

// Places lie next to each other in a flowgraph, between instances of other workers, so they need their own cache lines.
static_assert(alignof(Place<float>) == kCacheLine && alignof(Instance) == kCacheLine);

}  // namespace weir
