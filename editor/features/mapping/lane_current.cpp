// Keyboard focus in the lanes, and the selection that follows it.

#include "features/mapping/lane_view.h"

#include <algorithm>
#include <tuple>

namespace weir::editor {
namespace {

QSet<QString> setOf(const QStringList& list) { return {list.begin(), list.end()}; }

} // namespace

void LaneView::setCurrent(const Stop& stop) {
    const auto keyOf = [](const Stop& it) { return std::tie(it.instances, it.worker, it.part, it.call); };
    if (keyOf(m_current) == keyOf(stop)) return;
    m_current = stop;
    emit currentChanged();
}

const LaneBar* LaneView::current() const {
    if (!m_mapping || m_current.instances.isEmpty()) return nullptr;
    const auto& bars = m_mapping->allBars();
    const auto isIt = [this](const LaneBar& shown) {
        return !shown.ghost && shown.instances.contains(m_current.instances.first());
    };
    auto it = std::find_if(bars.begin(), bars.end(),
                           [&](const LaneBar& shown) { return isIt(shown) && shown.call == m_current.call; });
    if (it == bars.end()) it = std::find_if(bars.begin(), bars.end(), isIt);
    return it == bars.end() ? nullptr : &*it;
}

const LanePart* LaneView::currentPart() const {
    if (m_mapping && !m_current.part.isEmpty())
        for (const LanePart& part : m_mapping->allParts())
            if (part.key == m_current.part) return &part;
    return nullptr;
}

/// Return the position of a worker's name, level with its first bars; empty if there is no such worker.
QRectF LaneView::workerPlace(const QString& worker) const {
    if (m_mapping && !worker.isEmpty())
        for (const Lane& lane : m_mapping->allLanes())
            for (const LaneRow& row : lane.rows)
                if (row.worker == worker && !row.echo)
                    return {lanes::kHeader + 8, row.rect.top() + lanes::kPadding + row.lead, lanes::kLabel - 22,
                            lanes::kBar};
    return {};
}

QRectF LaneView::currentPlace() const {
    if (const LanePart* part = currentPart()) return part->rect;
    const LaneBar* shown = current();
    return shown ? shown->rect : workerPlace(m_current.worker);
}

QRectF LaneView::currentRect() const {
    const QRectF place = currentPlace();
    return place.isEmpty() ? QRectF() : place.translated(0, -m_scrollY);
}

QString LaneView::currentName() const {
    const auto inALine = [](QString text) { return text.replace(u'\n', QStringLiteral(", ")); };
    if (const LanePart* part = currentPart()) return inALine(part->text);
    const LaneBar* shown = current();
    if (!shown && !m_current.worker.isEmpty()) return tr("worker %1").arg(m_current.worker);
    if (!shown) return {};
    const QString name = tr("%1 on %2").arg(shown->title, shown->worker);
    return shown->text.isEmpty() ? name : name + QStringLiteral(", ") + inALine(shown->text);
}

QSet<QString> LaneView::selectionWith(const QStringList& instances, bool add) const {
    QSet<QString> selected = add ? m_mapping->selection() : QSet<QString>();
    if (add && m_mapping->selection().contains(setOf(instances))) selected.subtract(setOf(instances));
    else selected.unite(setOf(instances));
    return selected;
}

void LaneView::selectPart(const LanePart& part, bool add) {
    const QSet<QString> selected = selectionWith(part.writers, add);
    m_anchor.clear();
    setCurrent({part.rect, {}, {}, part.key});
    m_mapping->select(selected);
}

void LaneView::selectBar(const LaneBar& bar, bool add) {
    const QSet<QString> selected = selectionWith(bar.instances, add);
    m_anchor = bar.instances;
    setCurrent({bar.rect, bar.instances, {}, {}, bar.call});
    m_mapping->select(selected);
}

} // namespace weir::editor
