#include "features/canvas/picture_cache.h"

#include <QRegion>

#include <cmath>

namespace weir::editor {
namespace {

constexpr int kSpare = 160;

} // namespace

void PictureCache::draw(QPainter& painter, const ViewTransform& view, QSize size, qreal pixelRatio,
                        const Paint& paint) {
    // After a scroll that leaves kSpare on one side, the picture must still reach the other edge of the view.
    const bool fits = m_size.width() >= size.width() + kSpare && m_size.height() >= size.height() + kSpare &&
                      m_size.width() <= size.width() + 4 * kSpare && m_size.height() <= size.height() + 4 * kSpare;
    if (!isValidFor(view) || !fits || m_image.devicePixelRatio() != pixelRatio) repaint(view, size, pixelRatio, paint);

    // Whole pixels, so that the picture is copied without blurring.
    QPointF shift = view.offset - m_view.offset;
    QPoint at(static_cast<int>(std::lround(shift.x())), static_cast<int>(std::lround(shift.y())));
    if (!QRect(at, m_size).contains(QRect(QPoint(0, 0), size))) {
        scroll(at + QPoint(kSpare, kSpare), paint);
        shift = view.offset - m_view.offset;
        at = QPoint(static_cast<int>(std::lround(shift.x())), static_cast<int>(std::lround(shift.y())));
    }
    painter.drawImage(at, m_image);
}

void PictureCache::drawStretched(QPainter& painter, const ViewTransform& view, QSize size,
                                 const QColor& background) const {
    painter.fillRect(QRect(QPoint(0, 0), size), background);
    const qreal scale = view.zoom / m_view.zoom;
    const QPointF corner = view.map(m_view.unmap(QPointF(0, 0)));
    painter.drawImage(QRectF(corner, QSizeF(m_size) * scale), m_image);
}

void PictureCache::repaint(const ViewTransform& view, QSize size, qreal pixelRatio, const Paint& paint) {
    m_size = size + QSize(2 * kSpare, 2 * kSpare);
    m_view = {view.offset + QPointF(kSpare, kSpare), view.zoom};
    const QSize pixels = m_size * pixelRatio;
    if (m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(pixelRatio);
    }
    paintPart(QRect(QPoint(0, 0), m_size), paint);
    m_valid = true;
}

void PictureCache::scroll(QPoint by, const Paint& paint) {
    const QRect whole(QPoint(0, 0), m_size);
    const QRect kept = whole.translated(by) & whole;
    m_view.offset += by;
    if (kept.isEmpty()) {
        paintPart(whole, paint);
        return;
    }
    QImage next(m_image.size(), m_image.format());
    next.setDevicePixelRatio(m_image.devicePixelRatio());
    QPainter(&next).drawImage(by, m_image);
    m_image = std::move(next);
    for (const QRect& part : QRegion(whole).subtracted(kept)) paintPart(part, paint);
}

void PictureCache::paintPart(const QRect& part, const Paint& paint) {
    QPainter painter(&m_image);
    painter.setClipRect(part);
    paint(painter, m_view, part);
}

} // namespace weir::editor
