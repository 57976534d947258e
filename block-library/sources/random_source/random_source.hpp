#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"
#include "weir/digest.hpp"

namespace weir::blocks {

template <class T> struct RandomSource {
    struct Params {};
    Params params;

    void start(const BlockContext& context) { seed_ = context.seed; }

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = item(mix64(index_ + i, seed_));
        index_ += out.size();
        out.produce(out.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t index) noexcept { index_ = index; }

  private:
    /// Return 24 bits as a multiple of 2^-23 in [-1, 1), which float represents exactly.
    static float unit(std::uint64_t bits) noexcept {
        return static_cast<float>(static_cast<std::int32_t>(bits & 0xFFFFFFU) - 0x800000) * 0x1p-23F;
    }

    static T item(std::uint64_t word) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {unit(word >> 40), unit(word >> 16)};
        } else if constexpr (std::is_same_v<T, float>) {
            return unit(word >> 40);
        } else {
            return static_cast<T>(word >> (64 - 8 * sizeof(T)));
        }
    }

    std::uint64_t seed_ = 0;
    std::uint64_t index_ = 0;
};

}  // namespace weir::blocks
