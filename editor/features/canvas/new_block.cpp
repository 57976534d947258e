#include "features/canvas/new_block.h"

#include "core/graph/node_geometry.h"
#include "core/graph/shown_parameters.h"

#include <cmath>

namespace weir::editor {
namespace {

const double kGap = 2 * geometry::kGrid;
const double kWireRoom = 3 * geometry::kGrid; ///< least length at which a wire between neighbours can be seen and
                                              ///< grabbed

} // namespace

QPointF snapped(QPointF point) {
    const auto snap = [](double value) { return std::round(value / geometry::kGrid) * geometry::kGrid; };
    return {snap(point.x()), snap(point.y())};
}

BlockView futureBlock(const BlockType& type, const std::string& id) {
    BlockView view;
    view.id = QString::fromStdString(id);
    view.title = QString::fromStdString(type.title.empty() ? type.id : type.title);
    for (const PortType& port : type.inputs) view.inputs.append({QString::fromStdString(port.id), {}, {}, false});
    for (const PortType& port : type.outputs) view.outputs.append({QString::fromStdString(port.id), {}, {}, false});
    if (type.entry.is_object()) showParameters(view, object(member(type.entry, "parameters")), nullptr);
    else showParameters(view, Json::object(), &type);
    view.rect.setSize(geometry::blockSize(view));
    return view;
}

int portIndex(const QList<PortView>& ports, const std::string& id) {
    for (int index = 0; index < ports.size(); ++index)
        if (ports[index].id.toStdString() == id) return index;
    return 0;
}

QRectF clearOf(QRectF box, const BlockView* before) {
    if (before && before->rect.adjusted(-kGap, 0, kGap, 0).intersects(box))
        box.moveLeft(std::ceil((before->rect.right() + kGap) / geometry::kGrid) * geometry::kGrid);
    return box;
}

QPointF cornerBeside(const BlockView& block, const BlockView& neighbour, bool right, int port, int neighbourPort) {
    const double beyond = right
                              ? std::ceil((neighbour.rect.right() + kWireRoom) / geometry::kGrid)
                              : std::floor((neighbour.rect.left() - kWireRoom - block.rect.width()) / geometry::kGrid);
    return {beyond * geometry::kGrid, neighbour.rect.top() + geometry::portY(neighbourPort) - geometry::portY(port)};
}

} // namespace weir::editor
