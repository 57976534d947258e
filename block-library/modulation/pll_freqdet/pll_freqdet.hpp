#pragma once

#include "weir/item_for_item.hpp"
#include "weir/phase_lock.hpp"

namespace weir::blocks {

struct PllFreqdet {
    struct Params {
        double bandwidth = 0.0628;
        double min_frequency = -1.0;
        double max_frequency = 1.0;
    };
    Params params;

    void start(const BlockContext&) { loop_.start(params.bandwidth, params.min_frequency, params.max_frequency); }

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        const auto make = [this](c64 x) {
            const auto frequency = static_cast<float>(loop_.frequency());
            loop_.follow(x);
            return frequency;
        };
        return each_item_of(out, in, make);
    }

  private:
    PhaseLock loop_;
};

}  // namespace weir::blocks
