#pragma once

#include <complex>

#include "weir/item_for_item.hpp"
#include "weir/phase_lock.hpp"

namespace weir::blocks {

struct Pll {
    enum class Output { kBaseband, kCarrier };

    struct Params {
        Output output = Output::kBaseband;
        double bandwidth = 0.0628;
        double min_frequency = -1.0;
        double max_frequency = 1.0;
    };
    Params params;

    void start(const BlockContext&) { loop_.start(params.bandwidth, params.min_frequency, params.max_frequency); }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const auto make = [this](c64 x) {
            const std::complex<double> turn = loop_.turn();
            loop_.follow(x);
            if (params.output == Output::kCarrier) return c64(turn);
            return turned(x, std::conj(turn));
        };
        return each_item_of(out, in, make);
    }

  private:
    PhaseLock loop_;
};

}  // namespace weir::blocks
