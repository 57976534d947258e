#pragma once

#include "core/graph/graph_scene.h"
#include "features/canvas/canvas_style.h"
#include "features/canvas/view_transform.h"

#include <QPainter>

#include <functional>

namespace weir::editor {

/// Painter of wires.
class WirePainter {
  public:
    struct Marks {
        QHash<int, QString> problems; ///< index in the file's list -> severity
    };

    WirePainter(const GraphScene& scene, const CanvasStyle& style, ViewTransform view, Marks marks = {})
        : m_scene(scene), m_style(style), m_view(view), m_marks(std::move(marks)) {}

    using Choose = std::function<bool(const WireView&)>;
    /// Paint the wires in `area` of the scene, each over a casing that separates it from wires that it crosses.
    void paint(QPainter& painter, const QRectF& area, const Choose& choose) const;
    /// Paint a wire above the others, with its points.
    void paintSelected(QPainter& painter, const WireView& wire) const;
    void paintHovered(QPainter& painter, const WireView& wire) const;
    void paintPoint(QPainter& painter, QPointF point, bool selected) const;

    QColor color(const WireView& wire) const;

  private:
    struct Look {
        QColor color;
        qreal width = 2.5;
        bool dashed = false;
        QVector<qreal> dashes;
        QColor band = {}; ///< along both sides of the wire; invalid: none
        qreal bandWidth = 0;
    };

    Look look(const WireView& wire) const;
    QString severity(const WireView& wire) const { return m_marks.problems.value(wire.fileIndex); }
    QPen pen(const Look& look, qreal pixelRatio) const;
    qreal onScreen() const;
    void paintOver(QPainter& painter, const WireView& wire, const Look& look, qreal halo, float strength) const;
    void stroke(QPainter& painter, const WireView& wire, const QPen& pen) const;
    void strokeWithCasing(QPainter& painter, const std::vector<const WireView*>& siblings) const;
    void paintSigns(QPainter& painter, const WireView& wire) const;

    const GraphScene& m_scene;
    const CanvasStyle& m_style;
    ViewTransform m_view;
    Marks m_marks;
};

} // namespace weir::editor
