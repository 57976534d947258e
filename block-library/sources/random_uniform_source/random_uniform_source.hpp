#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/xoroshiro.hpp"

namespace weir::blocks {

template <class T> struct RandomUniformSource {
    struct Params {
        std::int64_t minimum = 0;
        std::int64_t maximum = 2;
        std::int64_t seed = 1;
    };
    Params params;

    void start(const BlockContext&) {
        constexpr std::int64_t kMost = std::int64_t{1} << 31;
        if (params.minimum < -kMost || params.maximum > kMost || params.maximum <= params.minimum)
            throw std::runtime_error("maximum must be above minimum, and both from -2^31 to 2^31");
        if (params.seed < 1) throw std::runtime_error("seed must be at least 1");
        span_ = static_cast<std::uint64_t>(params.maximum - params.minimum);
        generator_.seed(static_cast<std::uint64_t>(params.seed));
    }

    WorkResult work(Out<T>& out) noexcept {
        const std::size_t n = out.size();
        if (n == 0) return WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<T>(params.minimum + static_cast<std::int64_t>(generator_.below(span_)));
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    Xoroshiro generator_;
    std::uint64_t span_ = 2;
};

}  // namespace weir::blocks
