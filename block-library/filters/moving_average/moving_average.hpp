#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/checks.hpp"
#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct MovingAverage {
    struct Params {
        std::int64_t length = 1;
        T scale{1};
    };
    Params params;

    void start(const BlockContext&) {
        length_ = at_least_1(params.length, "length");
        group_.assign(length_, T{});
        before_.assign(length_, Sum{});
        within_ = 0;
        sum_ = Sum{};
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T x) { return next(x); });
    }

  private:
    /// Type of sums: unsigned, because integers wrap around, or float64, because its rounding error is negligible for
    /// float32 items.
    using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                   std::conditional_t<std::is_same_v<T, c64>, std::complex<double>, double>>;

    static Sum wide(T x) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {x.real(), x.imag()};
        } else {
            return static_cast<Sum>(x);
        }
    }

    static T narrow(Sum scale, Sum sum) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {static_cast<float>(scale.real() * sum.real() - scale.imag() * sum.imag()),
                    static_cast<float>(scale.real() * sum.imag() + scale.imag() * sum.real())};
        } else {
            return static_cast<T>(scale * sum);
        }
    }

    /// A window ends in the current group of `length` items and begins in the group before it. `before_` has the suffix
    /// sums of that group, so an output is the sum of two numbers, and no item is ever subtracted.
    T next(T x) noexcept {
        sum_ += wide(x);
        group_[within_] = x;
        ++within_;
        const T y = narrow(wide(params.scale), within_ < length_ ? sum_ + before_[within_] : sum_);
        if (within_ == length_) turn();
        return y;
    }

    /// Set before_[i] to the sum of the group from item i to its end.
    void turn() noexcept {
        Sum sum{};
        for (std::size_t i = length_; i-- > 0;) before_[i] = sum += wide(group_[i]);
        within_ = 0;
        sum_ = Sum{};
    }

    std::vector<T> group_;
    std::vector<Sum> before_;
    std::size_t length_ = 1;
    std::size_t within_ = 0;
    Sum sum_{};
};

}  // namespace weir::blocks
