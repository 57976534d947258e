#pragma once

#include "features/canvas/view_transform.h"

#include <QImage>
#include <QPainter>

#include <functional>

namespace weir::editor {

/// Cached picture of the scene at one zoom, larger than the view: a pan copies pixels and paints only the newly visible
/// part.
class PictureCache {
  public:
    /// Paints the part of the scene within `area`, in pixels of the transform.
    using Paint = std::function<void(QPainter& painter, const ViewTransform& transform, const QRectF& area)>;

    void invalidate() { m_valid = false; }
    bool isValidFor(const ViewTransform& view) const {
        return m_valid && m_view.zoom == view.zoom && !m_image.isNull();
    }
    bool isEmpty() const { return m_image.isNull(); }
    qreal zoom() const { return m_view.zoom; }
    void draw(QPainter& painter, const ViewTransform& view, QSize size, qreal pixelRatio, const Paint& paint);
    /// Draw the picture of another zoom stretched, while the right one would take too long.
    void drawStretched(QPainter& painter, const ViewTransform& view, QSize size, const QColor& background) const;

  private:
    void repaint(const ViewTransform& view, QSize size, qreal pixelRatio, const Paint& paint);
    void scroll(QPoint by, const Paint& paint);
    void paintPart(const QRect& part, const Paint& paint);

    QImage m_image;
    ViewTransform m_view;  ///< transform with the image's upper left corner at the origin
    QSize m_size;  ///< size of the image, in pixels of the view
    bool m_valid = false;
};

}  // namespace weir::editor
