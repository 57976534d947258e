// A block of Weir's as the guest of another runtime: what that hands to it in a call, and what it hears back. Plain structs, which a
// program in another language has as they lie in memory (`weir_hosted.h`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/arena.hpp"
#include "weir/run.hpp"

namespace weir::hosted {

/// One of a block's ports in one call.
struct Port {
    void* items;  ///< to be read, or where to write
    std::size_t size;  ///< items
    bool over;  ///< of an input: these are the last ones
    void* end;  ///< the other runtime's own end of the connection, for `moved`
    void (*moved)(void* end, std::size_t items);  ///< consumes or produces so many, at once
};

/// When a block wants to be called again.
enum class Next : std::uint8_t {
    at_change,  ///< once something comes in, or room does
    at_once,
    at_time,  ///< at `wake_ns`
    over,  ///< never: its last item is behind it
    closes,  ///< likewise, and its readers are to hear that; but it is not to leave yet, as others would end with it, and takes what comes
    stays,  ///< after `closes`: to be called again at a change, and from time to time, as nobody tells it when those others have ended
};

struct Turn {
    Next next;
    bool moved;  ///< items were consumed or produced
    bool wants_more;  ///< `at_change`: it has a firing at each input, and waits for more than that
    std::int64_t wake_ns;  ///< CLOCK_MONOTONIC
};

class Guest;

/// A buffer of the other runtime's between an output and the inputs that read it. How large it is that says when the run begins.
class Connection final : public PlaceBase {
  public:
    explicit Connection(const PlaceSpec& spec) : PlaceBase(spec) {}

    std::size_t granted() const noexcept override { return granted_; }
    void grant(std::size_t items) noexcept { granted_ = items; }

    /// Who is at its ends.
    void written_by(Guest& guest) noexcept { writer_ = &guest; }
    void read_by(Guest& guest) { readers_.push_back(&guest); }
    Guest* writer() const noexcept { return writer_; }
    std::span<Guest* const> readers() const noexcept { return readers_; }

  private:
    std::size_t granted_ = 0;
    Guest* writer_ = nullptr;
    std::vector<Guest*> readers_;
};

/// What is behind a block of another runtime.
class Guest {
  public:
    virtual ~Guest() = default;

    /// Before the run.
    virtual void join(Run& run) noexcept = 0;
    /// One call, with its ports in order. Once it was `over`, no more follow.
    virtual Turn turn(const Port* ins, const Port* outs) noexcept = 0;
    /// The other runtime is through with it, after `over` or before: `unread` items lie at an input.
    virtual void leave(std::size_t unread) noexcept = 0;
    /// It has moved its last item.
    virtual bool is_over() const noexcept = 0;

    virtual std::size_t inputs() const noexcept = 0;
    virtual std::size_t outputs() const noexcept = 0;
    virtual std::size_t items_in(std::size_t port) const noexcept = 0;  ///< a firing
    virtual std::size_t items_out(std::size_t port) const noexcept = 0;
    virtual Connection& read(std::size_t port) const noexcept = 0;
    virtual Connection& written(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_in(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_out(std::size_t port) const noexcept = 0;

    // A block of the other runtime's own that works in its place.

    /// Whether a run wants to know nothing of this one but how many items it moves.
    virtual bool is_unwatched(const Run& run) const noexcept = 0;
    /// It is not called in this run. That it is over is said by `leave`.
    virtual void stand_aside() noexcept = 0;
    virtual bool stands_aside() const noexcept = 0;
    /// What the other one has moved until now, at the first ports. Before the first time it is not known.
    virtual void tell(std::uint64_t items_in, std::uint64_t items_out) noexcept = 0;
    /// After so many it ends, known once the run has started its blocks; never, where it has no bound.
    virtual std::uint64_t bound() const noexcept = 0;
    /// Where all bytes of an output's items go; null: nobody wants them.
    virtual std::vector<std::byte>* recorded(std::size_t output) const noexcept = 0;
};

}  // namespace weir::hosted
