#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "weir/block.hpp"
#include "weir/item_list.hpp"

namespace weir::blocks {

template <class T> struct VectorSource {
    struct Params {
        std::vector<float> values = {0.0F, 0.0F};
        bool repeat = false;
    };
    Params params;

    void start(const BlockContext&) {
        items_ = items_of<T>(params.values, "values");
        if (params.repeat && items_.empty()) throw std::runtime_error("values has no item to repeat");
        next_ = 0;
    }

    std::optional<std::uint64_t> total_items() const {
        if (params.repeat) return std::nullopt;
        return items_.size();
    }

    void seek(std::uint64_t index) noexcept {
        const std::uint64_t items = items_.size();
        next_ = static_cast<std::size_t>(params.repeat ? index % items : std::min(index, items));
    }

    WorkResult work(Out<T>& out) noexcept {
        if (next_ == items_.size()) return WorkStatus::done;
        if (out.size() == 0) return WorkStatus::need_output;
        std::size_t filled = 0;
        while (filled < out.size() && next_ < items_.size()) {
            const std::size_t n = std::min(out.size() - filled, items_.size() - next_);
            std::copy_n(items_.data() + next_, n, out.data() + filled);
            filled += n;
            next_ += n;
            if (params.repeat && next_ == items_.size()) next_ = 0;
        }
        out.produce(filled);
        return next_ == items_.size() ? WorkStatus::done : WorkStatus::ok;
    }

  private:
    std::vector<T> items_;
    std::size_t next_ = 0;
};

}  // namespace weir::blocks
