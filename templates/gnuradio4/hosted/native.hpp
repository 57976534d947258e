// Settings of native blocks of GNU Radio 4, and a block that records their items.
#pragma once

#include <gnuradio-4.0/Block.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "host_block.hpp"

namespace weir::gnuradio4 {

template <class T> struct Recorder : gr::Block<Recorder<T>, gr::NoTagPropagation> {
    using Base = gr::Block<Recorder<T>, gr::NoTagPropagation>;
    gr::PortIn<T> in;
    GR_MAKE_REFLECTABLE(Recorder, in);

    weir_run* run = nullptr;
    std::size_t instance = 0, output = 0;

    explicit Recorder(gr::property_map settings = {}) : Base(std::move(settings)) {}
    gr::work::Status processBulk(std::span<const T> items) noexcept {
        weir_record(run, instance, output, items.data(), items.size());
        return gr::work::Status::OK;
    }
};

template <class T> T item_of(std::span<const double> values) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(values[0]);
    } else {
        using Part = typename T::value_type;
        return {static_cast<Part>(values[0]), values.size() > 1 ? static_cast<Part>(values[1]) : Part{}};
    }
}

/// Adds settings to `known`. `T`: item type of the block. `bound`: items after which it ends; UINT64_MAX: never.
template <class T>
void add_settings(gr::property_map& known, std::span<const Setting> settings, std::uint64_t bound = UINT64_MAX) {
    for (const Setting& setting : settings) {
        switch (setting.kind) {
            case Setting::size: known.insert_or_assign(setting.name, static_cast<gr::Size_t>(setting.values[0])); break;
            case Setting::item: known.insert_or_assign(setting.name, item_of<T>(setting.values)); break;
            case Setting::items: {
                std::vector<T> items;
                for (const double value : setting.values) items.push_back(static_cast<T>(value));
                known.insert_or_assign(setting.name, gr::Tensor<T>(items));
                break;
            }
            case Setting::total:  // GNU Radio's 0 is endless
                known.insert_or_assign(setting.name, bound == UINT64_MAX ? 0 : static_cast<gr::Size_t>(bound));
                break;
        }
    }
}

/// Makes a block that records an output of an instance.
template <class T>
std::shared_ptr<gr::BlockModel> recorder_of(weir_run* run, std::size_t instance, std::size_t output) {
    auto made = std::make_shared<Model<Recorder<T>>>(gr::property_map{});
    auto& recorder = *static_cast<Recorder<T>*>(made->raw());
    recorder.run = run;
    recorder.instance = instance;
    recorder.output = output;
    return made;
}

}  // namespace weir::gnuradio4
