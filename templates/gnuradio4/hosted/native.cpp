// Makes the native block WEIR_BLOCK of GNU Radio with the item type WEIR_ITEM, and a block that records its items. Compiled
// once for all projects.
#include <gnuradio-4.0/BlockModel.hpp>
#include WEIR_HEADER

#include "graph.hpp"
#include "host_block.hpp"

namespace weir::gnuradio4 {
namespace {

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

}  // namespace

std::shared_ptr<gr::BlockModel> WEIR_MAKE(weir_run* run, std::size_t instance, const Block& block) {
    gr::property_map settings{{"name", std::string(block.name)}};
    for (const Setting& setting : block.settings) {
        switch (setting.kind) {
            case Setting::size:
                settings.insert_or_assign(setting.name, static_cast<gr::Size_t>(setting.values[0]));
                break;
            case Setting::item: settings.insert_or_assign(setting.name, item_of<WEIR_ITEM>(setting.values)); break;
            case Setting::items: {
                std::vector<WEIR_ITEM> items;
                for (const double value : setting.values) items.push_back(static_cast<WEIR_ITEM>(value));
                settings.insert_or_assign(setting.name, gr::Tensor<WEIR_ITEM>(items));
                break;
            }
        }
    }
    weir_stand_aside(run, instance);
    return std::make_shared<gr::BlockWrapper<WEIR_BLOCK>>(std::move(settings));
}

std::shared_ptr<gr::BlockModel> WEIR_RECORD(weir_run* run, std::size_t instance, std::size_t output) {
    auto made = std::make_shared<gr::BlockWrapper<Recorder<WEIR_ITEM>>>(gr::property_map{});
    auto& recorder = *static_cast<Recorder<WEIR_ITEM>*>(made->raw());
    recorder.run = run;
    recorder.instance = instance;
    recorder.output = output;
    return made;
}

}  // namespace weir::gnuradio4
