#pragma once

#include "core/graph/graph_scene.h"

#include <optional>

namespace weir::editor {

class CanvasTools;
class Session;
class GraphView;

/// A wire that follows the pointer: a new one, or the loose end of one that was pulled off its port.
class ConnectGesture {
  public:
    explicit ConnectGesture(GraphView& view) : m_view(view) {}

    /// From the port that was pressed. An input that is taken gives its wire; an output gives the one that is selected.
    void start(const PortRef& pressed);
    /// A wire may begin there without one being pulled off.
    bool isFree(const PortRef& port) const;
    bool isActive() const { return m_fixed.has_value(); }
    void follow(QPointF pointer);
    /// Joins what is under the pointer; on free canvas the user chooses a block.
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
