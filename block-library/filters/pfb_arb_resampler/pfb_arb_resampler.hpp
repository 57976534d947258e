#pragma once

#include <volk/volk_alloc.hh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct PfbArbResampler {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t filters = 32;
        std::int64_t interpolation = 1;
        std::int64_t decimation = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        if (params.filters < 1) throw std::runtime_error("filters must be at least 1");
        if (params.interpolation < 1) throw std::runtime_error("interpolation must be at least 1");
        if (params.decimation < 1) throw std::runtime_error("decimation must be at least 1");
        interpolation_ = static_cast<std::size_t>(params.interpolation);
        decimation_ = static_cast<std::size_t>(params.decimation);
        make_bank(static_cast<std::size_t>(params.filters));
        make_places(static_cast<std::uint64_t>(params.filters));
        seam_.assign(2 * history_ + 1, T{});
        dot(seam_.data(), bank_.front().taps);  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / decimation_, out.size() / interpolation_);
        if (firings == 0) return in.size() < decimation_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * decimation_;

        // The seam holds the history and then the first items of this chunk. It serves the windows that begin in
        // earlier chunks.
        std::copy_n(in.data(), std::min(used, history_), seam_.data() + history_);
        T* made = out.data();
        for (std::size_t first = 0; first < used; first += decimation_) {
            for (const Place& place : places_) {
                const std::size_t newest = first + place.item;
                const T* window = newest < history_ ? seam_.data() + newest : in.data() + (newest - history_);
                const Filter& filter = bank_[place.filter];
                *made++ = dot(window, filter.taps) + place.part * dot(window, filter.differences);
            }
        }

        const T* newest = used < history_ ? seam_.data() + used : in.data() + (used - history_);
        std::copy_n(newest, history_, seam_.data());
        in.consume(used);
        out.produce(firings * interpolation_);
        return WorkStatus::ok;
    }

  private:
    using Taps = volk::vector<float>;  // aligned: even VOLK 2.5's unaligned AVX2 kernel loads taps aligned

    /// Taps of a filter, and their differences to those of the next one, oldest item first.
    struct Filter {
        Taps taps, differences;
    };

    /// Place of an output in a firing: newest input item, filter, and how far towards the next filter.
    struct Place {
        std::size_t item = 0, filter = 0;
        float part = 0.0F;
    };

    void make_bank(std::size_t filters) {
        const std::vector<float>& taps = params.taps;
        const std::size_t each = (taps.size() + filters - 1) / filters;
        history_ = each - 1;
        bank_.assign(filters, {Taps(each, 0.0F), Taps(each, 0.0F)});
        for (std::size_t k = 0; k < taps.size(); ++k) {
            Filter& filter = bank_[k % filters];
            filter.taps[history_ - k / filters] = taps[k];
            if (k + 1 < taps.size()) filter.differences[history_ - k / filters] = taps[k + 1] - taps[k];
        }
    }

    /// Compute the places in steps of 1 / interpolation of a filter, which are exact.
    void make_places(std::uint64_t filters) {
        const std::uint64_t step = filters * decimation_;
        std::uint64_t at = params.taps.size() / 2 % filters * interpolation_ % step;
        places_.resize(interpolation_);
        for (Place& place : places_) {
            const std::uint64_t filter = at / interpolation_;
            place.item = filter / filters;
            place.filter = filter % filters;
            place.part =
                static_cast<float>(static_cast<double>(at % interpolation_) / static_cast<double>(interpolation_));
            at += step;
        }
    }

    /// Use the unaligned kernel even for aligned items: the order of additions must not depend on the address.
    static T dot(const T* window, const Taps& taps) noexcept {
        T sum{};
        if constexpr (std::is_same_v<T, c64> && calls_volk("volk_32fc_32f_dot_prod_32fc")) {
            volk_32fc_32f_dot_prod_32fc_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
        } else if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_x2_dot_prod_32f")) {
            volk_32f_x2_dot_prod_32f_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
        } else {
            for (std::size_t k = 0; k < taps.size(); ++k) sum += window[k] * taps[k];
        }
        return sum;
    }

    std::vector<Filter> bank_;
    std::vector<Place> places_;
    std::vector<T> seam_;
    std::size_t history_ = 0;
    std::size_t interpolation_ = 1, decimation_ = 1;
};

}  // namespace weir::blocks
