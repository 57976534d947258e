#pragma once

#include "features/canvas/block_painter.h"
#include "features/canvas/wire_painter.h"

namespace weir::editor {

/// Painter of all parts of the canvas that are not items: grid, frames, groups, wires, notes, and blocks at small
/// zooms.
class ScenePainter {
  public:
    ScenePainter(const GraphScene& scene, const CanvasStyle& style, ViewTransform view, WirePainter::Marks marks,
                 const BlockPainter::Marks& blockMarks)
        : m_scene(scene), m_style(style), m_view(view), m_wires(scene, style, view, std::move(marks)),
          m_blocks(style, view, blockMarks) {}

    /// Paint all parts except dragged ones. `area` is in pixels.
    void paintResting(QPainter& painter, const QRectF& area) const;
    void paintMoving(QPainter& painter, const QRectF& area) const;
    void paintDecorSelection(QPainter& painter, const QRectF& rect, bool selected) const;
    const WirePainter& wires() const { return m_wires; }
    /// Return the painter of blocks that are no items.
    const BlockPainter& blocks() const { return m_blocks; }

  private:
    bool isFar() const { return m_view.zoom < zoom::kFar; }
    bool isMoving(const BlockView& block) const { return m_scene.dragged().blocks.contains(block.id); }
    bool isMoving(const WireView& wire) const;
    bool isMoving(const GroupView& group) const;
    bool isMoving(DecorKind kind, const std::string& key) const;
    void paintGrid(QPainter& painter, const QRectF& area) const;
    void paintFrame(QPainter& painter, const FrameView& frame) const;
    void paintGroup(QPainter& painter, const GroupView& group) const;
    void paintNote(QPainter& painter, const NoteView& note) const;
    void paintLayers(QPainter& painter, const QRectF& area, bool moving) const;

    const GraphScene& m_scene;
    const CanvasStyle& m_style;
    ViewTransform m_view;
    WirePainter m_wires;
    BlockPainter m_blocks;
};

} // namespace weir::editor
