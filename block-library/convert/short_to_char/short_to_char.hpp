#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct ShortToChar {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { convert(nullptr, nullptr, 0); }

    WorkResult work(In<std::int16_t>& in, Out<std::int8_t>& out) noexcept { return item_for_item(convert, out, in); }

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
