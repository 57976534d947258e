#include "block_inserter.h"

#include "alignment.h"
#include "editor.h"
#include "graph_edits.h"
#include "node_geometry.h"

#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

/// How near to a wire a block must come to go into it.
constexpr double kInsertReach = 24;
constexpr double kGap = 2 * geometry::kGrid;

QPointF snapped(QPointF point)
{
    const auto snap = [](double value) { return std::round(value / geometry::kGrid) * geometry::kGrid; };
    return {snap(point.x()), snap(point.y())};
}

/// How the block will be drawn once it is there.
BlockView future(const BlockType &type, const std::string &id)
{
    BlockView view;
    view.id = QString::fromStdString(id);
    view.title = QString::fromStdString(type.title.empty() ? type.id : type.title);
    for (const PortType &port : type.inputs)
        view.inputs.append({QString::fromStdString(port.id), {}, {}, false});
    for (const PortType &port : type.outputs)
        view.outputs.append({QString::fromStdString(port.id), {}, {}, false});
    for (const ParameterType &parameter : type.parameters)
        if (parameter.isRequired() && view.parameters.size() < geometry::kShownParameters)
            view.parameters.append({QString::fromStdString(parameter.id), QStringLiteral("—")});
    view.rect.setSize(geometry::blockSize(view));
    return view;
}

int indexOf(const QList<PortView> &ports, const std::string &id)
{
    for (int index = 0; index < ports.size(); ++index)
        if (ports[index].id.toStdString() == id)
            return index;
    return 0;
}

/// Not nearer to the block before it than a gap.
QRectF clearOf(QRectF box, const BlockView *before)
{
    if (before && before->rect.adjusted(-kGap, 0, kGap, 0).intersects(box))
        box.moveLeft(std::ceil((before->rect.right() + kGap) / geometry::kGrid) * geometry::kGrid);
    return box;
}

} // namespace

BlockInserter::BlockInserter(Editor &editor) : QObject(&editor), m_editor(editor)
{
    connect(&editor, &Editor::catalogChanged, this, [this] { m_model.setCatalog(m_editor.scene().catalog()); });
}

void BlockInserter::setFilter(const QString &filter)
{
    m_model.setFilter(filter);
    emit filterChanged();
}

void BlockInserter::start(QPointF place, std::optional<std::set<std::string>> offered, const QString &purpose)
{
    m_place = place;
    m_purpose = purpose;
    m_model.setOffered(std::move(offered));
    setFilter({});
    emit asked(place);
}

void BlockInserter::ask(QPointF place)
{
    m_port.reset();
    m_wire.reset();
    start(place, {}, {});
}

void BlockInserter::askFor(const PortRef &port, QPointF place, const std::optional<Connection> &instead)
{
    m_port = port;
    m_wire = instead;
    std::set<Connection> without;
    if (instead)
        without.insert(*instead);
    const QString end = QStringLiteral("%1.%2").arg(port.block, port.port);
    start(place,
          typesThatFitPort(m_editor.document().json(), m_editor.scene().catalog(), port.block.toStdString(),
                           port.port.toStdString(), port.output, without),
          port.output ? tr("fed by %1").arg(end) : tr("into %1").arg(end));
}

void BlockInserter::askOn(const Connection &wire, QPointF place)
{
    m_port.reset();
    m_wire = wire;
    start(place, typesThatFitWire(m_editor.document().json(), m_editor.scene().catalog(), wire),
          tr("between %1 and %2").arg(QString::fromStdString(wire.source), QString::fromStdString(wire.target)));
}

bool BlockInserter::insert(const QString &type)
{
    const BlockType *found = m_editor.scene().catalog().block(type.toStdString());
    if (!found)
        return false;
    if (m_port)
        return insertAt(*found, m_place);
    if (m_wire)
        return insertInto(*found, m_place, *m_wire);
    return !m_editor.addBlock(type, snapped(m_place).x(), snapped(m_place).y()).isEmpty();
}

void BlockInserter::drop(const QString &type, QPointF place)
{
    const BlockType *found = m_editor.scene().catalog().block(type.toStdString());
    if (!found)
        return;
    if (const auto wire = wireFor(type, place)) {
        insertInto(*found, place, *wire);
        return;
    }
    const QPointF corner = snapped(place - QPointF(80, 20));
    m_editor.addBlock(type, corner.x(), corner.y());
}

bool BlockInserter::insertAt(const BlockType &type, QPointF place)
{
    const Json &project = m_editor.document().json();
    const std::string id = freeBlockId(project, type.id);
    std::set<Connection> without;
    if (m_wire)
        without.insert(*m_wire);
    const ItemTypes wanted = Fitting(project, m_editor.scene().catalog(), without)
                                 .typesAt(m_port->block.toStdString(), m_port->port.toStdString(), m_port->output);
    const auto port = portThatTakes(type, type.itemTypes, wanted, !m_port->output);
    if (!port)
        return false;
    const BlockView view = future(type, id);
    const int index = indexOf(m_port->output ? view.inputs : view.outputs, *port);
    const QPointF end = geometry::portOffset(view, index, !m_port->output);
    const QPointF corner = m_editor.scene().freePosition(snapped(place - end), view.rect.size());
    const std::string block = m_port->block.toStdString();
    const std::string far = m_port->port.toStdString();
    const Connection wire = m_port->output ? Connection{block, far, id, *port} : Connection{id, *port, block, far};
    const bool done = m_editor.edit(tr("Insert %1").arg(view.id), [&](Transaction &t) {
        addBlock(t, id, type.id, corner);
        if (m_wire)
            replaceConnection(t, *m_wire, wire);
        else
            addConnection(t, wire);
    });
    if (done)
        m_editor.selection().set({view.id});
    return done;
}

bool BlockInserter::insertInto(const BlockType &type, QPointF place, const Connection &wire)
{
    const Json &project = m_editor.document().json();
    const Fitting ends(project, m_editor.scene().catalog(), {wire});
    const auto passage = passageThrough(type, type.itemTypes, ends.typesAt(wire.source, wire.sourcePort, true),
                                        ends.typesAt(wire.target, wire.targetPort, false));
    if (!passage)
        return false;
    const std::string id = freeBlockId(project, type.id);
    const BlockView view = future(type, id);
    QRectF box(QPointF(), view.rect.size());
    box.moveTopLeft(snapped(place - QPointF(box.width() / 2, geometry::portY(indexOf(view.inputs, passage->input)))));
    box = clearOf(box, m_editor.scene().block(QString::fromStdString(wire.source)));
    const Placement room = roomFor(m_editor.scene(), box, QString::fromStdString(wire.target));
    const bool done = m_editor.edit(tr("Insert %1").arg(view.id), [&](Transaction &t) {
        addBlock(t, id, type.id, box.topLeft());
        insertOnWire(t, wire, id, *passage);
        placeBlocks(t, room);
    });
    if (done)
        m_editor.selection().set({view.id});
    return done;
}

void BlockInserter::moveOnto(const QString &block, QPointF offset, const Connection &wire)
{
    const BlockView *view = m_editor.scene().block(block);
    const Fitting ends(m_editor.document().json(), m_editor.scene().catalog(), {wire});
    const BlockType *type = view ? ends.typeOf(block.toStdString()) : nullptr;
    const auto passage = type ? passageThrough(*type, ends.ownTypes(block.toStdString()),
                                               ends.typesAt(wire.source, wire.sourcePort, true),
                                               ends.typesAt(wire.target, wire.targetPort, false))
                              : std::nullopt;
    if (!passage)
        return;
    const BlockView *before = m_editor.scene().block(QString::fromStdString(wire.source));
    const QRectF box = clearOf(view->rect.translated(offset), before);
    const Placement room = roomFor(m_editor.scene(), box, QString::fromStdString(wire.target));
    m_editor.edit(tr("Insert %1").arg(block), [&](Transaction &t) {
        placeBlocks(t, {{block.toStdString(), box.topLeft()}});
        insertOnWire(t, wire, block.toStdString(), *passage);
        placeBlocks(t, room);
    });
}

std::optional<Connection> BlockInserter::wireFor(const QString &type, QPointF place) const
{
    const WireView *wire = m_editor.scene().wireAt(place, kInsertReach);
    if (!wire)
        return {};
    const auto fitting = typesThatFitWire(m_editor.document().json(), m_editor.scene().catalog(), wire->connection);
    return fitting.contains(type.toStdString()) ? std::optional(wire->connection) : std::nullopt;
}

std::optional<Connection> BlockInserter::wireForLone(const QString &block) const
{
    const GraphScene &scene = m_editor.scene();
    const BlockView *view = scene.block(block);
    const BlockType *type = view ? scene.catalog().block(view->type.toStdString()) : nullptr;
    const auto joined = [](const PortView &port) { return port.connected; };
    if (!type || std::any_of(view->inputs.begin(), view->inputs.end(), joined)
        || std::any_of(view->outputs.begin(), view->outputs.end(), joined))
        return {};
    const WireView *wire = scene.wireAt(view->rect.center(), view->rect.height() / 2);
    if (!wire)
        return {};
    const Fitting ends(m_editor.document().json(), scene.catalog(), {wire->connection});
    const bool fits = passageThrough(*type, ends.ownTypes(block.toStdString()),
                                     ends.typesAt(wire->connection.source, wire->connection.sourcePort, true),
                                     ends.typesAt(wire->connection.target, wire->connection.targetPort, false))
                          .has_value();
    return fits ? std::optional(wire->connection) : std::nullopt;
}
