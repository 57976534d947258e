// Makes the native block WEIR_BLOCK of GNU Radio with the item type WEIR_ITEM, and a block that records its items. Compiled
// once for all projects.
#include <gnuradio-4.0/BlockModel.hpp>

#include "graph.hpp"
#include "native.hpp"

namespace weir::gnuradio4 {

std::shared_ptr<gr::BlockModel> WEIR_MAKE(weir_run* run, std::size_t instance, const Block& block) {
    gr::property_map settings{{"name", std::string(block.name)}};
    add_settings<WEIR_ITEM>(settings, block.settings);
    weir_stand_aside(run, instance);
    return std::make_shared<gr::BlockWrapper<WEIR_BLOCK>>(std::move(settings));
}

std::shared_ptr<gr::BlockModel> WEIR_RECORD(weir_run* run, std::size_t instance, std::size_t output) {
    return recorder_of<WEIR_ITEM>(run, instance, output);
}

}  // namespace weir::gnuradio4
