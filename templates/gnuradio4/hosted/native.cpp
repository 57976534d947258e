// Makes the native block WEIR_BLOCK of GNU Radio with the item type WEIR_ITEM, and a block that records its items. Compiled
// once for all projects.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "graph.hpp"
#include "native.hpp"

namespace weir::gnuradio4 {
namespace {

/// Native block. A source of GNU Radio does not know that a run has to stop. At their ends, sources, heads and sinks
/// report the items that they have moved.
template <class T> struct Native final : Model<T> {
    using Model<T>::Model;

    weir_run* run = nullptr;
    std::size_t instance = 0;

    gr::work::Result work(std::size_t requested) override {
        if constexpr (kIsSource) stop_in_time();
        return Model<T>::work(requested);
    }

  private:
    static constexpr bool kIsSource = gr::traits::block::stream_input_ports<T>::size() == 0;
    static constexpr bool kIsHead = requires(T& it) { it.n_samples_max; };
    static constexpr bool kIsSink = gr::traits::block::stream_output_ports<T>::size() == 0;

    void stop_in_time() {
        if (stopped_ || !weir_stopping(run)) return;
        stopped_ = true;
        this->blockRef().publishEoS();
        this->blockRef().requestStop();
    }

    /// The run ends with its sinks, so a sink leaves at once.
    void at_end() override {
        if (std::exchange(over_, true)) return;
        if constexpr (kIsSink) {
            weir_report_items(run, instance, this->blockRef().in.streamReader().position(), 0);
            weir_left(run, instance, 0);
        } else if constexpr (kIsSource || kIsHead) {
            // A head leaves the input of its last call unread: it has read what it has written.
            const std::uint64_t items = this->blockRef().out.streamWriter().position();
            weir_report_items(run, instance, kIsSource ? 0 : items, items);
        }
    }

    bool stopped_ = false, over_ = false;
};

}  // namespace

std::shared_ptr<gr::BlockModel> WEIR_MAKE(weir_run* run, std::size_t instance, const Block& block) {
    gr::property_map settings{{"name", std::string(block.name)}};
    add_settings<WEIR_ITEM>(settings, block.settings, weir_bound(run, instance));
    weir_stand_aside(run, instance);
    auto made = std::make_shared<Native<WEIR_BLOCK>>(std::move(settings));
    made->run = run;
    made->instance = instance;
    return made;
}

std::shared_ptr<gr::BlockModel> WEIR_RECORD(weir_run* run, std::size_t instance, std::size_t output) {
    return recorder_of<WEIR_ITEM>(run, instance, output);
}

}  // namespace weir::gnuradio4
