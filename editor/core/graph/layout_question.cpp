#include "core/graph/layout_question.h"

#include "core/graph/node_geometry.h"
#include "core/json/json_reader.h"

#include <cmath>

namespace weir::editor {
namespace {

constexpr double kLeastRoom = 100; ///< smallest room that the command line accepts

double onGrid(double value) { return std::round(value / geometry::kGrid) * geometry::kGrid; }

} // namespace

std::string layoutQuestion(const GraphScene& scene, const QStringList& blocks, QSizeF room) {
    const QSet<QString> wanted(blocks.begin(), blocks.end());
    Json question{{"blocks", Json::object()}, {"wires", Json::array()}};
    for (const QString& id : blocks)
        if (const BlockView* block = scene.block(id))
            question["blocks"][id.toStdString()] = {block->rect.width(), block->rect.height()};
    for (const WireView& wire : scene.wires())
        if (wanted.contains(QString::fromStdString(wire.connection.source)) &&
            wanted.contains(QString::fromStdString(wire.connection.target)))
            question["wires"].push_back({{"source", wire.connection.source},
                                         {"source_y", geometry::portY(wire.sourcePort)},
                                         {"target", wire.connection.target},
                                         {"target_y", geometry::portY(wire.targetPort)}});
    if (room.width() >= kLeastRoom && room.height() >= kLeastRoom) question["room"] = {room.width(), room.height()};
    return question.dump();
}

std::optional<Placement> layoutAnswer(const GraphScene& scene, const QStringList& blocks, const QByteArray& answer,
                                      bool anchored) {
    const Json corners = jsonFrom(answer);
    Placement placement;
    QRectF before, after;
    for (const QString& id : blocks) {
        const Json* corner = member(corners, id.toStdString());
        const BlockView* block = scene.block(id);
        if (!block || !corner || !corner->is_array() || corner->size() != 2 || !(*corner)[0].is_number() ||
            !(*corner)[1].is_number())
            return {};
        const QPointF place((*corner)[0].get<double>(), (*corner)[1].get<double>());
        placement.emplace_back(id.toStdString(), place);
        before |= block->rect;
        after |= QRectF(place, block->rect.size());
    }
    if (anchored)
        for (auto& [id, place] : placement)
            place += QPointF(onGrid(before.left() - after.left()), onGrid(before.top() - after.top()));
    return placement;
}

} // namespace weir::editor
