#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/item_for_item.hpp"
#include "weir/item_list.hpp"

namespace weir::blocks {

struct ConstellationDecoder {
    struct Params {
        std::vector<float> symbols = {-1.0F, 0.0F, 1.0F, 0.0F};
    };
    Params params;

    void start(const BlockContext&) {
        symbols_ = items_of<c64>(params.symbols, "symbols");
        if (symbols_.empty() || symbols_.size() > 256) throw std::runtime_error("symbols must be from 1 to 256");
    }

    WorkResult work(In<c64>& in, Out<std::uint8_t>& out) noexcept {
        return each_item_of(out, in, [this](c64 x) { return element(x); });
    }

    std::uint8_t element(c64 x) const noexcept {
        std::size_t nearest = 0;
        float least = distance(x, symbols_[0]);
        for (std::size_t k = 1; k < symbols_.size(); ++k) {
            const float own = distance(x, symbols_[k]);
            if (own < least) {
                least = own;
                nearest = k;
            }
        }
        return static_cast<std::uint8_t>(nearest);
    }

  private:
    static float distance(c64 a, c64 b) noexcept {
        const float re = a.real() - b.real();
        const float im = a.imag() - b.imag();
        return re * re + im * im;
    }

    std::vector<c64> symbols_;
};

} // namespace weir::blocks
