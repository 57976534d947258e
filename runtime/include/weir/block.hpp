// Interface of a block: a plain struct with typed spans for input and output and one noexcept `work`.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

using c64 = std::complex<float>;

enum class WorkStatus : std::uint8_t {
    ok,           ///< Made progress; call again.
    need_input,   ///< An input has too few items for one firing.
    need_output,  ///< An output has too little space for one firing.
    done,         ///< Produced its last item; what was committed in this call still counts.
    error,        ///< Cannot go on; `error()` says why.
    wait,         ///< Nothing to do before `wake_ns` (the scheduler waits, never the block).
};

/// Result of one `work` call.
struct WorkResult {
    WorkStatus status;
    std::int64_t wake_ns = 0;  ///< CLOCK_MONOTONIC, nanoseconds; read only with `WorkStatus::wait`.

    constexpr WorkResult(WorkStatus s) noexcept : status(s) {}  // NOLINT: implicit on purpose
    static constexpr WorkResult wait_until(std::int64_t monotonic_ns) noexcept {
        WorkResult r{WorkStatus::wait};
        r.wake_ns = monotonic_ns;
        return r;
    }
};

/// Items that a block may read in one call. `consume` says how many of them it used, counted from the front.
template <class T> class In {
  public:
    using value_type = T;
    constexpr In() = default;
    constexpr In(std::span<const T> items, bool ended) noexcept : items_(items), ended_(ended) {}

    constexpr std::size_t size() const noexcept { return items_.size(); }
    constexpr const T* data() const noexcept { return items_.data(); }
    constexpr const T& operator[](std::size_t i) const noexcept { return items_[i]; }
    constexpr std::span<const T> first(std::size_t n) const noexcept { return items_.first(n); }
    /// True if upstream has ended and these are its last items.
    constexpr bool ended() const noexcept { return ended_; }

    constexpr void consume(std::size_t n) noexcept { used_ = n; }
    constexpr std::size_t consumed() const noexcept { return used_; }

  private:
    std::span<const T> items_;
    std::size_t used_ = 0;
    bool ended_ = false;
};

/// Space that a block may write in one call. `produce` says how many items it wrote, counted from the front.
template <class T> class Out {
  public:
    using value_type = T;
    constexpr Out() = default;
    constexpr explicit Out(std::span<T> space) noexcept : space_(space) {}

    constexpr std::size_t size() const noexcept { return space_.size(); }
    constexpr T* data() const noexcept { return space_.data(); }
    constexpr T& operator[](std::size_t i) const noexcept { return space_[i]; }
    constexpr std::span<T> first(std::size_t n) const noexcept { return space_.first(n); }

    constexpr void produce(std::size_t n) noexcept { used_ = n; }
    constexpr std::size_t produced() const noexcept { return used_; }

  private:
    std::span<T> space_;
    std::size_t used_ = 0;
};

/// Values that a block receives once, before the first `work`.
struct BlockContext {
    std::string_view instance;              ///< e.g. `stage[2]@p3`
    std::uint64_t seed = 0;                 ///< hash(run seed, instance name): equal under every scheduler
    std::uint64_t run_items = 0;            ///< the run's items, 0 = no limit
    std::int64_t start_ns = 0;  ///< CLOCK_MONOTONIC when the run is constructed; the start barrier comes later
    std::filesystem::path project_dir;  ///< folder for relative paths that blocks read
    std::filesystem::path output_dir;  ///< folder that blocks write to
    bool untimed = false;  ///< verification run: a block that paces its items moves them at once
};

// A block is a struct `B` with
//     struct Params { … };  Params params;                      one field a parameter, as in block.json
//     WorkResult work(In<A>&…, Out<B>&…) noexcept;               inputs first, in the descriptor's order
// and, where it needs them,
//     void start(const BlockContext&);                           may throw std::exception: the run fails and names the
//     block void stop();                                               flush and close; may throw likewise
//     void begin(std::int64_t barrier_ns) noexcept;              on a worker, behind the start barrier and before any
//     work std::optional<std::uint64_t> total_items() const;          items after which this block ends the stream
//     (known after start) std::uint64_t digest() const;                              a sink that identifies its stream
//     std::int64_t scheduled_ns(std::uint64_t index) const noexcept;   a block that paces its items, and has a
//                                                                parameter `rate` in items/s: when item `index` was due
//     void seek(std::uint64_t index) noexcept;                   random_access: the next item is number `index`
//     Y element(X…) const noexcept;                              element_function: one item as `work` makes it, to the
//     bit std::string_view error() const noexcept;                   after WorkStatus::error
template <class B>
concept Block = requires(B& b) {
    typename B::Params;
    { b.params } -> std::same_as<typename B::Params&>;
    &B::work;
};

}  // namespace weir
