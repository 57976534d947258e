// The lanes by keyboard: going from bar to bar, selecting, and moving.

#include "lane_view.h"

#include <algorithm>
#include <cmath>

using namespace weir::editor;

void LaneView::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (key == Qt::Key_Escape && (m_dragging || !m_mapping->selection().isEmpty())) {
        event->setAccepted(m_dragging); // else what is open over the lanes closes, too
        m_dragging ? cancel() : m_mapping->select({});
    } else if (arrow && event->modifiers() & Qt::AltModifier) {
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            moveToNeighbour(key == Qt::Key_Down);
    } else if (arrow || key == Qt::Key_Home || key == Qt::Key_End) {
        walk(key, event->modifiers());
    } else if (key == Qt::Key_Space && current()) {
        selectBar(current()->bar, true);
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Menu) && current()) {
        if (!m_mapping->barModel().isSelected(current()->bar))
            selectBar(current()->bar, false);
        openMenu();
    } else {
        event->ignore();
    }
}

void LaneView::openMenu()
{
    const auto &bars = m_mapping->barModel().bars();
    const auto isChosen = [this](const ShownBar &shown) { return !shown.bar.ghost && m_mapping->barModel().isSelected(shown.bar); };
    const ShownBar *at = current();
    if (!at || !isChosen(*at)) {
        const auto chosen = std::find_if(bars.begin(), bars.end(), isChosen);
        at = chosen == bars.end() ? nullptr : &*chosen;
    }
    if (!at)
        return;
    reveal(at->bar.rect);
    emit menuRequested(at->bar.rect.left(), at->bar.rect.bottom() - m_scrollY);
}

/// To the bar that the key leads to, if there is one. Alone it is selected alone, with Shift it is added to where one
/// came from, with Ctrl the selection stays.
void LaneView::walk(int key, Qt::KeyboardModifiers modifiers)
{
    const QStringList from = m_current;
    if (const ShownBar *next = key == Qt::Key_Home || key == Qt::Key_End ? endBar(key == Qt::Key_End) : neighbour(key)) {
        setCurrent(next->bar.instances);
        reveal(next->bar.rect);
    }
    if (!current() || (modifiers & Qt::ControlModifier && !(modifiers & Qt::ShiftModifier)))
        return;
    if (!(modifiers & Qt::ShiftModifier)) {
        selectBar(current()->bar, false);
        return;
    }
    QSet<QString> selected = m_mapping->selection();
    for (const QStringList &instances : {from, m_current})
        selected.unite({instances.begin(), instances.end()});
    m_mapping->select(selected);
}

const ShownBar *LaneView::endBar(bool last) const
{
    const ShownBar *found = nullptr;
    for (const ShownBar &shown : m_mapping->barModel().bars())
        if (!shown.bar.ghost && (last || !found))
            found = &shown;
    return found;
}

const ShownBar *LaneView::neighbour(int key) const
{
    const auto &bars = m_mapping->barModel().bars();
    const ShownBar *from = current();
    const ShownBar *best = nullptr;
    double nearest = 1e12;
    for (const ShownBar &shown : bars) {
        if (shown.bar.ghost || &shown == from)
            continue;
        const QPointF way = from ? shown.bar.rect.center() - from->bar.rect.center() : shown.bar.rect.center();
        const bool ahead = !from ? true
                           : key == Qt::Key_Left  ? way.x() < 0 && std::abs(way.y()) < 1
                           : key == Qt::Key_Right ? way.x() > 0 && std::abs(way.y()) < 1
                           : key == Qt::Key_Up    ? way.y() < -1
                                                  : way.y() > 1;
        // A row is further away than anything within a row.
        const double distance = std::abs(way.y()) * 1000 + std::abs(way.x());
        if (ahead && distance < nearest) {
            nearest = distance;
            best = &shown;
        }
    }
    return best;
}

void LaneView::moveToNeighbour(bool down)
{
    const ShownBar *shown = current();
    if (!shown)
        return;
    if (!m_mapping->barModel().isSelected(shown->bar))
        selectBar(shown->bar, false);
    // The next place that would take the bars: a worker, or a CPU that has none.
    const qreal from = shown->bar.rect.center().y();
    QList<std::pair<qreal, DropTarget>> places;
    for (const Lane &lane : m_mapping->laneModel().lanes()) {
        for (const LaneRow &row : lane.rows)
            if (!row.rect.contains(row.rect.center().x(), from) && !row.worker.isEmpty() && !row.echo)
                places.append({row.rect.center().y(), {DropTarget::Kind::Worker, row.worker, -1}});
        if (lane.rows.empty() && lane.kind == Lane::Kind::Cpu && lane.usable)
            places.append({lane.rect.center().y(), {DropTarget::Kind::Cpu, {}, lane.cpu}});
        if (lane.kind == Lane::Kind::NewWorker)
            places.append({lane.rect.center().y(), {DropTarget::Kind::NewWorker, {}, -1}});
    }
    places.removeIf([&](const auto &place) { return down ? place.first <= from : place.first >= from; });
    if (places.isEmpty())
        return;
    const auto byHeight = [](const auto &a, const auto &b) { return a.first < b.first; };
    const auto place = down ? std::min_element(places.begin(), places.end(), byHeight) : std::max_element(places.begin(), places.end(), byHeight);
    m_mapping->drop(place->second);
    reveal(current() ? current()->bar.rect : QRectF());
}
