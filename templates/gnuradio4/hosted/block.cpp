// Makes blocks with the item types WEIR_INPUTS and WEIR_OUTPUTS. Compiled once for all projects.
#include <complex>
#include <cstdint>

#include "graph.hpp"
#include "host_block.hpp"

namespace weir::gnuradio4 {

std::shared_ptr<gr::BlockModel> WEIR_MAKE(weir_run* run, std::size_t instance, const Block& block) {
    using Made = HostBlock<Types<WEIR_INPUTS>, Types<WEIR_OUTPUTS>>;
    auto made = std::make_shared<Model<Made>>(gr::property_map{{"name", std::string(block.name)}});
    static_cast<Made*>(made->raw())->host.attach(run, instance);
    return made;
}

}  // namespace weir::gnuradio4
