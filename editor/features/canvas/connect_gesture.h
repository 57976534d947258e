#pragma once

#include "core/graph/graph_scene.h"

#include <optional>

namespace weir::editor {

class CanvasTools;
class Session;
class GraphView;

/// Wire that follows the pointer: a new one, or an existing one with one end pulled off its port.
class ConnectGesture {
  public:
    explicit ConnectGesture(GraphView& view) : m_view(view) {}

    /// Start at the pressed port. A connected input gives up its wire; an output gives up its selected wire.
    void start(const PortRef& pressed);
    /// Return whether a wire can begin there without disconnecting another.
    bool isFree(const PortRef& port) const;
    bool isActive() const { return m_fixed.has_value(); }
    void follow(QPointF pointer);
    /// Connect the port under the pointer; on free canvas, let the user choose a block.
    void finish(QPointF pointer);
    void cancel();

    const std::optional<PortRef>& fixed() const { return m_fixed; }
    QList<PortRef> acceptingPorts() const;
    QString hint() const { return m_hint; }

  private:
    Session& session() const;
    CanvasTools& tools() const;
    std::optional<PortRef> portNear(QPointF pointer) const;
    const Connection* detached() const { return m_detached ? &*m_detached : nullptr; }

    GraphView& m_view;
    std::optional<PortRef> m_fixed;
    std::optional<Connection> m_detached;
    QString m_hint;
};

}  // namespace weir::editor
