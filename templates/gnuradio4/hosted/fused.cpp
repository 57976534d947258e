// Makes the block WEIR_BLOCK, which GNU Radio's Merge fuses from native blocks with the item type WEIR_ITEM, and blocks that
// record its items and those between its members. Compiled once for all projects.
#include <gnuradio-4.0/BlockMerging.hpp>

#include "graph.hpp"
#include "native.hpp"

namespace weir::gnuradio4 {
namespace {

/// Calls `f` with each member, upstream first.
template <class B, class F> void for_each_member(B& block, F&& f) { f(block); }
template <class L, class R, class F> void for_each_member(gr::MergeByIndex<L, 0, R, 0>& block, F&& f) {
    for_each_member(block._leftBlock, f);
    for_each_member(block._rightBlock, f);
}

/// Applies the settings of each member: a fused block hands on its own settings, but not those of blocks within blocks.
template <class B> void set_members(B& block, std::span<const Member> members) {
    auto member = members.begin();
    for_each_member(block, [&](auto& it) {
        gr::property_map settings;
        add_settings<WEIR_ITEM>(settings, (member++)->settings);
        gr::detail::forwardSettings(it, settings);
    });
}

/// Records the items between the members of a fused block, which has no buffer there: computes them once more.
template <class T, class B> struct InsideRecorder : gr::Block<InsideRecorder<T, B>, gr::NoTagPropagation> {
    using Base = gr::Block<InsideRecorder<T, B>, gr::NoTagPropagation>;
    gr::PortIn<T> in;
    GR_MAKE_REFLECTABLE(InsideRecorder, in);

    weir_run* run = nullptr;
    std::span<const Member> members;
    B block;
    std::vector<T> items;

    explicit InsideRecorder(gr::property_map settings = {}) : Base(std::move(settings)) {}
    gr::work::Status processBulk(std::span<const T> from) noexcept {
        items.assign(from.begin(), from.end());
        auto member = members.begin();
        for_each_member(block, [&](auto& it) {
            for (T& item : items) item = it.processOne(item);
            const std::size_t instance = (member++)->instance;
            if (member != members.end() && weir_recorded(run, instance, 0)) {
                weir_record(run, instance, 0, items.data(), items.size());
            }
        });
        return gr::work::Status::OK;
    }
};

}  // namespace

std::shared_ptr<gr::BlockModel> WEIR_MAKE(weir_run* run, std::size_t, const Block& block) {
    auto made = std::make_shared<Model<WEIR_BLOCK>>(gr::property_map{});
    set_members(*static_cast<WEIR_BLOCK*>(made->raw()), block.members);
    for (const Member& member : block.members) weir_stand_aside(run, member.instance);
    return made;
}

std::shared_ptr<gr::BlockModel> WEIR_RECORD(weir_run* run, std::size_t instance, std::size_t output) {
    return recorder_of<WEIR_ITEM>(run, instance, output);
}

std::shared_ptr<gr::BlockModel> WEIR_RECORD_INSIDE(weir_run* run, const Block& block) {
    using Made = InsideRecorder<WEIR_ITEM, WEIR_BLOCK>;
    auto made = std::make_shared<Model<Made>>(gr::property_map{});
    auto& recorder = *static_cast<Made*>(made->raw());
    recorder.run = run;
    recorder.members = block.members;
    set_members(recorder.block, block.members);
    return made;
}

}  // namespace weir::gnuradio4
