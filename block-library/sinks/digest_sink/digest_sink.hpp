#pragma once

#include <cstdint>

#include "weir/block.hpp"
#include "weir/digest.hpp"

namespace weir::blocks {

template <class T> struct DigestSink {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in) noexcept {
        if (in.size() == 0) return WorkStatus::need_input;
        digest_ += digest_of(in.data(), in.size(), index_);
        index_ += in.size();
        in.consume(in.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t index) noexcept { index_ = index; }

    std::uint64_t digest() const { return digest_; }

  private:
    std::uint64_t digest_ = 0;
    std::uint64_t index_ = 0;
};

}  // namespace weir::blocks
