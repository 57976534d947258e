#include "graph_view.h"

#include "block_inserter.h"
#include "canvas_gestures.h"
#include "node_geometry.h"
#include "signal_order.h"

#include <algorithm>

using namespace weir::editor;

namespace {

/// Keys while ports are being joined by keyboard: they walk the ports instead of moving blocks. False for any other.
bool handleConnecting(KeyConnection &connection, int key)
{
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Tab:
        connection.walkTargets(1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Backtab:
        connection.walkTargets(-1);
        return true;
    case Qt::Key_Right:
        connection.walkOrigins(1);
        return true;
    case Qt::Key_Left:
        connection.walkOrigins(-1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        connection.accept();
        return true;
    case Qt::Key_Escape:
        connection.cancel();
        return true;
    default:
        return false;
    }
}

} // namespace

bool GraphView::walkBlocks(int step)
{
    const QStringList order = signalOrder(session()->scene());
    const QString current = session()->selection().onlyBlock();
    const auto at = order.indexOf(current);
    const auto next = at < 0 ? (step > 0 ? 0 : order.size() - 1) : at + step;
    if (next < 0 || next >= order.size())
        return false;
    session()->goTo(order[next]);
    return true;
}

void GraphView::insertFromKeyboard()
{
    // Beside what it follows, which stays in sight.
    if (const BlockView *block = session()->scene().block(session()->selection().onlyBlock())) {
        m_tools->inserter()->ask(block->rect.topRight() + QPointF(geometry::kGrid, 0));
        return;
    }
    const QPointF middle(width() / 2, height() / 2);
    m_tools->inserter()->ask(toScene(contains(m_gestures->pointer()) ? m_gestures->pointer() : middle));
}

/// Where the signal ends at an open output, the next block is what one goes on to.
bool GraphView::insertFollowing()
{
    const BlockView *block = session()->scene().block(session()->selection().onlyBlock());
    if (!block || std::all_of(block->outputs.begin(), block->outputs.end(), [](const PortView &port) { return port.connected; }))
        return false;
    insertFromKeyboard();
    return true;
}

void GraphView::keyPressEvent(QKeyEvent *event)
{
    setUsesKeys(true);
    if (m_gestures->keyConnection().isActive() && handleConnecting(m_gestures->keyConnection(), event->key()))
        return;
    const auto nudge = [this](double x, double y) { session()->moveSelection(QPointF(x, y) * geometry::kGrid, true); };
    switch (event->key()) {
    case Qt::Key_Tab:
        if (session()->selection().isEmpty())
            insertFromKeyboard();
        else if (!walkBlocks(1) && !insertFollowing())
            event->ignore();
        return;
    case Qt::Key_Backtab:
        if (session()->selection().isEmpty() || !walkBlocks(-1))
            event->ignore();
        return;
    case Qt::Key_Home:
        session()->selection().clear();
        walkBlocks(1);
        return;
    case Qt::Key_End:
        session()->selection().clear();
        walkBlocks(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!session()->selection().onlyBlock().isEmpty())
            emit session()->fieldsRequested();
        else
            event->ignore();
        return;
    case Qt::Key_Left:
        nudge(-1, 0);
        return;
    case Qt::Key_Right:
        nudge(1, 0);
        return;
    case Qt::Key_Up:
        nudge(0, -1);
        return;
    case Qt::Key_Down:
        nudge(0, 1);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kZoomStep);
        return;
    case Qt::Key_Minus:
        zoomBy(1 / kZoomStep);
        return;
    case Qt::Key_0:
        fit();
        return;
    case Qt::Key_1:
        resetZoom();
        return;
    case Qt::Key_Space:
        m_gestures->setPanKeyHeld(true);
        return;
    case Qt::Key_Escape:
        if (m_tools->unfolding()->isOpen())
            m_tools->unfolding()->fold();
        else if (m_gestures->isIdle())
            session()->selection().clear();
        m_gestures->cancel();
        return;
    default:
        break;
    }
    QQuickItem::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_gestures->setPanKeyHeld(false);
    else
        QQuickItem::keyReleaseEvent(event);
}
