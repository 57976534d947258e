#pragma once

#include <cstdint>
#include <stdexcept>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct DifferentialDecoder {
    struct Params {
        std::int64_t modulus = 2;
        std::int64_t offset = 0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.modulus < 1 || params.modulus > 256) throw std::runtime_error("modulus must be from 1 to 256");
        if (params.offset < 0 || params.offset > 255) throw std::runtime_error("offset must be from 0 to 255");
        last_ = 0;
    }

    WorkResult work(In<std::uint8_t>& in, Out<std::uint8_t>& out) noexcept {
        return each_item_of(out, in, [this](std::uint8_t x) {
            // 256 times the modulus keeps the dividend above 0.
            const std::int64_t change = x - last_ + params.offset + 256 * params.modulus;
            last_ = x;
            return static_cast<std::uint8_t>(change % params.modulus);
        });
    }

  private:
    std::int64_t last_ = 0;
};

}  // namespace weir::blocks
