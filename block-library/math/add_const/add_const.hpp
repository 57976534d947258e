#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct AddConst {
    struct Params {
        T constant = T(0);
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        // A plain loop, which compilers turn into vector code: VOLK 2.5 hangs in its kernel where VOLK_GENERIC is set.
        std::transform(in.data(), in.data() + n, out.data(), [c = params.constant](T x) { return sum(x, c); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    T element(T x) const noexcept { return sum(x, params.constant); }

  private:
    static T sum(T x, T constant) noexcept {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(constant));
        else return x + constant;
    }
};

}  // namespace weir::blocks
