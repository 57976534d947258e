#pragma once

#include "core/graph/graph_scene.h"

#include <optional>

class CanvasTools;
class Session;
class GraphView;

/// A wire that follows the pointer: a new one, or the loose end of one that was pulled off its port.
class ConnectGesture {
  public:
    explicit ConnectGesture(GraphView& view) : m_view(view) {}

    /// From the port that was pressed. An input that is taken gives its wire; an output gives the one that is selected.
    void start(const weir::editor::PortRef& pressed);
    /// A wire may begin there without one being pulled off.
    bool isFree(const weir::editor::PortRef& port) const;
    bool isActive() const { return m_fixed.has_value(); }
    void follow(QPointF pointer);
    /// Joins what is under the pointer; on free canvas the user chooses a block.
    void finish(QPointF pointer);
    void cancel();

    const std::optional<weir::editor::PortRef>& fixed() const { return m_fixed; }
    QList<weir::editor::PortRef> acceptingPorts() const;
    QString hint() const { return m_hint; }

  private:
    Session& session() const;
    CanvasTools& tools() const;
    std::optional<weir::editor::PortRef> portNear(QPointF pointer) const;
    const weir::editor::Connection* detached() const { return m_detached ? &*m_detached : nullptr; }

    GraphView& m_view;
    std::optional<weir::editor::PortRef> m_fixed;
    std::optional<weir::editor::Connection> m_detached;
    QString m_hint;
};
