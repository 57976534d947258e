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
        add(out.data(), in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// A plain loop, which compilers turn into vector code: VOLK 2.5 hangs in its kernel where VOLK_GENERIC is set.
    void add(T* y, const T* x, std::size_t n) noexcept {
        const T constant = params.constant;
        for (std::size_t i = 0; i < n; ++i) {
            if constexpr (std::is_integral_v<T>)
                y[i] = static_cast<T>(static_cast<std::uint32_t>(x[i]) + static_cast<std::uint32_t>(constant));
            else
                y[i] = x[i] + constant;
        }
    }
};

}  // namespace weir::blocks
