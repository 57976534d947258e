// Memory of a worker whose schedule was made beforehand, and the places in it that stand for streams. Places may share bytes:
// whoever made the schedule saw to it that nothing is written over what is still to be read.
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
    std::string_view name;  ///< of the output port, `source.out`
    std::size_t offset = 0;  ///< bytes
    std::size_t items = 0;
    bool held = false;  ///< what is only made again is not kept: who needs it has it already
    std::span<const std::string_view> readers = {};  ///< input ports, `sink.in`; they outlive the place (`lists.hpp`)
};

/// On lines of its own, as instances are: what moves in it is written in each call.
class alignas(kCacheLine) PlaceBase : public Edge {
  public:
    const PlaceSpec& spec() const noexcept { return spec_; }
    /// Items that it was made for; of one that another runtime makes, what that says.
    virtual std::size_t granted() const noexcept { return spec_.items; }

  protected:
    explicit PlaceBase(const PlaceSpec& spec) : spec_(spec) {}
    ~PlaceBase() = default;

    PlaceSpec spec_;
};

/// Touched by one worker alone. Positions move on as planned, also where a run ends in the midst of a period, and begin again
/// at 0 when every reader is where the writer is: so they are the same in every period.
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

// Next to each other in a flowgraph, with instances of other workers between them.
static_assert(alignof(Place<float>) == kCacheLine && alignof(Instance) == kCacheLine);

}  // namespace weir
