// Shown part of the graph: all of it, or a block to go to.
#include "features/canvas/graph_view.h"

#include "core/graph/block_model.h"
#include "features/canvas/view_transform.h"

#include <QFont>
#include <QFontMetricsF>
#include <QMarginsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

constexpr qreal kLeastShrunk = 0.5; ///< shown at more than this zoom, the whole graph is within reach
constexpr int kFitRounds = 3;    ///< margins around blocks do not scale, so the fit is repeated this often

/// Return the least shift that brings a span within 0 to `room`; if it does not fit, centre it.
qreal wayInto(qreal from, qreal to, qreal room) {
    if (to - from > room) return (room - from - to) / 2;
    return from < 0 ? -from : to > room ? room - to : 0;
}

constexpr int kNumberLetters = 12;    ///< pixels; Theme.sizeSmall
constexpr qreal kNotesGap = 4;        ///< Theme.space1
constexpr qreal kNumbersBelow = 6;    ///< px from the edge
constexpr qreal kNumbersLine = 22;     ///< px, a line of them with its distance to the next part
constexpr qreal kProbePill = 18;
constexpr qreal kFullDetail = 0.85;

QFontMetricsF metricsOf(qreal letters) {
    QFont font;
    font.setPixelSize(std::max(1, qRound(kNumberLetters * letters)));
    return QFontMetricsF(font);
}

qreal lineHeight(qreal letters) { return metricsOf(letters).height(); }

qreal commentHeight(const QString& comment, qreal width, qreal letters, int lines) {
    if (comment.isEmpty() || lines == 0) return 0;
    const qreal whole = metricsOf(letters).boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, comment).height();
    return std::min(whole, lines * lineHeight(letters)) + 2 * kNotesGap;
}

/// Return the margins, in pixels, that a block needs at this zoom for the facts below it, its probe and its comment.
/// Margins common to all blocks, for rings and pills, are left out. `facts`: nothing if no space is reserved for them.
/// See BlockItem.qml and BlockHeat.qml.
QMarginsF drawnAround(const BlockView& block, const std::optional<QStringList>& facts, qreal zoom) {
    if (zoom < zoom::kFar) return {};
    const qreal letters = std::max(1.0, zoom);
    const qreal width = block.rect.width() * zoom;
    QMarginsF around;
    if (facts && !facts->isEmpty()) around.setBottom(kNumbersBelow + lineHeight(letters));
    const int lines = zoom >= kFullDetail ? 2 : facts ? 0 : 1;
    const qreal notes =
        (block.probe ? kProbePill * letters : 0) + commentHeight(block.comment, width - 2 * kNotesGap, letters, lines);
    if (notes > 0) around.setBottom(std::max(around.bottom(), (facts ? kNumbersLine * letters : kNotesGap) + notes));
    return around;
}

} // namespace

/// Return the bounds of everything that scales: blocks, wires, frames and notes.
QRectF GraphView::graphBounds() const {
    const GraphScene& scene = session()->scene();
    QRectF bounds = scene.bounds();
    for (const WireView& wire : scene.wires()) bounds |= wire.bounds; // wires that lead back go around blocks
    return bounds;
}

/// Return the bounds of a block with everything drawn around it, in pixels.
QRectF GraphView::drawnRect(const BlockView& block, const ViewTransform& place) const {
    return place.map(block.rect)
        .marginsAdded(drawnAround(block, session()->blockModel().factsOf(block.id), place.zoom));
}

QRectF GraphView::drawnBounds(const ViewTransform& place) const {
    QRectF drawn = place.map(graphBounds());
    for (const BlockView& block : session()->scene().blocks()) drawn |= drawnRect(block, place);
    return drawn;
}

/// Fit the graph into the upper `height` pixels of the view.
ViewTransform GraphView::wholeGraph(qreal height) const {
    const QRectF bounds = graphBounds();
    if (bounds.isEmpty()) return {};
    const QSizeF room = QSizeF(width(), height) - QSizeF(2 * kFitMargin, 2 * kFitMargin);
    const auto zoomFor = [&](QSizeF around) {
        return std::min((room.width() - around.width()) / bounds.width(),
                        (room.height() - around.height()) / bounds.height());
    };
    ViewTransform place{{}, std::clamp(zoomFor({}), kMinimumZoom, 1.0)};
    for (int round = 0; round < kFitRounds; ++round)
        place.zoom =
            std::clamp(zoomFor(drawnBounds(place).size() - bounds.size() * place.zoom), kMinimumZoom, place.zoom);
    const QPointF offset = QPointF(width() / 2, kFitMargin + room.height() / 2) - drawnBounds(place).center();
    // Whole pixels keep text and one-pixel lines sharp at 100 %.
    place.offset = {std::round(offset.x()), std::round(offset.y())};
    return place;
}

ViewTransform GraphView::wholeGraph() const {
    const ViewTransform all = wholeGraph(height());
    return drawnBounds(all).bottom() < height() - m_covered ? all
                                                            : wholeGraph(std::max(height() - m_covered, height() / 2));
}

void GraphView::setCovered(qreal covered) {
    if (covered == m_covered) return;
    m_covered = covered;
    emit coveredChanged();
    fitAgain();
}

bool GraphView::isNearlyAll() const { return wholeGraph().zoom >= kLeastShrunk * shownPlace().zoom; }

/// Keep the visible blocks clear of a panel that has opened, if moving the view helps. A graph far larger than the view
/// stays. A smaller graph is fitted if a move would hide blocks.
void GraphView::keepVisible(const QRectF& before) {
    const ViewTransform place = shownPlace();
    QRectF seen;
    bool isHidden = false;
    for (const BlockView& block : session()->scene().blocks()) {
        const QPointF middle = place.map(block.rect).center();
        if (!before.contains(middle)) continue;
        seen |= drawnRect(block, place);
        isHidden = isHidden || !m_room.contains(middle);
    }
    if (!isHidden) return;
    const bool narrower = m_room.width() < before.width(), lower = m_room.height() < before.height();
    const QPointF way(narrower ? std::round(wayInto(seen.left(), seen.right(), m_room.width())) : 0,
                      lower ? std::round(wayInto(seen.top(), seen.bottom(), m_room.height())) : 0);
    if ((!narrower || seen.width() <= m_room.width()) && (!lower || seen.height() <= m_room.height()))
        glideTo({place.offset + way, place.zoom});
    else if (isNearlyAll()) fit();
}

/// If everything was shown and a part no longer fits, move the view as little as possible. Parts added out of sight do
/// not move it, and nothing jumps when numbers appear or disappear. But something that opens, such as the legend of a
/// run or the bottom panel, must not cover a part that was visible.
void GraphView::fitAgain() {
    if (!m_tools || !isVisible()) return;
    const QRectF before = std::exchange(m_room, room());
    const ViewTransform place = shownPlace();
    const QRectF drawn = drawnBounds(place);
    if (m_room.contains(drawn)) return;
    const bool wasClear = m_room != before && before.contains(place.map(graphBounds()));
    if (m_fitWhenSized && m_fitted == graphBounds()) showAll();
    else if (wasClear && (drawn.width() > m_room.width() || drawn.height() > m_room.height())) fit();
    else if (wasClear)
        glideTo({place.offset + QPointF(std::round(wayInto(drawn.left(), drawn.right(), m_room.width())),
                                        std::round(wayInto(drawn.top(), drawn.bottom(), m_room.height()))),
                 place.zoom});
    else keepVisible(before);
}

/// Keep showing everything when the size changes, unless parts were added since. Restore the view when the size comes
/// back.
void GraphView::followSize() {
    const bool placed = m_fitted && (m_placedIn == size() || m_fitted != graphBounds());
    if (m_fitWhenSized && !placed && !size().isEmpty()) {
        showAll();
        return;
    }
    updateRegion();
    showItems(Pace::AtOnce);
    fitAgain();
}

void GraphView::showAll() {
    m_fitWhenSized = true;
    m_fitted.reset();
    if (size().isEmpty()) return;
    m_fitted = graphBounds();
    m_placedIn = size();
    const ViewTransform place = wholeGraph();
    setView(place.offset, place.zoom);
    m_fitWhenSized = true;
}

void GraphView::fit() {
    m_fitted = graphBounds();
    m_placedIn = size();
    if (!size().isEmpty()) glideTo(wholeGraph());
    m_fitWhenSized = true;
}

/// Move the least distance that shows the block; centre a distant one.
void GraphView::reveal(const QString& block) {
    const BlockView* view = session()->scene().block(block);
    if (!view) return;
    const QRectF drawn = drawnRect(*view, shownPlace());
    if (boundingRect().contains(drawn)) return;
    const QRectF wanted = drawn.adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    QPointF way(wayInto(wanted.left(), wanted.right(), width()), wayInto(wanted.top(), wanted.bottom(), height()));
    if (std::abs(way.x()) > width() / 2 || std::abs(way.y()) > height() / 2)
        way = boundingRect().center() - drawn.center();
    glideTo({shownPlace().offset + QPointF(std::round(way.x()), std::round(way.y())), m_zoom});
}

int GraphView::blocksUnder(QRectF place) const {
    const auto& blocks = session()->scene().blocks();
    return static_cast<int>(std::count_if(blocks.begin(), blocks.end(), [&](const BlockView& block) {
        return drawnRect(block, shownPlace()).intersects(place);
    }));
}

/// Return the bounds of the only selected block, in pixels, once the view rests; empty without one.
QRectF GraphView::selectedRect() const {
    const BlockView* block = session()->scene().block(session()->selection().onlyBlock());
    return block ? drawnRect(*block, shownPlace()) : QRectF();
}

QRectF GraphView::focusFrame() const {
    const bool shown = m_tools && m_usesKeys;
    const BlockView* block = shown ? session()->scene().block(walkedBlock()) : nullptr;
    if (!block) return {};
    const ViewTransform place{m_offset, m_zoom};
    QRectF frame = place.map(block->rect);
    frame.setBottom(drawnRect(*block, place).bottom());  // the outline must not cross the facts below
    return frame;
}

}  // namespace weir::editor
