// Small blocks for the tests of the runtime. Their items are u32, so every result is exact. A block with a seed splits
// its chunks at random, because a result must not depend on the scheduler's chunks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "weir/block.hpp"
#include "weir/clock.hpp"
#include "weir/digest.hpp"

namespace weir::testing {

using Item = std::uint32_t;

/// Splits `n` possible firings at random; not with seed 0.
class Cutter {
  public:
    explicit Cutter(std::uint64_t seed = 0) noexcept : state_(seed) {}
    std::size_t operator()(std::size_t n) noexcept {
        if (state_ == 0 || n == 0) return n;
        state_ = splitmix64(state_) | 1;
        return 1 + static_cast<std::size_t>(state_ >> 8) % n;
    }
    bool one_in(std::uint64_t n) noexcept {
        if (state_ == 0) return false;
        state_ = splitmix64(state_) | 1;
        return (state_ >> 8) % n == 0;
    }

  private:
    std::uint64_t state_;
};

/// Parameters of a block that has no others.
struct Seeded {
    struct Params {
        std::uint64_t seed = 0;
    };
    Params params;
};

template <class Derived> struct Cutting {
    Cutter cut{};
    void start(const BlockContext&) { cut = Cutter(static_cast<Derived&>(*this).params.seed); }
};

/// One input, one output; `fire` maps `in_rate` items to `out_rate` items.
template <class Derived> struct Mapper : Cutting<Derived> {
    using Cutting<Derived>::cut;
    WorkResult map(In<Item>& in, Out<Item>& out, std::size_t in_rate, std::size_t out_rate) noexcept {
        auto& self = static_cast<Derived&>(*this);
        if (in.size() < in_rate) return WorkStatus::need_input;
        if (out.size() < out_rate) return WorkStatus::need_output;
        if (cut.one_in(16)) return WorkStatus::ok;  // a block may make no progress in a call
        const std::size_t firings = cut(std::min(in.size() / in_rate, out.size() / out_rate));
        for (std::size_t f = 0; f < firings; ++f) self.fire(in.data() + f * in_rate, out.data() + f * out_rate);
        in.consume(firings * in_rate);
        out.produce(firings * out_rate);
        return WorkStatus::ok;
    }
};

inline constexpr Item source_item(std::uint64_t index, std::uint64_t salt) noexcept {
    return static_cast<Item>(mix64(index, salt));
}

struct Source : Cutting<Source> {
    struct Params {
        std::uint64_t items = 0;  ///< 0: never ends
        std::uint64_t salt = 0, seed = 0;
    };
    Params params;
    std::uint64_t at = 0;

    std::optional<std::uint64_t> total_items() const {
        return params.items == 0 ? std::nullopt : std::optional(params.items);
    }
    WorkResult work(Out<Item>& out) noexcept {
        if (params.items != 0 && at == params.items) return WorkStatus::done;
        if (out.size() == 0) return WorkStatus::need_output;
        std::size_t n = cut(out.size());
        if (params.items != 0) n = static_cast<std::size_t>(std::min<std::uint64_t>(n, params.items - at));
        for (std::size_t i = 0; i < n; ++i) out[i] = source_item(at + i, params.salt);
        at += n;
        out.produce(n);
        // Half of the sources report the end together with their last items, the others in a separate call.
        return params.items != 0 && at == params.items && params.salt % 2 == 0 ? WorkStatus::done : WorkStatus::ok;
    }
};

/// Like `Source`, but now and then requests to be called again after some microseconds.
struct Drip {
    using Params = Source::Params;
    Params params;
    Source source{};
    Cutter naps{};
    std::int64_t until = 0;

    void start(const BlockContext& context) {
        source.params = params;
        source.start(context);
        naps = Cutter(params.seed | 1);
    }
    std::optional<std::uint64_t> total_items() const {
        return params.items == 0 ? std::nullopt : std::optional(params.items);
    }
    WorkResult work(Out<Item>& out) noexcept {
        const std::int64_t now = monotonic_ns();
        if (now < until) return WorkResult::wait_until(until);
        if (!naps.one_in(8)) return source.work(out);
        until = now + 15'000;
        // Half of the pauses begin together with the last items.
        if (until % 2 == 0) source.work(out);
        return WorkResult::wait_until(until);
    }
};

/// Like `Source`, but requests a long rest: after each item, or (0 ms) for an hour after its last one, repeatedly.
struct Sleeper {
    struct Params {
        std::uint64_t items = 0, rest_ms = 0, salt = 0;
    };
    Params params;
    std::uint64_t at = 0;
    std::int64_t until = 0;

    void start(const BlockContext&) {}
    std::optional<std::uint64_t> total_items() const {
        return params.rest_ms == 0 ? std::nullopt : std::optional(params.items);
    }
    WorkResult work(Out<Item>& out) noexcept {
        constexpr std::int64_t kMsNs = 1'000'000, kHourMs = 3'600'000;
        const std::int64_t now = monotonic_ns();
        if (now < until) return WorkResult::wait_until(until);
        if (at < params.items) {
            if (out.size() == 0) return WorkStatus::need_output;
            out[0] = source_item(at++, params.salt);
            out.produce(1);
        }
        const bool for_ever = params.rest_ms == 0;
        if (at == params.items && !for_ever) return WorkStatus::done;
        if (at < params.items && for_ever) return WorkStatus::ok;
        until = now + (for_ever ? kHourMs : static_cast<std::int64_t>(params.rest_ms)) * kMsNs;
        return WorkResult::wait_until(until);
    }
};

struct Affine : Mapper<Affine>, Seeded {
    static constexpr Item of(Item x) noexcept { return 5 * x + 3; }
    void fire(const Item* in, Item* out) const noexcept { *out = of(*in); }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, 1, 1); }
};

/// Like `Affine`, with much more work per item.
struct Toil : Mapper<Toil> {
    struct Params {
        std::uint64_t rounds = 0;
        std::uint64_t seed = 0;
    };
    Params params;
    void fire(const Item* in, Item* out) const noexcept {
        std::uint64_t burnt = *in;
        for (std::uint64_t i = 0; i < params.rounds; ++i) burnt = splitmix64(burnt);
        asm volatile("" : : "r"(burnt));  // keeps the compiler from removing the work
        *out = Affine::of(*in);
    }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, 1, 1); }
};

/// Fails to start.
struct Refuse : Mapper<Refuse>, Seeded {
    void start(const BlockContext&) { throw std::runtime_error("not today"); }
    void fire(const Item* in, Item* out) const noexcept { *out = *in; }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, 1, 1); }
};

/// Like `Affine`, but now and then requests to be called again after some microseconds.
struct Pacer : Mapper<Pacer>, Seeded {
    Cutter naps{};
    std::int64_t until = 0;
    void start(const BlockContext&) {
        cut = Cutter(params.seed);
        naps = Cutter(params.seed | 1);
    }
    void fire(const Item* in, Item* out) const noexcept { *out = Affine::of(*in); }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        const std::int64_t now = monotonic_ns();
        if (now < until) return WorkResult::wait_until(until);
        if (naps.one_in(32)) until = now + 20'000;
        return map(in, out, 1, 1);
    }
};

struct Decimate : Mapper<Decimate> {
    struct Params {
        std::size_t n = 2;
        std::uint64_t seed = 0;
    };
    Params params;
    static constexpr Item of(const Item* in, std::size_t n) noexcept {
        Item sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<Item>(i + 1) * in[i];
        return sum;
    }
    void fire(const Item* in, Item* out) const noexcept { *out = of(in, params.n); }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, params.n, 1); }
};

struct Interpolate : Mapper<Interpolate> {
    struct Params {
        std::size_t n = 2;
        std::uint64_t seed = 0;
    };
    Params params;
    static constexpr Item of(Item x, std::size_t phase) noexcept { return x + 77 * static_cast<Item>(phase); }
    void fire(const Item* in, Item* out) const noexcept {
        for (std::size_t k = 0; k < params.n; ++k) out[k] = of(*in, k);
    }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, 1, params.n); }
};

struct Resample : Mapper<Resample> {
    struct Params {
        std::size_t n = 2, m = 3;
        std::uint64_t seed = 0;
    };
    Params params;
    void fire(const Item* in, Item* out) const noexcept {
        for (std::size_t k = 0; k < params.m; ++k) out[k] = 7 * in[k % params.n] + static_cast<Item>(k);
    }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, params.n, params.m); }
};

/// Weighted sum of the last `taps` items, for every `decimation`-th item. Its history spans chunks.
struct Fir : Mapper<Fir> {
    struct Params {
        std::size_t taps = 3, decimation = 1;
        std::uint64_t seed = 0;
    };
    Params params;
    std::vector<Item> history{};  ///< newest first
    void start(const BlockContext&) {
        cut = Cutter(params.seed);
        history.assign(params.taps, 0);
    }
    void remember(Item x) noexcept {
        std::shift_right(history.begin(), history.end(), 1);
        history[0] = x;
    }
    void fire(const Item* in, Item* out) noexcept {
        remember(in[0]);
        *out = 0;
        for (std::size_t k = 0; k < params.taps; ++k) *out += static_cast<Item>(2 * k + 1) * history[k];
        for (std::size_t i = 1; i < params.decimation; ++i) remember(in[i]);
    }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept { return map(in, out, params.decimation, 1); }
};

struct Head : Mapper<Head> {
    struct Params {
        std::uint64_t items = 0;
        std::uint64_t seed = 0;
    };
    Params params;
    std::uint64_t at = 0;
    std::optional<std::uint64_t> total_items() const { return params.items; }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        const auto left = static_cast<std::size_t>(params.items - at);
        if (left == 0) return WorkStatus::done;
        if (in.size() == 0) return WorkStatus::need_input;
        const std::size_t n = cut(std::min({in.size(), out.size(), left}));
        std::copy_n(in.data(), n, out.data());
        at += n;
        in.consume(n);
        out.produce(n);
        return at == params.items ? WorkStatus::done : WorkStatus::ok;
    }
};

struct Join : Cutting<Join>, Seeded {
    static constexpr Item of(Item a, Item b) noexcept { return 3 * a + b; }
    WorkResult work(In<Item>& a, In<Item>& b, Out<Item>& out) noexcept {
        const std::size_t n = cut(std::min({a.size(), b.size(), out.size()}));
        if (n == 0) return out.size() == 0 ? WorkStatus::need_output : WorkStatus::need_input;
        for (std::size_t i = 0; i < n; ++i) out[i] = of(a[i], b[i]);
        a.consume(n);
        b.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

/// Emits `n` items of one input, then `m` of the other.
struct Weave : Cutting<Weave> {
    struct Params {
        std::size_t n = 1, m = 1;
        std::uint64_t seed = 0;
    };
    Params params;
    WorkResult work(In<Item>& a, In<Item>& b, Out<Item>& out) noexcept {
        const std::size_t n = params.n, m = params.m;
        const std::size_t firings = cut(std::min({a.size() / n, b.size() / m, out.size() / (n + m)}));
        if (firings == 0) return out.size() < n + m ? WorkStatus::need_output : WorkStatus::need_input;
        for (std::size_t f = 0; f < firings; ++f) {
            std::copy_n(a.data() + f * n, n, out.data() + f * (n + m));
            std::copy_n(b.data() + f * m, m, out.data() + f * (n + m) + n);
        }
        a.consume(firings * n);
        b.consume(firings * m);
        out.produce(firings * (n + m));
        return WorkStatus::ok;
    }
};

struct Split : Cutting<Split>, Seeded {
    static constexpr Item first(Item x) noexcept { return x ^ 0x55U; }
    static constexpr Item second(Item x) noexcept { return x + 9; }
    WorkResult work(In<Item>& in, Out<Item>& a, Out<Item>& b) noexcept {
        const std::size_t n = cut(std::min({in.size(), a.size(), b.size()}));
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i) {
            a[i] = first(in[i]);
            b[i] = second(in[i]);
        }
        in.consume(n);
        a.produce(n);
        b.produce(n);
        return WorkStatus::ok;
    }
};

/// Copies `items` items, then fails.
struct FailAfter : Mapper<FailAfter> {
    struct Params {
        std::uint64_t items = 0;
        std::uint64_t seed = 0;
    };
    Params params;
    std::uint64_t at = 0;
    void fire(const Item* in, Item* out) const noexcept { *out = *in; }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        if (at >= params.items) return WorkStatus::error;
        const WorkResult result = map(in, out, 1, 1);
        at += in.consumed();
        return result;
    }
    std::string_view error() const noexcept { return "as told"; }
};

/// Digests its input, and ends after `items` items (0: never).
struct Sink : Cutting<Sink> {
    struct Params {
        std::uint64_t items = 0;
        std::uint64_t seed = 0;
    };
    Params params;
    std::uint64_t at = 0, sum = 0;
    std::optional<std::uint64_t> total_items() const {
        return params.items == 0 ? std::nullopt : std::optional(params.items);
    }
    std::uint64_t digest() const { return sum; }
    WorkResult work(In<Item>& in) noexcept {
        std::size_t n = cut(in.size());
        if (n == 0) return WorkStatus::need_input;
        if (params.items != 0) n = static_cast<std::size_t>(std::min<std::uint64_t>(n, params.items - at));
        sum += digest_of(in.data(), n, at);
        at += n;
        in.consume(n);
        return params.items != 0 && at == params.items ? WorkStatus::done : WorkStatus::ok;
    }
};

}  // namespace weir::testing
