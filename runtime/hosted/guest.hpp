// A block of Weir's as the guest of another runtime: what that hands to it in a call, and what it hears back. Plain structs, which a
// program in another language has as they lie in memory (`weir_hosted.h`).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weir/arena.hpp"
#include "weir/run.hpp"

namespace weir::hosted {

/// One of a block's ports in one call.
struct Port {
    void* items;       ///< to be read, or where to write
    std::size_t size;  ///< items
    bool over;         ///< of an input: these are the last ones
    void* end;         ///< the other runtime's own end of the connection, for `moved`
    void (*moved)(void* end, std::size_t items);  ///< consumes or produces so many, at once
};

/// When a block wants to be called again.
enum class Next : std::uint8_t {
    at_change,  ///< once something comes in, or room does
    at_once,
    at_time,    ///< at `wake_ns`
    over,       ///< never: its last item is behind it
};

struct Turn {
    Next next;
    bool moved;             ///< items were consumed or produced
    bool wants_more;        ///< `at_change`: it has a firing at each input, and waits for more than that
    std::int64_t wake_ns;   ///< CLOCK_MONOTONIC
};

/// A buffer of the other runtime's between an output and the inputs that read it. How large it is that says when the run begins.
class Connection final : public PlaceBase {
  public:
    explicit Connection(const PlaceSpec& spec) : PlaceBase(spec), reading_(spec.readers.size()) {}

    std::size_t granted() const noexcept override { return granted_; }
    void grant(std::size_t items) noexcept { granted_ = items; }

    /// One of its readers wants no more. Whether others do.
    bool left() noexcept { return reading_.fetch_sub(1, std::memory_order_acq_rel) != 1; }
    bool is_read() const noexcept { return reading_.load(std::memory_order_acquire) != 0; }

  private:
    std::size_t granted_ = 0;
    std::atomic<std::size_t> reading_;
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

    virtual std::size_t inputs() const noexcept = 0;
    virtual std::size_t outputs() const noexcept = 0;
    virtual std::size_t items_in(std::size_t port) const noexcept = 0;   ///< a firing
    virtual std::size_t items_out(std::size_t port) const noexcept = 0;
    virtual Connection& written(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_in(std::size_t port) const noexcept = 0;
    virtual std::size_t item_bytes_out(std::size_t port) const noexcept = 0;
};

}  // namespace weir::hosted
