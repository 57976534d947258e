#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct CharToShort {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { convert(nullptr, nullptr, 0); }

    WorkResult work(In<std::int8_t>& in, Out<std::int16_t>& out) noexcept { return item_for_item(convert, out, in); }

    std::int16_t element(std::int8_t x) const noexcept { return converted(x); }

  private:
    static std::int16_t converted(std::int8_t x) noexcept { return static_cast<std::int16_t>(x * 256); }

    static void convert(std::int16_t* y, const std::int8_t* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_8i_convert_16i")) volk_8i_convert_16i(y, x, static_cast<unsigned>(n));
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = converted(x[i]);
    }
};

}  // namespace weir::blocks
