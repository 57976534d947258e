#include "features/mapping/lane_view.h"

#include <QGuiApplication>
#include <QStyleHints>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

constexpr qreal kRegionStep = 400; ///< small scrolls create no delegates
constexpr qreal kWireReach = 5;
constexpr qreal kEdge = 28; ///< a drag this close to an edge scrolls
constexpr std::chrono::milliseconds kScrollTick{30};

} // namespace

LaneView::LaneView(QQuickItem* parent) : QQuickItem(parent) {
    setAcceptedMouseButtons(Qt::LeftButton | Qt::RightButton);
    setAcceptHoverEvents(true);
    setActiveFocusOnTab(true);
    setClip(true);
    m_scrollTick.setInterval(kScrollTick);
    connect(&m_scrollTick, &QTimer::timeout, this, [this] {
        setScrollY(m_scrollY + edgeStep());
        drag(m_pointer);
    });
}

void LaneView::setMapping(MappingController* mapping) {
    if (m_mapping == mapping) return;
    m_mapping = mapping;
    connect(mapping, &MappingController::changed, this, &LaneView::follow);
    mapping->setWidth(width());
    updateRegion();
    emit mappingChanged();
}

void LaneView::follow() {
    setScrollY(m_scrollY);
    updateRegion();
    emit scrolled();
    emit currentChanged();
}

void LaneView::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) {
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (!m_mapping) return;
    m_mapping->setWidth(newGeometry.width());
    follow();
}

qreal LaneView::contentHeight() const {
    const auto* lanes = m_mapping ? &m_mapping->allLanes() : nullptr;
    return lanes && !lanes->empty() ? lanes->back().rect.bottom() : 0;
}

void LaneView::setScrollY(qreal y) {
    const qreal limited = std::clamp(y, 0.0, std::max(0.0, contentHeight() - height()));
    if (m_scrollY == limited) return;
    m_scrollY = limited;
    updateRegion();
    emit scrolled();
    emit gestureChanged();
    emit currentChanged();
}

void LaneView::updateRegion() {
    if (m_mapping)
        m_mapping->setRegion({std::floor(m_scrollY / kRegionStep) * kRegionStep - kRegionStep,
                              std::ceil((m_scrollY + height()) / kRegionStep) * kRegionStep + kRegionStep});
}

void LaneView::reveal(const QRectF& rect) {
    if (rect.top() < m_scrollY) setScrollY(rect.top() - lanes::kHeading);
    else if (rect.bottom() > m_scrollY + height()) setScrollY(rect.bottom() - height() + lanes::kPadding);
}

const LaneBar* LaneView::barAt(QPointF content) const {
    if (m_mapping)
        for (const LaneBar& shown : m_mapping->allBars())
            if (!shown.ghost && shown.rect.contains(content)) return &shown;
    return nullptr;
}

const LanePart* LaneView::partAt(QPointF content) const {
    if (m_mapping)
        for (const LanePart& part : m_mapping->allParts())
            if (part.rect.contains(content)) return &part;
    return nullptr;
}

QString LaneView::workerLabelAt(QPointF content) const {
    if (!m_mapping || content.x() < lanes::kHeader || content.x() > lanes::kHeader + lanes::kLabel - 8) return {};
    for (const Lane& lane : m_mapping->allLanes())
        for (const LaneRow& row : lane.rows)
            if (row.rect.contains(content) && !row.echo) return row.worker;
    return {};
}

DropTarget LaneView::targetAt(QPointF point, QRectF* rect) const {
    using Kind = DropTarget::Kind;
    const QPointF content = toContent(point);
    if (!m_mapping) return {};
    for (const Lane& lane : m_mapping->allLanes()) {
        if (!lane.rect.contains(content)) continue;
        if (rect) *rect = lane.rect;
        if (lane.kind == Lane::Kind::NewWorker) return {Kind::NewWorker, {}, -1};
        if (lane.kind == Lane::Kind::Pool) return {};
        for (const LaneRow& row : lane.rows)
            if (m_draggedWorker.isEmpty() && row.rect.contains(content) && !row.worker.isEmpty() &&
                m_mapping->plan()->worker(row.worker)) {
                if (rect) *rect = row.rect;
                return {Kind::Worker, row.worker, -1};
            }
        if (lane.kind == Lane::Kind::AnyCpu) return {Kind::AnyCpu, {}, -1};
        return lane.kind == Lane::Kind::Cpu ? DropTarget{Kind::Cpu, {}, lane.cpu} : DropTarget{};
    }
    return {};
}

void LaneView::mousePressEvent(QMouseEvent* event) {
    forceActiveFocus(Qt::MouseFocusReason);
    const QPointF content = toContent(event->position());
    const LaneBar* bar = barAt(content);
    const bool add = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    m_pressPoint = m_pointer = event->position();
    m_narrow = bar && !add && bar->selected;
    if (bar && !m_narrow) selectBar(*bar, add);
    else if (bar) setCurrent({bar->rect, bar->instances, {}, {}, bar->call});
    const LanePart* part = bar ? nullptr : partAt(content);
    if (part) selectPart(*part, add);
    const QString worker = bar || part ? QString() : workerLabelAt(content);
    if (!worker.isEmpty()) setCurrent({{}, {}, worker});
    if (event->button() == Qt::RightButton) {
        m_mapping->setMovedWorker(worker);
        if (bar || part || !worker.isEmpty()) emit menuRequested(event->position().x(), event->position().y());
        return;
    }
    m_draggedWorker = worker;
    m_pressed = bar || !m_draggedWorker.isEmpty();
    if (!m_pressed && !part && !add) m_mapping->select({});
}

void LaneView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed) return;
    if (m_dragging ||
        (event->position() - m_pressPoint).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance())
        drag(event->position());
}

void LaneView::scrollAtEdge(bool isThere) {
    if (std::exchange(m_isAtEdge, isThere) == isThere) return;
    if (isThere) m_scrollTick.start();
    else m_scrollTick.stop();
}

void LaneView::drag(QPointF point) {
    m_dragging = true;
    m_pointer = point;
    // Also scrolls while the pointer rests at an edge.
    scrollAtEdge(edgeStep() != 0);
    m_targetRect = {};
    const DropTarget target = targetAt(point, &m_targetRect);
    const QString what = m_draggedWorker.isEmpty() ? m_mapping->selectionText() : m_draggedWorker;
    m_refused = false;
    m_dragText = what;
    if (target.kind != DropTarget::Kind::None) {
        const QString problem = m_mapping->changeFor(target, m_draggedWorker).problem;
        m_refused = !problem.isEmpty();
        m_dragText = m_refused                                 ? problem
                     : target.kind == DropTarget::Kind::Worker ? tr("%1 to %2").arg(what, target.worker)
                     : target.kind == DropTarget::Kind::Cpu
                         ? tr("%1 to %2").arg(what, m_mapping->cpuTitle(target.cpu, m_draggedWorker))
                     : target.kind == DropTarget::Kind::NewWorker ? tr("%1 to a new worker").arg(what)
                                                                  : tr("%1 unpinned").arg(what);
    } else {
        m_targetRect = {};
    }
    emit gestureChanged();
}

qreal LaneView::edgeStep() const {
    return m_pointer.y() < kEdge ? -kEdge / 2 : m_pointer.y() > height() - kEdge ? kEdge / 2 : 0;
}

void LaneView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed) return;
    if (m_dragging) {
        const DropTarget target = targetAt(event->position());
        const QString worker = m_draggedWorker;
        cancel();
        m_mapping->drop(target, worker);
        return;
    }
    if (const LaneBar* bar = barAt(toContent(event->position())); bar && m_narrow) selectBar(*bar, false);
    cancel();
}

void LaneView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF content = toContent(event->position());
    if (const LaneBar* bar = barAt(content)) return emit blockOpened(bar->block);
    if (const QString worker = workerLabelAt(content); !worker.isEmpty()) return m_mapping->openWorker(worker);
    const LanePart* part = partAt(content);
    const PlanView* plan = m_mapping->plan();
    if (const PlannedInstance* writer = part && plan ? plan->instance(part->writers.value(0)) : nullptr)
        emit blockOpened(writer->block);
}

void LaneView::cancel() {
    m_pressed = false;
    m_dragging = false;
    m_refused = false;
    scrollAtEdge(false);
    m_draggedWorker.clear();
    m_dragText.clear();
    m_targetRect = {};
    emit gestureChanged();
}

void LaneView::hoverMoveEvent(QHoverEvent* event) {
    const QPointF content = toContent(event->position());
    QString text;
    if (const LaneBar* bar = barAt(content)) {
        text = bar->instances.join(QStringLiteral("\n"));
        if (bar->instances.size() > 8)
            text = bar->instances.mid(0, 7).join(u'\n') + u'\n' +
                   tr("… and %n more", nullptr, static_cast<int>(bar->instances.size()) - 7);
        if (!bar->text.isEmpty()) text += u'\n' + bar->text;
        if (bar->share >= 0)
            text += u'\n' + tr("worked for %1 % of the last run").arg(QString::number(bar->share * 100, 'f', 1));
    } else if (const LanePart* part = partAt(content)) {
        text = part->text;
    } else if (m_mapping) {
        const QRectF reach(content - QPointF(kWireReach, kWireReach), QSizeF(2 * kWireReach, 2 * kWireReach));
        for (const LaneWire& wire : m_mapping->wires())
            if (wire.path.controlPointRect()
                    .adjusted(-kWireReach, -kWireReach, kWireReach, kWireReach)
                    .contains(content)) {
                QPainterPathStroker stroker;
                stroker.setWidth(2 * kWireReach);
                if (stroker.createStroke(wire.path).intersects(reach)) text = wire.text;
            }
    }
    m_hoverPoint = event->position();
    if (text != m_hoverText || !text.isEmpty()) {
        m_hoverText = text;
        emit hoverChanged();
    }
}

void LaneView::hoverLeaveEvent(QHoverEvent*) {
    m_hoverText.clear();
    emit hoverChanged();
}

void LaneView::wheelEvent(QWheelEvent* event) {
    const qreal distance = event->pixelDelta().isNull() ? event->angleDelta().y() / 2.0 : event->pixelDelta().y();
    setScrollY(m_scrollY - distance);
}

} // namespace weir::editor
