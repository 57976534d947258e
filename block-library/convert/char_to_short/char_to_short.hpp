#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct CharToShort {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { convert(nullptr, nullptr, 0); }

    WorkResult work(In<std::int8_t>& in, Out<std::int16_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        convert(out.data(), in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

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
