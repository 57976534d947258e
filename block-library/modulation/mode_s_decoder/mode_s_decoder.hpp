#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/history.hpp"

namespace weir::blocks {

struct ModeSDecoder {
    struct Params {};
    Params params;

    void start(const BlockContext&) { history_.start(kFrame - 1); }

    WorkResult work(In<float>& in, Out<std::int32_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        history_.enter(in.data(), n);
        for (std::size_t i = 0; i < n; ++i) out[i] = address(history_.window(in.data(), i));
        history_.leave(in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    static constexpr std::size_t kPreamble = 16, kBits = 112, kFrame = kPreamble + 2 * kBits;
    /// Samples of the preamble with a pulse, and those without one that are not next to a pulse.
    static constexpr std::array<std::size_t, 4> kPulses = {0, 2, 7, 9};
    static constexpr std::array<std::size_t, 6> kQuiet = {4, 5, 11, 12, 13, 14};
    static constexpr std::uint32_t kGenerator = 0x1FFF409, kExtendedSquitter = 17;

    static bool has_preamble(const float* x) noexcept {
        for (const std::size_t pulse : kPulses) {
            for (const std::size_t quiet : kQuiet) {
                if (!(x[pulse] > x[quiet])) return false;
            }
        }
        return true;
    }

    /// Return the aircraft's address if the samples are a frame without errors, else 0.
    static std::int32_t address(const float* x) noexcept {
        if (!has_preamble(x)) return 0;
        const float* bits = x + kPreamble;
        std::uint32_t format = 0, address = 0, rest = 0;  // `rest` is the remainder by the generator
        for (std::size_t i = 0; i < kBits; ++i) {
            const std::uint32_t bit = bits[2 * i] > bits[2 * i + 1] ? 1 : 0;
            if (i < 5) format = format << 1 | bit;
            if (i == 4 && format != kExtendedSquitter) return 0;
            if (i >= 8 && i < 32) address = address << 1 | bit;
            rest = rest << 1 | bit;
            if (rest > 0xFFFFFF) rest ^= kGenerator;
        }
        return rest == 0 ? static_cast<std::int32_t>(address) : 0;
    }

    History<float> history_;
};

}  // namespace weir::blocks
