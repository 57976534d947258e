#pragma once

#include "core/graph/alignment.h"
#include "core/graph/graph_edits.h"
#include "core/graph/graph_scene.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

class Session;

/// Commands on the whole selection. Each is one step; if it cannot be done, the notice says why.
class GraphCommands : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

  public:
    explicit GraphCommands(Session& session);

    /// The wire gets another end; the other one stays.
    void reconnect(const Connection& wire, const PortRef& fixed, const PortRef& end);
    void removeAndHeal();
    void setState(BlockState state);
    /// Some selected block has another state.
    bool canSetState(BlockState state) const;
    void align(Alignment alignment);
    void distribute(Direction direction);
    void group();
    void ungroup();
    /// Some selected block is in a group.
    bool canUngroup() const;

    /// Return the target of a repeat: the group of the selected blocks, else the one block; empty for neither.
    Q_INVOKABLE QString repeatTarget() const;
    Q_INVOKABLE QString repeatText() const;
    /// An expression or a number; an empty text takes the repetition away.
    Q_INVOKABLE void setRepeat(const QString& typed);
    /// Around the selected blocks, in the scene.
    Q_INVOKABLE QRectF selectionRect() const;

  signals:
    /// The canvas knows where the pointer is, and which ports can be walked.
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
