#pragma once

#include "core/graph/graph_scene.h"
#include "features/canvas/canvas_style.h"
#include "features/canvas/view_transform.h"

#include <QHash>

class QPainter;

namespace weir::editor {

/// Paints blocks that are too small for an item: a shape in the category's colour with its sign, the name if it fits,
/// and the state at the corner.
class BlockPainter {
  public:
    struct Marks {
        QHash<QString, QString> severities; ///< by block, of its worst problem
        bool running = false;               ///< true during a run
    };

    BlockPainter(const CanvasStyle& style, ViewTransform view, const Marks& marks)
        : m_style(style), m_view(view), m_marks(marks) {}

    void paint(QPainter& painter, const BlockView& block) const;
    /// Paint the outline and the name of a hovered or selected block.
    void paintTitle(QPainter& painter, const BlockView& block, bool selected) const;

  private:
    /// A wrong block has no badge: its whole body has the colour.
    enum class State { Plain, Wrong, Off, Bypassed, Doubtful, Unfinished, Running };

    struct Colors {
        QColor fill;
        QColor edge;
        QColor chip; ///< colour behind the sign; invalid: none
        QColor sign;
        QColor ink;
    };

    State state(const BlockView& block) const;
    Colors colors(const BlockView& block, State state) const;
    void paintFace(QPainter& painter, const BlockView& block, const QRectF& rect, const Colors& colors,
                   bool wrong) const;
    void paintBadge(QPainter& painter, const QRectF& rect, State state) const;
    QColor stateColor(State state) const;

    const CanvasStyle& m_style;
    ViewTransform m_view;
    const Marks& m_marks;
};

} // namespace weir::editor
