#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

struct RepackBits {
    enum class Order : std::uint8_t { kLsbFirst, kMsbFirst };
    struct Params {
        std::int64_t k = 1;
        std::int64_t l = 8;
        Order order = Order::kLsbFirst;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.k < 1 || params.k > 8) throw std::runtime_error("k must be from 1 to 8");
        if (params.l < 1 || params.l > 8) throw std::runtime_error("l must be from 1 to 8");
        in_bits_ = static_cast<unsigned>(params.k);
        out_bits_ = static_cast<unsigned>(params.l);
    }

    /// A firing takes `l` bytes of `k` bits, and gives `k` bytes of `l` bits.
    WorkResult work(In<std::uint8_t>& in, Out<std::uint8_t>& out) noexcept {
        const std::size_t firings = std::min(in.size() / out_bits_, out.size() / in_bits_);
        if (firings == 0) return in.size() < out_bits_ ? WorkStatus::need_input : WorkStatus::need_output;
        if (params.order == Order::kMsbFirst) highest_first(out.data(), in.data(), firings * out_bits_);
        else lowest_first(out.data(), in.data(), firings * out_bits_);
        in.consume(firings * out_bits_);
        out.produce(firings * in_bits_);
        return WorkStatus::ok;
    }

  private:
    void highest_first(std::uint8_t* y, const std::uint8_t* x, std::size_t n) const noexcept {
        std::uint32_t held = 0;
        unsigned bits = 0;
        for (std::size_t i = 0; i < n; ++i) {
            held = held << in_bits_ | (x[i] & lowest(in_bits_));
            for (bits += in_bits_; bits >= out_bits_; bits -= out_bits_)
                *y++ = static_cast<std::uint8_t>(held >> (bits - out_bits_) & lowest(out_bits_));
        }
    }

    void lowest_first(std::uint8_t* y, const std::uint8_t* x, std::size_t n) const noexcept {
        std::uint32_t held = 0;
        unsigned bits = 0;
        for (std::size_t i = 0; i < n; ++i) {
            held |= (x[i] & lowest(in_bits_)) << bits;
            for (bits += in_bits_; bits >= out_bits_; bits -= out_bits_) {
                *y++ = static_cast<std::uint8_t>(held & lowest(out_bits_));
                held >>= out_bits_;
            }
        }
    }

    static constexpr std::uint32_t lowest(unsigned bits) noexcept { return (1U << bits) - 1U; }

    unsigned in_bits_ = 1;
    unsigned out_bits_ = 8;
};

}  // namespace weir::blocks
