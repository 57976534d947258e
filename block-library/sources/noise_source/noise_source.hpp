#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/xoroshiro.hpp"

namespace weir::blocks {

template <class T> struct NoiseSource {
    enum class Distribution { kUniform, kGaussian, kLaplacian, kImpulse };

    struct Params {
        Distribution distribution = Distribution::kGaussian;
        double amplitude = 1.0;
        std::int64_t seed = 1;
        std::int64_t pool = 0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.seed < 1) throw std::runtime_error("seed must be at least 1");
        if (params.pool < 0) throw std::runtime_error("pool must not be negative");
        generator_.seed(static_cast<std::uint64_t>(params.seed));
        chooser_.seed(static_cast<std::uint64_t>(params.seed));
        scale_ = params.amplitude / (std::is_same_v<T, c64> ? std::numbers::sqrt2 : 1.0);
        has_spare_ = false;
        pool_.resize(static_cast<std::size_t>(params.pool));
        for (T& item : pool_) item = draw();
    }

    WorkResult work(Out<T>& out) noexcept {
        const std::size_t n = out.size();
        if (n == 0) return WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i) out[i] = pool_.empty() ? draw() : pool_[chooser_.next() % pool_.size()];
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    T draw() noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            const float im = variate();  // drawn first
            return {variate(), im};
        } else {
            return variate();
        }
    }

    float variate() noexcept {
        const auto scaled = [this](double value) { return static_cast<float>(scale_ * value); };
        switch (params.distribution) {
            case Distribution::kUniform: return scaled(2.0 * generator_.unit() - 1.0);
            case Distribution::kLaplacian: {
                const double z = generator_.unit() - 0.5;
                return scaled(z > 0.0 ? -std::log(1.0 - 2.0 * z) : std::log(1.0 + 2.0 * z));
            }
            case Distribution::kImpulse: {
                const double z = -std::numbers::sqrt2 * std::log(generator_.unit());
                return scaled(z <= kFloor ? 0.0 : z);
            }
            case Distribution::kGaussian: break;
        }
        if (has_spare_) {
            has_spare_ = false;
            return scaled(spare_);
        }
        // Marsaglia's polar method. Rounding to float decides which pairs it rejects, so each step rounds here, too.
        double x = 0.0, y = 0.0, square = 0.0;
        do {
            x = single(2.0 * generator_.unit() - 1.0);
            y = single(2.0 * generator_.unit() - 1.0);
            square = single(single(x * x) + single(y * y));
        } while (square >= 1.0 || square == 0.0);
        const double stretch = std::sqrt(-2.0 * std::log(square) / square);
        spare_ = x * stretch;
        has_spare_ = true;
        return scaled(y * stretch);
    }

    static double single(double value) noexcept { return static_cast<double>(static_cast<float>(value)); }

    /// Impulses up to this height are left out.
    static constexpr double kFloor = 9.0;

    Xoroshiro generator_, chooser_;
    std::vector<T> pool_;
    double scale_ = 1.0, spare_ = 0.0;
    bool has_spare_ = false;
};

}  // namespace weir::blocks
