#include "features/canvas/graph_view.h"

#include "core/graph/node_geometry.h"
#include "features/canvas/block_inserter.h"
#include "features/canvas/canvas_gestures.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Handle keys while ports are being connected: they step through ports instead of moving blocks. Return false for
/// other keys.
bool handleConnecting(KeyConnection& connection, int key) {
    switch (key) {
        case Qt::Key_Down:
        case Qt::Key_Tab: connection.walkTargets(1); return true;
        case Qt::Key_Up:
        case Qt::Key_Backtab: connection.walkTargets(-1); return true;
        case Qt::Key_Right: connection.walkOrigins(1); return true;
        case Qt::Key_Left: connection.walkOrigins(-1); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: connection.accept(); return true;
        case Qt::Key_Escape: connection.cancel(); return true;
        default: return false;
    }
}

/// Return the place of the selection's menu, in coordinates of the view: below the selection, so that it stays visible.
QPointF menuPlace(const GraphView& view) {
    const GraphScene& scene = view.session()->scene();
    const Selection& selection = view.session()->selection();
    QRectF around;
    for (const QString& id : selection.blocks())
        if (const BlockView* block = scene.block(id); block && (around.isNull() || id == view.walkedBlock()))
            around = block->rect;
    for (const WireView& wire : scene.wires())
        if (around.isNull() && selection.wires().contains(wire.connection))
            around = QRectF((wire.from + wire.to) / 2, QSizeF(1, 1));
    for (const FrameView& frame : scene.frames())
        if (around.isNull() && selection.decor().contains({DecorKind::Frame, frame.key})) around = frame.rect;
    for (const NoteView& note : scene.notes())
        if (around.isNull() && selection.decor().contains({DecorKind::Note, note.key})) around = note.rect;
    const QRectF seen =
        view.boundingRect().marginsRemoved({geometry::kGrid, geometry::kGrid, geometry::kGrid, geometry::kGrid});
    const QPointF place = around.isNull() ? seen.center() : view.toView(around.bottomLeft());
    return {std::clamp(place.x(), seen.left(), seen.right()), std::clamp(place.y(), seen.top(), seen.bottom())};
}

bool hasOpenOutput(const BlockView& block) {
    return std::any_of(block.outputs.begin(), block.outputs.end(),
                       [](const PortView& port) { return !port.connected; });
}

}  // namespace

/// Return the block to insert after: the selected one. Without one, keys use the only block with an open stream; a
/// click uses its own place.
QString GraphView::insertsAfter(bool byKeys) const {
    const Selection& selection = session()->selection();
    if (!selection.isEmpty() || !byKeys) return selection.onlyBlock();
    const auto& blocks = session()->scene().blocks();
    const auto first = std::find_if(blocks.begin(), blocks.end(), hasOpenOutput);
    return first == blocks.end() || std::any_of(std::next(first), blocks.end(), hasOpenOutput) ? QString() : first->id;
}

void GraphView::insertFromKeyboard(bool byKeys) {
    if (const QString after = insertsAfter(byKeys); !after.isEmpty()) session()->selection().set({after});
    // Open it beside the preceding block, which stays visible.
    if (const BlockView* block = session()->scene().block(session()->selection().onlyBlock())) {
        m_tools->inserter()->ask(block->rect.topRight() + QPointF(geometry::kGrid, 0));
        return;
    }
    const QPointF middle(width() / 2, height() / 2);
    m_tools->inserter()->ask(toScene(contains(m_gestures->pointer()) ? m_gestures->pointer() : middle));
}

GraphView::TabKey GraphView::tabDoes() const {
    if (session()->selection().isEmpty()) return TabKey::Inserts;
    if (m_walk->hasNext()) return TabKey::Walks;
    const BlockView* block = session()->scene().block(session()->selection().onlyBlock());
    return block && hasOpenOutput(*block) ? TabKey::Inserts : TabKey::Leaves;
}

QString GraphView::tabWords() const {
    if (!m_tools || !m_usesKeys || m_gestures->keyConnection().isActive()) return {};
    switch (tabDoes()) {
        case TabKey::Inserts: {
            const QString after = insertsAfter(m_usesKeys);
            return after.isEmpty() ? tr("Tab: insert a block") : tr("Tab: insert a block after %1").arg(after);
        }
        case TabKey::Walks: return tr("Tab: next block · Ins: insert one");
        case TabKey::Leaves: break;
    }
    return {};
}

void GraphView::focusInEvent(QFocusEvent* event) {
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) setUsesKeys(true);
    QQuickItem::focusInEvent(event);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    const bool wasByKeys = m_usesKeys;
    setUsesKeys(true);
    if (m_gestures->isWireClicked()) {
        m_gestures->cancel();
        if (event->key() == Qt::Key_Escape) return;
    }
    if (m_gestures->keyConnection().isActive() && handleConnecting(m_gestures->keyConnection(), event->key())) return;
    const KeyWalk::Selecting selecting = KeyWalk::selectingWith(event->modifiers());
    // Arrows select, as in Mapping and in lists, and change nothing. With Alt they move the selection.
    const auto arrow = [&](int x, int y) {
        if (event->modifiers() & Qt::AltModifier) session()->moveSelection(QPointF(x, y) * geometry::kGrid, true);
        else if (session()->selection().isEmpty() && m_walk->at().isEmpty()) m_walk->toEnd(-1, selecting);
        else m_walk->step(x + y, selecting);
    };
    switch (event->key()) {
        case Qt::Key_Tab:
            switch (tabDoes()) {
                case TabKey::Inserts: return insertFromKeyboard(wasByKeys);
                case TabKey::Walks: m_walk->step(1, KeyWalk::Selecting::Only); return;
                case TabKey::Leaves: return event->ignore();
            }
            return;
        case Qt::Key_Backtab:
            if (session()->selection().isEmpty() || !m_walk->step(-1, KeyWalk::Selecting::Only)) event->ignore();
            return;
        case Qt::Key_Home: m_walk->toEnd(-1, selecting); return;
        case Qt::Key_End: m_walk->toEnd(1, selecting); return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!session()->selection().onlyBlock().isEmpty()) emit session() -> fieldsRequested();
            else event->ignore();
            return;
        case Qt::Key_Left: arrow(-1, 0); return;
        case Qt::Key_Right: arrow(1, 0); return;
        case Qt::Key_Up: arrow(0, -1); return;
        case Qt::Key_Down: arrow(0, 1); return;
        case Qt::Key_Menu: emit menuRequested(menuPlace(*this)); return;
        case Qt::Key_F10:
            if (event->modifiers() == Qt::ShiftModifier) emit menuRequested(menuPlace(*this));
            else event->ignore();
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomBy(kZoomStep); return;
        case Qt::Key_Minus: zoomBy(1 / kZoomStep); return;
        case Qt::Key_0: fit(); return;
        case Qt::Key_1: resetZoom(); return;
        case Qt::Key_Space:
            if (event->modifiers() & Qt::ControlModifier) m_walk->toggle();
            else m_gestures->setPanKeyHeld(true);
            return;
        case Qt::Key_Escape:
            if (m_tools->unfolding()->isOpen()) {
                m_tools->unfolding()->fold();
            } else if (m_gestures->isIdle()) {
                session()->selection().clear();
                m_walk->leave();
                event->ignore();  // also closes popups over the graph
            }
            m_gestures->cancel();
            return;
        default: break;
    }
    QQuickItem::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) m_gestures->setPanKeyHeld(false);
    else QQuickItem::keyReleaseEvent(event);
}

}  // namespace weir::editor
