#pragma once

#include "core/graph/graph_scene.h"

#include <QObject>

#include <optional>

namespace weir::editor {

class Session;

/// Connects by keyboard: a port of a block, then each port that it can be connected to, one after the other.
class KeyConnection : public QObject {
    Q_OBJECT

  public:
    explicit KeyConnection(QObject* parent) : QObject(parent) {}

    /// Start at the block's first free port, outputs first. Returns why nothing can be connected, or an empty string.
    QString start(Session& session, const QString& block);
    bool isActive() const { return m_session; }
    const PortRef& origin() const { return m_origins[m_origin]; }
    const QList<PortRef>& targets() const { return m_targets; }
    std::optional<PortRef> target() const;
    /// Return the effect of Enter, in words.
    QString description() const;

    void walkTargets(int step);
    void walkOrigins(int step);
    void accept();
    void cancel();

  signals:
    void changed();

  private:
    void findTargets();

    Session* m_session = nullptr;
    QList<PortRef> m_origins;
    QList<PortRef> m_targets;
    int m_origin = 0;
    int m_target = 0;
};

}  // namespace weir::editor
