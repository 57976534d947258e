#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct ShortToChar {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { convert(nullptr, nullptr, 0); }

    WorkResult work(In<std::int16_t>& in, Out<std::int8_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        convert(out.data(), in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    std::int8_t element(std::int16_t x) const noexcept { return converted(x); }

  private:
    static std::int8_t converted(std::int16_t x) noexcept { return static_cast<std::int8_t>(x >> 8); }

    static void convert(std::int8_t* y, const std::int16_t* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_16i_convert_8i")) volk_16i_convert_8i(y, x, static_cast<unsigned>(n));
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = converted(x[i]);
    }
};

}  // namespace weir::blocks
