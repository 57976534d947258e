// Interface between a block of Weir and a peer runtime that calls it: arguments and results of a call. Plain structs
// with the memory layout that programs in other languages use (`weir_hosted.h`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/arena.hpp"
#include "weir/run.hpp"

namespace weir::hosted {

/// One port of a block in one call.
struct Port {
    void* items;  ///< items to read, or space to write
    std::size_t size;  ///< items
    bool over;  ///< input only: these are the last items
    void* end;  ///< the peer runtime's end of the connection; argument of `moved`
    /// Consumes or produces this many items at once. Null: `end` is a std::size_t that counts the moved items.
    void (*moved)(void* end, std::size_t items);
};

inline void report_moved(const Port& port, std::size_t items) noexcept {
    if (port.moved == nullptr) {
        *static_cast<std::size_t*>(port.end) += items;
    } else if (items != 0) {
        port.moved(port.end, items);
    }
}

/// Time of the next call that a block requests.
enum class Next : std::uint8_t {
    at_change,  ///< when items or space arrive
    at_once,
    at_time,  ///< at `wake_ns`
    over,  ///< never: it has moved its last item
    closes,  ///< as `over`, and its readers must see the end; it stays and drops items, as others would end with it
    stays,  ///< after `closes`: call at a change and now and then, as nothing reports the end of the others
};

struct Turn {
    Next next;
    bool moved;  ///< items were consumed or produced
    bool wants_more;  ///< with `at_change`: each input has items for a firing, but the block needs more
    std::int64_t wake_ns;  ///< CLOCK_MONOTONIC
};

/// Result of a direct call that did not move all items.
struct Rest {
    Turn turn;
    std::size_t read, written;  ///< items that the call moved
};

/// Shorter way to call a block with at most one input and one output: no structs for ports, and no result if the call
/// moves all items. `call` is null for other blocks.
struct Direct {
    void* block;
    /// Make one call, with the last items not yet known. Returns true if it moved all items and the next call is due
    /// when items or space arrive. Otherwise it sets `rest`.
    bool (*call)(void* block, const void* in, std::size_t in_size, void* out, std::size_t out_size,
                 Rest* rest) noexcept;
};

class Guest;

/// Buffer of the peer runtime between an output and the inputs that read it. The peer runtime reports its size when the
/// run begins.
class Connection final : public PlaceBase {
  public:
    explicit Connection(const PlaceSpec& spec) : PlaceBase(spec) {}

    std::size_t granted() const noexcept override { return granted_; }
    void grant(std::size_t items) noexcept { granted_ = items; }

    /// Attach the instances at its ends.
    void written_by(Guest& guest) noexcept { writer_ = &guest; }
    void read_by(Guest& guest) { readers_.push_back(&guest); }
    Guest* writer() const noexcept { return writer_; }
    std::span<Guest* const> readers() const noexcept { return readers_; }

  private:
    std::size_t granted_ = 0;
    Guest* writer_ = nullptr;
    std::vector<Guest*> readers_;
};

/// Block of Weir as a peer runtime sees it.
class Guest {
  public:
    virtual ~Guest() = default;

    /// Prepare, before the run.
    virtual void join(Run& run) noexcept = 0;
    /// Make one call, with the ports in order. There are no more calls after `over`.
    virtual Turn turn(const Port* ins, const Port* outs) noexcept = 0;
    /// Return how to make such a call directly.
    virtual Direct direct() noexcept = 0;
    /// Release the block, after `over` or earlier. `unread`: items left at an input.
    virtual void leave(std::size_t unread) noexcept = 0;
    /// Return whether the block has moved its last item.
    virtual bool is_over() const noexcept = 0;

    virtual std::size_t inputs() const noexcept = 0;
    virtual std::size_t outputs() const noexcept = 0;
    virtual std::size_t items_in(std::size_t port) const noexcept = 0;  ///< items per firing
    virtual std::size_t items_out(std::size_t port) const noexcept = 0;
    virtual Connection& read(std::size_t port) const noexcept = 0;
    virtual Connection& written(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_in(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_out(std::size_t port) const noexcept = 0;

    // For a native block of the peer runtime that replaces this block.

    /// Return whether a run needs only the number of items that it moves.
    virtual bool is_unwatched(const Run& run) const noexcept = 0;
    /// Note that the peer runtime does not call this block in this run. `leave` reports its end.
    virtual void stand_aside() noexcept = 0;
    virtual bool stands_aside() const noexcept = 0;
    /// Report the items that the native block has moved so far, at the first ports. Unknown before the first report.
    virtual void report_items(std::uint64_t items_in, std::uint64_t items_out) noexcept = 0;
    /// Return the number of items after which the block ends, known once the run has started its blocks. Unbounded:
    /// never.
    virtual std::uint64_t bound() const noexcept = 0;
    /// Return the record of all bytes of an output; null: not tapped.
    virtual std::vector<std::byte>* recorded(std::size_t output) const noexcept = 0;
};

}  // namespace weir::hosted
