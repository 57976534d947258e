#pragma once

#include "core/graph/alignment.h"
#include "core/graph/graph_edits.h"
#include "core/graph/graph_scene.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

class Session;

/// Commands on the whole selection. Each is one step; if it fails, the notice says why.
class GraphCommands : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

  public:
    explicit GraphCommands(Session& session);

    /// Connect the wire to another end and keep the fixed one.
    void reconnect(const Connection& wire, const PortRef& fixed, const PortRef& end);
    void removeAndHeal();
    void setState(BlockState state);
    /// Return whether a selected block has another state.
    bool canSetState(BlockState state) const;
    void align(Alignment alignment);
    void distribute(Direction direction);
    void group();
    void ungroup();
    /// Return whether a selected block is in a group.
    bool canUngroup() const;

    /// Return the target of a repeat: the group of the selected blocks, else the only selected block, else empty.
    Q_INVOKABLE QString repeatTarget() const;
    Q_INVOKABLE QString repeatText() const;
    /// Set the repetition to an expression or a number; an empty text removes it.
    Q_INVOKABLE void setRepeat(const QString& typed);
    /// Return the bounds of the selected blocks, in the scene.
    Q_INVOKABLE QRectF selectionRect() const;

  signals:
    /// Emitted to open the insert popup: the canvas knows the pointer's position and the selectable ports.
    void insertRequested();
    void connectRequested();
    void repeatRequested();

  private:
    std::vector<BlockView> selectedViews() const;
    /// Return why a block cannot become a wire; empty if it can.
    QString bypassProblem(const BlockView& block) const;
    std::optional<Pointer> repeatedPart() const;
    void place(const QString& name, const Placement& moved);

    Session& m_session;
};

}  // namespace weir::editor
