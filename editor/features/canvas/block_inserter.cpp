#include "features/canvas/block_inserter.h"

#include "core/graph/graph_edits.h"
#include "core/graph/node_geometry.h"
#include "features/canvas/new_block.h"
#include "features/palette/block_palette.h"
#include "shell/session/session.h"

#include <iterator>

namespace weir::editor {
namespace {

std::set<Connection> without(const std::optional<Connection>& wire) {
    return wire ? std::set<Connection>{*wire} : std::set<Connection>();
}

/// Return whether the whole name or id was typed.
bool isCalled(const BlockType& type, const QString& typed) {
    const QString name = typed.trimmed().replace(u'_', u' ');
    return !name.compare(QString::fromStdString(type.title), Qt::CaseInsensitive) ||
           !name.compare(QString::fromStdString(type.id).replace(u'_', u' '), Qt::CaseInsensitive);
}

} // namespace

BlockInserter::BlockInserter(Session& session, BlockHabits& habits)
    : QObject(&session), m_session(session), m_habits(habits) {
    connect(&session, &Session::newBlocksChanged, this, [this] {
        m_likely.clear();
        update();
    });
    connect(&habits, &BlockHabits::changed, this, &BlockInserter::update);
}

void BlockInserter::setFilter(const QString& filter) {
    m_filter = filter;
    update();
    emit filterChanged();
}

void BlockInserter::update() {
    std::vector<const BlockType*> types;
    QHash<const BlockType*, QString> reasons;
    for (const auto& [type, reason] : m_likely) {
        types.push_back(type);
        reasons.insert(type, reason);
    }
    const QStringList favourites = m_habits.favourites();
    std::vector<BlockEntry> rows;
    std::vector<BlockEntry>
        alone; // blocks that cannot connect to the neighbour come last, unless their whole name was typed
    for (const auto& [type, because] : findBlocks(m_filter, types)) {
        const bool isAlone = m_joinable && !m_joinable->contains(type->id);
        const QString reason = isAlone ? tr("stands alone") : because.isEmpty() ? reasons.value(type) : because;
        (isAlone && !isCalled(*type, m_filter) ? alone : rows)
            .push_back(BlockEntry::of(*type, reason, favourites.contains(QString::fromStdString(type->id))));
    }
    rows.insert(rows.end(), std::make_move_iterator(alone.begin()), std::make_move_iterator(alone.end()));
    m_model.setRows(std::move(rows));
}

void BlockInserter::start(QPointF place, InsertPlace where, const QString& purpose) {
    m_place = place;
    m_purpose = purpose;
    const Catalog& catalog = m_session.scene().catalog();
    m_joinable.reset();
    if (!purpose.isEmpty() && !where.onlyFitting) m_joinable = where.fitting;
    m_likely = likelyBlocks(m_session.newBlocks(), catalog, where, m_habits.favourites(), m_habits.recent());
    setFilter({});
    emit purposeChanged();
}

void BlockInserter::askBeside() {
    m_port.reset();
    m_wire.reset();
    InsertPlace where;
    QString purpose;
    const Fitting fitting(m_session.document().json(), m_session.scene().catalog());
    for (const PortRef& port : freePorts()) {
        const std::string block = port.block.toStdString();
        const BlockType* type = fitting.typeOf(block);
        if (purpose.isEmpty()) {
            where.wanted = fitting.typesAt(block, port.port.toStdString(), port.output);
            (port.output ? where.after : where.before) = type ? type->id : std::string();
            purpose = port.output ? tr("after %1").arg(port.block) : tr("before %1").arg(port.block);
        }
        where.fitting.merge(typesThatFitPort(m_session.document().json(), m_session.scene().catalog(), block,
                                             port.port.toStdString(), port.output));
    }
    start(m_place, std::move(where), purpose);
}

void BlockInserter::ask(QPointF place) {
    m_place = place;
    askBeside();
    emit insertRequested(place);
}

void BlockInserter::askFor(const PortRef& port, QPointF place, const std::optional<Connection>& instead) {
    m_port = port;
    m_wire = instead;
    const Json& project = m_session.document().json();
    const Catalog& catalog = m_session.scene().catalog();
    const Fitting ends(project, catalog, without(instead));
    const std::string block = port.block.toStdString();
    const std::string name = port.port.toStdString();
    const BlockType* type = ends.typeOf(block);
    InsertPlace where{.fitting = typesThatFitPort(project, catalog, block, name, port.output, without(instead)),
                      .wanted = ends.typesAt(block, name, port.output),
                      .onlyFitting = true};
    (port.output ? where.after : where.before) = type ? type->id : std::string();
    const QString end = QStringLiteral("%1.%2").arg(port.block, port.port);
    start(place, std::move(where), port.output ? tr("fed by %1").arg(end) : tr("into %1").arg(end));
    emit insertRequested(place);
}

void BlockInserter::askOn(const Connection& wire, QPointF place) {
    m_port.reset();
    m_wire = wire;
    const Json& project = m_session.document().json();
    const Catalog& catalog = m_session.scene().catalog();
    const Fitting ends(project, catalog, {wire});
    const BlockType* source = ends.typeOf(wire.source);
    const BlockType* target = ends.typeOf(wire.target);
    start(place,
          {.after = source ? source->id : std::string(),
           .before = target ? target->id : std::string(),
           .fitting = typesThatFitWire(project, catalog, wire),
           .wanted = ends.typesAt(wire.source, wire.sourcePort, true),
           .onlyFitting = true},
          tr("between %1 and %2").arg(QString::fromStdString(wire.source), QString::fromStdString(wire.target)));
    emit insertRequested(place);
}

bool BlockInserter::insert(const QString& type) {
    const BlockType* found = m_session.scene().catalog().anyBlock(type.toStdString());
    if (found && !m_port && !m_wire) return add(type, m_place);
    return found && (m_port ? insertAt(*found, m_place) : insertInto(*found, m_place, *m_wire));
}

/// Return the free ports of the only selected block, outputs first, because users draw a signal in its direction of
/// flow.
QList<PortRef> BlockInserter::freePorts() const {
    QList<PortRef> free;
    if (const BlockView* block = m_session.scene().block(m_session.selection().onlyBlock()))
        for (const bool output : {true, false})
            for (const PortView& port : output ? block->outputs : block->inputs)
                if (!port.connected) free.append({block->id, port.id, output});
    return free;
}

bool BlockInserter::make(const QString& name, const std::string& id, const BlockType& type, QPointF corner,
                         const Join& join) {
    const bool done = m_session.edit(name, [&](Transaction& t) {
        if (type.entry.is_object()) addGnuradioBlock(t, id, type.entry, corner);
        else addBlock(t, id, type.id, corner);
        join(t);
    });
    if (!done) return false;
    m_session.selection().set({QString::fromStdString(id)});
    m_habits.noteUse(QString::fromStdString(type.id));
    emit m_session.revealRequested(QString::fromStdString(id));
    return true;
}

bool BlockInserter::add(const QString& type, QPointF place) {
    const BlockType* found = m_session.scene().catalog().anyBlock(type.toStdString());
    if (!found) return false;
    const GraphScene& scene = m_session.scene();
    const Fitting fitting(m_session.document().json(), scene.catalog());
    const std::string id = freeBlockId(m_session.document().json(), found->id);
    const BlockView view = futureBlock(*found, id);
    const BlockView* beside = scene.block(m_session.selection().onlyBlock());
    QPointF corner =
        beside ? cornerBeside(view, *beside, true) : snapped(place - QRectF({}, view.rect.size()).center());
    std::optional<Connection> wire;
    for (const PortRef& port : freePorts()) {
        const std::string block = port.block.toStdString();
        const std::string far = port.port.toStdString();
        const auto own =
            portThatTakes(*found, found->itemTypes, fitting.typesAt(block, far, port.output), !port.output);
        if (!own) continue;
        wire = port.output ? Connection{block, far, id, *own} : Connection{id, *own, block, far};
        corner = cornerBeside(view, *beside, port.output, portIndex(port.output ? view.inputs : view.outputs, *own),
                              portIndex(port.output ? beside->outputs : beside->inputs, far));
        break;
    }
    // Numbers are drawn below a block, and a pill above.
    const QPointF lines(0, 1.5 * geometry::kGrid);
    const QPointF free = scene.freePosition(corner - lines, view.rect.size() + QSizeF(0, 2 * lines.y())) + lines;
    return make(tr("Add %1").arg(view.id), id, *found, free, [&](Transaction& t) {
        if (wire) addConnection(t, *wire);
    });
}

bool BlockInserter::insertAt(const BlockType& type, QPointF place) {
    const Json& project = m_session.document().json();
    const std::string id = freeBlockId(project, type.id);
    const ItemTypes wanted = Fitting(project, m_session.scene().catalog(), without(m_wire))
                                 .typesAt(m_port->block.toStdString(), m_port->port.toStdString(), m_port->output);
    const auto port = portThatTakes(type, type.itemTypes, wanted, !m_port->output);
    if (!port) return false;
    const BlockView view = futureBlock(type, id);
    const int index = portIndex(m_port->output ? view.inputs : view.outputs, *port);
    const QPointF end = geometry::portOffset(view, index, !m_port->output);
    const QPointF corner = m_session.scene().freePosition(snapped(place - end), view.rect.size());
    const std::string block = m_port->block.toStdString();
    const std::string far = m_port->port.toStdString();
    const Connection wire = m_port->output ? Connection{block, far, id, *port} : Connection{id, *port, block, far};
    return make(tr("Insert %1").arg(view.id), id, type, corner, [&](Transaction& t) {
        if (m_wire) replaceConnection(t, *m_wire, wire);
        else addConnection(t, wire);
    });
}

QSizeF BlockInserter::sizeOf(const QString& type) const {
    const BlockType* found = m_session.scene().catalog().anyBlock(type.toStdString());
    return found ? futureBlock(*found, freeBlockId(m_session.document().json(), found->id)).rect.size() : QSizeF();
}

} // namespace weir::editor
