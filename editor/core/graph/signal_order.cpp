#include "core/graph/signal_order.h"

#include <algorithm>
#include <numeric>

namespace weir::editor {
namespace {

/// Return for each block the size of its connected part; users mostly work on the largest part.
std::vector<int> partSizes(const GraphScene& scene) {
    std::vector<std::size_t> first(scene.blocks().size()); // union-find: towards the block that represents the part
    std::iota(first.begin(), first.end(), std::size_t{0});
    const auto standsFor = [&first](int block) {
        auto at = static_cast<std::size_t>(block);
        while (first[at] != at) at = first[at] = first[first[at]];
        return at;
    };
    for (const WireView& wire : scene.wires()) first[standsFor(wire.source)] = standsFor(wire.target);
    std::vector<int> sizes(first.size(), 0);
    for (std::size_t block = 0; block < first.size(); ++block) ++sizes[standsFor(static_cast<int>(block))];
    std::vector<int> ofBlocks;
    for (std::size_t block = 0; block < first.size(); ++block)
        ofBlocks.push_back(sizes[standsFor(static_cast<int>(block))]);
    return ofBlocks;
}

} // namespace

QStringList signalOrder(const GraphScene& scene) {
    const auto& blocks = scene.blocks();
    const std::vector<int> size = partSizes(scene);
    std::vector<int> inputsLeft(blocks.size(), 0);
    std::vector<std::vector<int>> targets(blocks.size());
    for (const WireView& wire : scene.wires()) {
        ++inputsLeft[static_cast<std::size_t>(wire.target)];
        targets[static_cast<std::size_t>(wire.source)].push_back(wire.target);
    }
    // Push the lower ones first: the top of the stack is next.
    const auto lower = [&blocks](int a, int b) {
        const QPointF first = blocks[static_cast<std::size_t>(a)].rect.topLeft();
        const QPointF second = blocks[static_cast<std::size_t>(b)].rect.topLeft();
        return std::pair(first.y(), first.x()) > std::pair(second.y(), second.x());
    };
    std::vector<int> open;
    for (std::size_t index = 0; index < blocks.size(); ++index)
        if (inputsLeft[index] == 0) open.push_back(static_cast<int>(index));
    std::sort(open.begin(), open.end(), [&](int a, int b) {
        const int first = size[static_cast<std::size_t>(a)], second = size[static_cast<std::size_t>(b)];
        return first == second ? lower(a, b) : first < second;
    });

    QStringList order;
    std::vector<bool> seen(blocks.size(), false);
    while (!open.empty()) {
        const auto index = static_cast<std::size_t>(open.back());
        open.pop_back();
        seen[index] = true;
        order.append(blocks[index].id);
        std::vector<int> ready;
        for (const int target : targets[index])
            if (--inputsLeft[static_cast<std::size_t>(target)] == 0) ready.push_back(target);
        std::sort(ready.begin(), ready.end(), lower);
        open.insert(open.end(), ready.begin(), ready.end());
    }
    // A block in a cycle never becomes ready; it comes last.
    for (std::size_t index = 0; index < blocks.size(); ++index)
        if (!seen[index]) order.append(blocks[index].id);
    return order;
}

} // namespace weir::editor
