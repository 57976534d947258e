#include "features/decor/decor_controller.h"

#include "core/decor/decor_edits.h"
#include "core/graph/node_geometry.h"
#include "core/graph/wire_geometry.h"
#include "shell/session/session.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr QSizeF kNewFrame{400, 240};
constexpr QSizeF kNewNote{240, 100};
constexpr qreal kFrameMargin = 20;
constexpr qreal kInLine = 5; ///< a point closer to the straight line is no corner

QRectF snapped(QRectF rect) {
    const auto down = [](qreal value) { return std::floor(value / geometry::kGrid) * geometry::kGrid; };
    const auto up = [](qreal value) { return std::ceil(value / geometry::kGrid) * geometry::kGrid; };
    return {QPointF(down(rect.left()), down(rect.top())), QPointF(up(rect.right()), up(rect.bottom()))};
}

QRectF around(QPointF middle, QSizeF size) {
    return snapped(QRectF(middle - QPointF(size.width(), size.height()) / 2, size));
}

} // namespace

DecorController::DecorController(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(this, &DecorController::chosenChanged, this, &DecorController::updateParts);
    connect(&session.selection(), &Selection::changed, this, &DecorController::chosenChanged);
    connect(&session.scene(), &GraphScene::moved, this, &DecorController::chosenChanged);
    connect(&session.scene(), &GraphScene::changed, this, [this] {
        collectItemTypes();
        emit chosenChanged();
        if (m_edited && !isThere(*m_edited)) cancelEditing();
    });
    registerActions();
}

void DecorController::collectItemTypes() {
    QSet<QString> used;
    for (const WireView& wire : m_session.scene().wires())
        if (!wire.itemType.isEmpty()) used.insert(wire.itemType);
    QStringList types(used.begin(), used.end());
    types.sort();
    if (types == m_itemTypes) return;
    m_itemTypes = types;
    emit itemTypesChanged();
}

void DecorController::updateParts() {
    std::vector<DecorRow> rows;
    const auto& chosen = m_session.selection().decor();
    for (const FrameView& frame : m_session.scene().frames())
        rows.push_back({QStringLiteral("frame"), QString::fromStdString(frame.key), frame.title, frame.rect,
                        chosen.contains({DecorKind::Frame, frame.key})});
    for (const NoteView& note : m_session.scene().notes())
        rows.push_back({QStringLiteral("note"), QString::fromStdString(note.key), note.text, note.rect,
                        chosen.contains({DecorKind::Note, note.key})});
    m_parts.setRows(std::move(rows));
}

std::vector<DecorId> DecorController::chosenParts() const {
    std::vector<DecorId> parts;
    for (const DecorId& part : m_session.selection().decor())
        if (part.kind != DecorKind::Point) parts.push_back(part);
    return parts;
}

QString DecorController::chosenKind() const {
    const auto parts = chosenParts();
    return parts.empty()                            ? QString()
           : parts.size() > 1                       ? QStringLiteral("several")
           : parts.front().kind == DecorKind::Frame ? QStringLiteral("frame")
                                                    : QStringLiteral("note");
}

QString DecorController::colour() const {
    QString common;
    for (const DecorId& part : chosenParts()) {
        const FrameView* frame = part.kind == DecorKind::Frame ? m_session.scene().frame(part.key) : nullptr;
        const NoteView* note = part.kind == DecorKind::Note ? m_session.scene().note(part.key) : nullptr;
        const QString colour = frame ? frame->colour : note ? note->colour : QString();
        if (!common.isEmpty() && colour != common) return {};
        common = colour;
    }
    return common;
}

QRectF DecorController::chosenRect() const {
    const auto parts = chosenParts();
    const bool alone =
        parts.size() == 1 && m_session.selection().decor().size() == 1 && m_session.selection().blocks().isEmpty();
    return alone ? m_session.scene().rectOf(parts.front()).value_or(QRectF()) : QRectF();
}

void DecorController::frameSelection(QPointF place) {
    QRectF inside;
    for (const QString& id : m_session.selection().blocks())
        if (const BlockView* block = m_session.scene().block(id)) inside |= block->rect;
    for (const DecorId& part : chosenParts()) inside |= m_session.scene().rectOf(part).value_or(QRectF());
    const QRectF rect =
        inside.isEmpty()
            ? around(place, kNewFrame)
            : snapped(inside.adjusted(-kFrameMargin, -kFrameMargin - decor::kFrameHeader, kFrameMargin, kFrameMargin));
    std::string key;
    const QString mergeKey = QStringLiteral("frame-made-%1").arg(++m_made);
    if (!m_session.edit(
            tr("Add frame"), [&](Transaction& t) { key = decor::addFrame(t, tr("Frame"), rect); }, mergeKey))
        return;
    m_session.selection().set({}, {}, {{DecorKind::Frame, key}});
    edit({Edited::Frame, key, mergeKey});
}

void DecorController::addNote(QPointF place) {
    std::string key;
    const QString mergeKey = QStringLiteral("note-made-%1").arg(++m_made);
    const QRectF rect = around(place, kNewNote);
    if (!m_session.edit(tr("Add note"), [&](Transaction& t) { key = decor::addNote(t, {}, rect); }, mergeKey)) return;
    m_session.selection().set({}, {}, {{DecorKind::Note, key}});
    edit({Edited::Note, key, mergeKey});
}

void DecorController::setColour(const QString& colour) {
    m_session.edit(tr("Colour"), [&](Transaction& t) {
        for (const DecorId& part : chosenParts()) decor::setColour(t, part, colour);
    });
}

void DecorController::resize(const DecorId& part, QRectF rect) {
    m_session.edit(tr("Resize"), [&](Transaction& t) { decor::setRect(t, part, rect); });
}

void DecorController::addPoint(const WireView& wire, QPointF place) {
    const int index = geometry::pointsBefore(place, wire.via, wire.path);
    QList<QPointF> points = wire.via;
    points.insert(index, place);
    const std::string key = decor::wireKey(wire.connection);
    if (m_session.edit(tr("Add a point to the wire"), [&](Transaction& t) { decor::setPoints(t, key, points); }))
        m_session.selection().set({}, {}, {{DecorKind::Point, key, index}});
}

void DecorController::movePoint(const DecorId& point, QPointF offset) {
    const WireView* wire = m_session.scene().wire(point.key);
    if (!wire || point.index >= wire->via.size() || offset.isNull()) return;
    QList<QPointF> points = wire->via;
    points[point.index] += offset;
    const bool superfluous = geometry::isInLine(point.index, wire->from, wire->to, points, kInLine);
    if (superfluous) points.removeAt(point.index);
    m_session.edit(superfluous ? tr("Remove a point of the wire") : tr("Move a point of the wire"),
                   [&](Transaction& t) { decor::setPoints(t, point.key, points); });
}

void DecorController::registerActions() {
    Actions& actions = m_session.actions();
    const auto add = [&actions](const char* id, const QString& title, const QStringList& keys, auto enabled, auto run,
                                const QString& hint = {}) {
        actions.add({.id = QLatin1String(id),
                     .group = ActionGroup::Graph,
                     .title = title,
                     .shortcuts = keys,
                     .enabled = enabled,
                     .run = run,
                     .hint = hint});
    };
    const auto onCanvas = [this] { return m_session.view() == QLatin1String("canvas"); };
    const auto named = [this] {
        return chosenKind() == QLatin1String("frame") || (chosenKind().isEmpty() && chosenGroup());
    };
    const auto edit = [this] { editChosen(); };
    add(
        "graph.frame", tr("Add a frame"), {QStringLiteral("Ctrl+Alt+G")}, onCanvas, [this] { frameSelection(place()); },
        tr("A frame with a title around the selected blocks. It moves its content and does not change the run. "
           "A group makes blocks one unit that can be repeated."));
    add("graph.rename", tr("Rename the group or frame…"), {QStringLiteral("F2")}, named, edit);
    add("graph.edit_note", tr("Edit the note"), {}, [this] { return chosenKind() == QLatin1String("note"); }, edit);
    add("graph.note", tr("Add a note"), {QStringLiteral("Ctrl+Shift+M")}, onCanvas, [this] { addNote(place()); });
    add(
        "graph.comment", tr("Comment on the block"), {QStringLiteral("Ctrl+Shift+K")},
        [this] { return !m_session.selection().onlyBlock().isEmpty(); }, [this] { editComment(); });
    actions.add({.id = QStringLiteral("view.minimap"),
                 .group = ActionGroup::View,
                 .title = tr("Map of the graph"),
                 .shortcuts = {QStringLiteral("M")},
                 .run =
                     [this] {
                         m_minimap = !m_minimap;
                         emit minimapChanged();
                     },
                 .checked = [this] { return m_minimap; },
                 .canvas = true});
}

} // namespace weir::editor
