#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "weir/item_for_item.hpp"
#include "weir/oscillator.hpp"

namespace weir::blocks {

struct Rotator {
    struct Params {
        double sample_rate = 48000.0;
        double frequency = 0.0;
        double phase = 0.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        oscillator_.start(phase_step(params.frequency, params.sample_rate),
                          phase_word(params.phase / (2.0 * std::numbers::pi)));
    }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const auto make = [this](c64* y, const c64* x, std::size_t n) { oscillator_.turn(y, x, n); };
        return item_for_item(make, out, in);
    }

    void seek(std::uint64_t index) noexcept { oscillator_.seek(index); }

  private:
    Oscillator oscillator_;
};

}  // namespace weir::blocks
