#include "features/canvas/drawn_around.h"

#include "features/canvas/view_transform.h"

#include <QFont>
#include <QFontMetricsF>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kNumberLetters = 12;    ///< pixels; Theme.sizeSmall
constexpr qreal kNotesGap = 4;        ///< Theme.space1
constexpr qreal kNumbersBelow = 6;    ///< from the edge
constexpr qreal kNumbersLine = 22;     ///< a line of them, with what is between it and the next thing
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

} // namespace

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

} // namespace weir::editor
