#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/item_for_item.hpp"
#include "weir/item_list.hpp"

namespace weir::blocks {

template <class T> struct Map {
    struct Params {
        std::vector<float> map = {0.0F, 1.0F};
    };
    Params params;

    void start(const BlockContext&) {
        const std::vector<T> listed = items_of<T>(params.map, "map");
        if (listed.size() > table_.size()) throw std::runtime_error("map must have at most 256 values");
        for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = i < listed.size() ? listed[i] : static_cast<T>(i);
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T x) { return element(x); });
    }

    T element(T x) const noexcept { return table_[static_cast<std::uint8_t>(x)]; }

  private:
    std::array<T, 256> table_{};
};

}  // namespace weir::blocks
