// Keyboard control of the lanes: going from bar to bar, selecting, and moving.

#include "features/mapping/lane_view.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {

void LaneView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (key == Qt::Key_Escape && (m_dragging || !m_mapping->selection().isEmpty())) {
        event->setAccepted(m_dragging); // otherwise Escape also closes popups over the lanes
        m_dragging ? cancel() : m_mapping->select({});
        m_anchor.clear();
    } else if (arrow && event->modifiers() & Qt::AltModifier) {
        if (key == Qt::Key_Up || key == Qt::Key_Down) moveToNeighbour(key == Qt::Key_Down);
    } else if (arrow || key == Qt::Key_Home || key == Qt::Key_End) {
        walk(key, event->modifiers());
    } else if (key == Qt::Key_Space && currentPart()) {
        selectPart(*currentPart(), true);
    } else if (key == Qt::Key_Space && current()) {
        selectBar(*current(), true);
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Menu) && !currentPlace().isEmpty()) {
        if (current() && !current()->selected) selectBar(*current(), false);
        openMenu();
    } else {
        event->ignore();
    }
}

void LaneView::openMenu() {
    QRectF place = workerPlace(m_current.worker);
    m_mapping->setMovedWorker(place.isEmpty() ? QString() : m_current.worker);
    const auto& bars = m_mapping->allBars();
    const auto chosen = std::find_if(bars.begin(), bars.end(), [](const LaneBar& bar) { return bar.selected; });
    if (const LaneBar* at = current(); place.isEmpty() && at && at->selected) place = at->rect;
    else if (place.isEmpty() && chosen != bars.end()) place = chosen->rect;
    if (place.isEmpty()) return;
    reveal(place);
    emit menuRequested(place.left(), place.bottom() - m_scrollY);
}

/// Go to the next stop in the direction of the key, if there is one. Without modifiers, select only this bar; with
/// Shift, the bars from the anchor to it, as in lists; with Ctrl, keep the selection.
void LaneView::walk(int key, Qt::KeyboardModifiers modifiers) {
    const bool extends = modifiers & Qt::ShiftModifier;
    if (extends && m_anchor.isEmpty()) m_anchor = m_current.instances;
    if (extends && m_anchor.isEmpty()) return; // a selection begins at a bar only
    if (const auto next = neighbour(key, stops(!extends && key != Qt::Key_Home && key != Qt::Key_End))) {
        setCurrent(*next);
        reveal(next->rect);
    }
    if (modifiers & Qt::ControlModifier && !extends) return;
    if (const LanePart* part = currentPart()) selectPart(*part, false);
    else if (!current()) m_mapping->select({});
    else if (extends) m_mapping->select(fromAnchor());
    else selectBar(*current(), false);
}

/// Return the instances of the bars from the anchor to the current one, inclusive, row by row.
QSet<QString> LaneView::fromAnchor() const {
    QSet<QString> found;
    const QString anchor = m_anchor.isEmpty() ? m_current.instances.first() : m_anchor.first();
    int ends = 0;
    for (const Stop& stop : stops(false)) {
        const int here = stop.instances.contains(anchor) + stop.instances.contains(m_current.instances.first());
        if (ends + here > 0) found.unite({stop.instances.begin(), stop.instances.end()});
        ends += here;
        if (ends == 2) return found;
    }
    return {m_current.instances.begin(), m_current.instances.end()}; // the anchor no longer exists
}

std::vector<LaneView::Stop> LaneView::stops(bool withWorkers) const {
    std::vector<Stop> stops;
    for (const LaneBar& shown : m_mapping->allBars())
        if (!shown.ghost) stops.push_back({shown.rect, shown.instances, {}, {}, shown.call});
    // The keyboard starts at the blocks.
    if (withWorkers && !currentPlace().isEmpty() && m_mapping->plan()) {
        for (const LanePart& part : m_mapping->allParts()) stops.push_back({part.rect, {}, {}, part.key});
        for (const PlannedWorker& worker : m_mapping->plan()->workers)
            if (const QRectF place = workerPlace(worker.name); !place.isEmpty())
                stops.push_back({place, {}, worker.name});
    }
    return stops;
}

std::optional<LaneView::Stop> LaneView::neighbour(int key, const std::vector<Stop>& stops) const {
    if (stops.empty()) return {};
    if (key == Qt::Key_Home || key == Qt::Key_End) return key == Qt::Key_Home ? stops.front() : stops.back();
    const QRectF from = currentPlace();
    const Stop* best = nullptr;
    double nearest = 1e12;
    for (const Stop& stop : stops) {
        const QPointF way = from.isEmpty() ? stop.rect.center() : stop.rect.center() - from.center();
        const bool ahead = from.isEmpty()         ? true
                           : key == Qt::Key_Left  ? way.x() < -1 && std::abs(way.y()) < 1
                           : key == Qt::Key_Right ? way.x() > 1 && std::abs(way.y()) < 1
                           : key == Qt::Key_Up    ? way.y() < -1
                                                  : way.y() > 1;
        // Another row is further away than anything in the same row.
        const double distance = std::abs(way.y()) * 1000 + std::abs(way.x());
        if (ahead && distance < nearest) {
            nearest = distance;
            best = &stop;
        }
    }
    return best ? std::optional(*best) : std::nullopt;
}

void LaneView::moveToNeighbour(bool down) {
    const QRectF place = currentPlace();
    if (place.isEmpty()) return;
    const QString moved = current() ? QString() : m_current.worker;
    if (current() && !current()->selected) selectBar(*current(), false);
    // The next place that accepts it: a worker, or a CPU without one; for a worker, any other CPU.
    const qreal from = place.center().y();
    QList<std::pair<qreal, DropTarget>> places;
    for (const Lane& lane : m_mapping->allLanes()) {
        const bool isHere = lane.rect.contains(lane.rect.center().x(), from);
        for (const LaneRow& row : lane.rows)
            if (moved.isEmpty() && !row.rect.contains(row.rect.center().x(), from) && !row.worker.isEmpty() &&
                !row.echo)
                places.append({row.rect.center().y(), {DropTarget::Kind::Worker, row.worker, -1}});
        if ((moved.isEmpty() ? lane.rows.empty() : !isHere) && lane.kind == Lane::Kind::Cpu && lane.usable)
            places.append({lane.rect.center().y(), {DropTarget::Kind::Cpu, {}, lane.cpu}});
        if (lane.kind == Lane::Kind::NewWorker && moved.isEmpty())
            places.append({lane.rect.center().y(), {DropTarget::Kind::NewWorker, {}, -1}});
    }
    places.removeIf([&](const auto& place) { return down ? place.first <= from : place.first >= from; });
    if (places.isEmpty()) return;
    const auto byHeight = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto next = down ? std::min_element(places.begin(), places.end(), byHeight)
                           : std::max_element(places.begin(), places.end(), byHeight);
    m_mapping->drop(next->second, moved);
    reveal(currentPlace());
}

} // namespace weir::editor
