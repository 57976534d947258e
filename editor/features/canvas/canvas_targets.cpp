// Hit tests of the canvas: targets of a click, a double click and the right button.
#include "features/canvas/canvas_gestures.h"

#include "features/canvas/block_inserter.h"
#include "features/canvas/canvas_tools.h"
#include "features/canvas/graph_view.h"
#include "features/decor/decor_controller.h"
#include "shell/session/session.h"

#include <QMouseEvent>

namespace weir::editor {
namespace {

constexpr qreal kTitleReach = 18; ///< pixels: the height of group titles at every zoom

} // namespace

/// Return the topmost frame, note or group at a point of the scene.
std::optional<DecorId> CanvasGestures::partAt(QPointF point) const {
    const GraphScene& scene = session().scene();
    const double reach = kWireReach / m_view.zoom();
    if (const auto reroute = scene.rerouteAt(point, reach + 2)) return reroute;
    if (const NoteView* note = scene.noteAt(point)) return DecorId{DecorKind::Note, note->key};
    if (scene.wireAt(point, reach)) return {};
    const FrameView* frame = scene.frameAt(point, reach / 2);
    return frame ? std::optional(DecorId{DecorKind::Frame, frame->key}) : std::nullopt;
}

const GroupView* CanvasGestures::groupAt(QPointF point) const {
    return session().scene().groupAt(point, kTitleReach / m_view.zoom());
}

/// Press the title of a group, which selects all its blocks.
void CanvasGestures::pressGroup(const GroupView& group, bool additive) {
    m_pressedGroup = group.blocks;
    m_pressedBlock = *group.blocks.begin();
    if (!session().selection().blocks().contains(group.blocks))
        session().selection().set(m_selectedBefore + group.blocks, {}, additive ? m_partsBefore : std::set<DecorId>());
}

void CanvasGestures::requestMenu() {
    const QPointF point = m_view.toScene(m_pointer);
    Selection& selection = session().selection();
    const BlockView* block = session().scene().blockAt(point);
    const auto part = block ? std::nullopt : partAt(point);
    const WireView* wire = block || part ? nullptr : session().scene().wireAt(point, kWireReach / m_view.zoom());
    const GroupView* group = block || part || wire ? nullptr : groupAt(point);
    if (block && !selection.blocks().contains(block->id)) selection.set({block->id});
    else if (group && !selection.blocks().contains(group->blocks)) selection.set(group->blocks);
    else if (part && !selection.decor().contains(*part)) selection.set({}, {}, {*part});
    else if (wire && !selection.wires().contains(wire->connection)) selection.set({}, {wire->connection});
    else if (!block && !part && !wire && !group) selection.clear();
    emit menuRequested(m_pointer);
}

void CanvasGestures::doubleClick(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || portNear(event.position())) return;
    const QPointF point = m_view.toScene(event.position());
    if (session().scene().blockAt(point)) {
        emit session().fieldsRequested();
        return;
    }
    const auto part = partAt(point);
    const WireView* wire = part ? nullptr : session().scene().wireAt(point, kWireReach / m_view.zoom());
    if (part) tools().decor().beginEditing(*part);
    else if (wire) tools().decor().addPoint(*wire, point);
    else if (const GroupView* group = groupAt(point)) tools().decor().editGroup(group->id);
    else tools().inserter()->ask(point);
}

} // namespace weir::editor
