// Positions of dragged blocks: new ones from the palette, and unconnected ones of the graph.
#include "features/canvas/block_inserter.h"

#include "core/graph/alignment.h"
#include "core/graph/graph_edits.h"
#include "core/graph/node_geometry.h"
#include "features/canvas/new_block.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Distance in px within which a dropped block is inserted into a wire.
constexpr double kInsertReach = 24;
constexpr double kMeantReach = 10;

QString wireName(const Connection& wire) {
    return QStringLiteral("%1 → %2").arg(QString::fromStdString(wire.source), QString::fromStdString(wire.target));
}

QString joined(const ItemTypes& types) {
    QStringList names;
    for (const std::string& type : types) names.append(QString::fromStdString(type));
    return names.join(u'/');
}

} // namespace

void BlockInserter::drop(const QString& type, QPointF place) {
    const BlockType* found = m_session.scene().catalog().anyBlock(type.toStdString());
    if (!found) return;
    if (const auto wire = wireFor(type, place)) {
        insertInto(*found, place, *wire);
        return;
    }
    const std::string id = freeBlockId(m_session.document().json(), found->id);
    const QPointF corner = m_session.scene().freePosition(snapped(place - grip()), sizeOf(type));
    const QString refused = landing(type, place);
    if (make(tr("Add %1").arg(QString::fromStdString(id)), id, *found, corner, [](Transaction&) {}))
        m_session.setNotice(refused);
}

QString BlockInserter::landing(const QString& type, QPointF place) const {
    const BlockType* found = m_session.scene().catalog().anyBlock(type.toStdString());
    if (const auto wire = wireFor(type, place)) return tr("into the wire %1").arg(wireName(*wire));
    const WireView* wire = m_session.scene().wireAt(place, kMeantReach);
    return found && wire ? whyNotOn(*found, wire->connection) : QString();
}

QString BlockInserter::whyNotOn(const BlockType& type, const Connection& wire) const {
    const QString title = QString::fromStdString(type.title);
    if (type.inputs.empty()) return tr("%1 has no input, so it cannot be inserted into a wire").arg(title);
    if (type.outputs.empty()) return tr("%1 has no output, so it cannot be inserted into a wire").arg(title);
    const Fitting ends(m_session.document().json(), m_session.scene().catalog(), {wire});
    const auto typesOf = [&type](const PortType& port) {
        return joined(port.type == "T" ? type.itemTypes : ItemTypes{port.type});
    };
    return tr("%1 does not fit: it converts %2 to %3, and the wire %4 carries %5")
        .arg(title, typesOf(type.inputs.front()), typesOf(type.outputs.front()), wireName(wire),
             joined(ends.typesAt(wire.source, wire.sourcePort, true)));
}

bool BlockInserter::insertInto(const BlockType& type, QPointF place, const Connection& wire) {
    const Json& project = m_session.document().json();
    const Fitting ends(project, m_session.scene().catalog(), {wire});
    const auto passage = passageThrough(type, type.itemTypes, ends.typesAt(wire.source, wire.sourcePort, true),
                                        ends.typesAt(wire.target, wire.targetPort, false));
    if (!passage) return false;
    const std::string id = freeBlockId(project, type.id);
    const BlockView view = futureBlock(type, id);
    QRectF box(QPointF(), view.rect.size());
    box.moveTopLeft(snapped(place - QPointF(box.width() / 2, geometry::portY(portIndex(view.inputs, passage->input)))));
    box = clearOf(box, m_session.scene().block(QString::fromStdString(wire.source)));
    const Placement room = roomFor(m_session.scene(), box, QString::fromStdString(wire.target));
    return make(tr("Insert %1").arg(view.id), id, type, box.topLeft(), [&](Transaction& t) {
        insertOnWire(t, wire, id, *passage);
        placeBlocks(t, room);
    });
}

void BlockInserter::moveOnto(const QString& block, QPointF offset, const Connection& wire) {
    const BlockView* view = m_session.scene().block(block);
    const Fitting ends(m_session.document().json(), m_session.scene().catalog(), {wire});
    const BlockType* type = view ? ends.typeOf(block.toStdString()) : nullptr;
    const auto passage = type ? passageThrough(*type, ends.ownTypes(block.toStdString()),
                                               ends.typesAt(wire.source, wire.sourcePort, true),
                                               ends.typesAt(wire.target, wire.targetPort, false))
                              : std::nullopt;
    if (!passage) return;
    const BlockView* before = m_session.scene().block(QString::fromStdString(wire.source));
    const QRectF box = clearOf(view->rect.translated(offset), before);
    const Placement room = roomFor(m_session.scene(), box, QString::fromStdString(wire.target));
    m_session.edit(tr("Insert %1").arg(block), [&](Transaction& t) {
        placeBlocks(t, {{block.toStdString(), box.topLeft()}});
        insertOnWire(t, wire, block.toStdString(), *passage);
        placeBlocks(t, room);
    });
}

std::optional<Connection> BlockInserter::wireFor(const QString& type, QPointF place) const {
    const WireView* wire = m_session.scene().wireAt(place, kInsertReach);
    if (!wire) return {};
    const auto fitting = typesThatFitWire(m_session.document().json(), m_session.scene().catalog(), wire->connection);
    return fitting.contains(type.toStdString()) ? std::optional(wire->connection) : std::nullopt;
}

std::optional<Connection> BlockInserter::wireForLone(const QString& block) const {
    const GraphScene& scene = m_session.scene();
    const BlockView* view = scene.block(block);
    const BlockType* type = view ? scene.catalog().block(view->type.toStdString()) : nullptr;
    const auto joined = [](const PortView& port) { return port.connected; };
    if (!type || std::any_of(view->inputs.begin(), view->inputs.end(), joined) ||
        std::any_of(view->outputs.begin(), view->outputs.end(), joined))
        return {};
    const WireView* wire = scene.wireAt(view->rect.center(), view->rect.height() / 2);
    if (!wire) return {};
    const Fitting ends(m_session.document().json(), scene.catalog(), {wire->connection});
    const bool fits = passageThrough(*type, ends.ownTypes(block.toStdString()),
                                     ends.typesAt(wire->connection.source, wire->connection.sourcePort, true),
                                     ends.typesAt(wire->connection.target, wire->connection.targetPort, false))
                          .has_value();
    return fits ? std::optional(wire->connection) : std::nullopt;
}

} // namespace weir::editor
