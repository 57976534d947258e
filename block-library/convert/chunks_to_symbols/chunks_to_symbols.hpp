#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/block.hpp"
#include "weir/checks.hpp"
#include "weir/item_list.hpp"

namespace weir::blocks {

template <class T> struct ChunksToSymbols {
    struct Params {
        std::vector<float> symbols = {-1.0F, 0.0F, 1.0F, 0.0F};
        std::int64_t dimension = 1;
    };
    Params params;

    void start(const BlockContext&) {
        dimension_ = at_least_1(params.dimension, "dimension");
        table_ = items_of<T>(params.symbols, "symbols");
        table_.resize(256 * dimension_);
    }

    WorkResult work(In<std::uint8_t>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size() / dimension_);
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        if (dimension_ == 1) {
            for (std::size_t i = 0; i < n; ++i) out[i] = table_[in[i]];
        } else {
            for (std::size_t i = 0; i < n; ++i)
                std::copy_n(table_.data() + in[i] * dimension_, dimension_, out.data() + i * dimension_);
        }
        in.consume(n);
        out.produce(n * dimension_);
        return WorkStatus::ok;
    }

  private:
    std::size_t dimension_ = 1;
    std::vector<T> table_;
};

}  // namespace weir::blocks
