#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/block.hpp"
#include "weir/checks.hpp"
#include "weir/history.hpp"
#include "weir/volk_dot.hpp"

namespace weir::blocks {

template <class T> struct Resample {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t interpolation = 1;
        std::int64_t decimation = 1;
        std::int64_t phases = 0;
        double offset = 0.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        at_least_1(params.interpolation, "interpolation");
        used_ = at_least_1(params.decimation, "decimation");
        if (params.phases < 0) throw std::runtime_error("phases must be at least 0");
        const std::int64_t phases = params.phases == 0 ? params.interpolation : params.phases;
        const double step = static_cast<double>(phases * params.decimation) / static_cast<double>(params.interpolation);
        if (!(params.offset >= 0.0)) throw std::runtime_error("offset must be at least 0");
        offset_ = std::fmod(params.offset, step);
        const auto each = static_cast<std::size_t>(phases);
        const std::size_t arm_taps = (params.taps.size() + each - 1) / each;
        arms_.clear();
        for (std::int64_t m = 0; m < params.interpolation; ++m) arms_.push_back(arm(m, phases, arm_taps));
        history_.start(arm_taps - 1);
        dot(history_.zeros(), arms_.front().taps);  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / used_, out.size() / arms_.size());
        if (firings == 0) return in.size() < used_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * used_;

        history_.enter(in.data(), used);
        T* y = out.data();
        for (std::size_t first = 0; first < used; first += used_) {
            for (const Arm& arm : arms_) *y++ = dot(history_.window(in.data(), first + arm.newest), arm.taps);
        }
        history_.leave(in.data(), used);
        in.consume(used);
        out.produce(firings * arms_.size());
        return WorkStatus::ok;
    }

  private:
    /// Taps of one output item of a firing, in reverse order, and the last input item that they weigh.
    struct Arm {
        Taps taps;
        std::size_t newest;
    };

    Arm arm(std::int64_t m, std::int64_t phases, std::size_t count) const {
        const std::int64_t way = m * phases * params.decimation;
        const double part = static_cast<double>(way % params.interpolation) / static_cast<double>(params.interpolation);
        const double beyond = offset_ + part;  // the whole taps before are exact
        const auto whole = static_cast<std::int64_t>(std::floor(beyond));
        const std::int64_t tap = way / params.interpolation + whole;
        const double between = beyond - static_cast<double>(whole);
        Arm made{Taps(count, 0.0F), static_cast<std::size_t>(tap / phases)};
        for (std::size_t k = 0; k < count; ++k) {
            const auto at = static_cast<std::size_t>(tap % phases) + k * static_cast<std::size_t>(phases);
            made.taps[count - 1 - k] = static_cast<float>(value(at) + (value(at + 1) - value(at)) * between);
        }
        return made;
    }

    double value(std::size_t at) const noexcept { return at < params.taps.size() ? params.taps[at] : 0.0F; }

    std::vector<Arm> arms_;
    History<T> history_;
    double offset_ = 0.0;
    std::size_t used_ = 1;
};

}  // namespace weir::blocks
