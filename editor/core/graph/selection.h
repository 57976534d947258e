#pragma once

#include "core/graph/graph_scene.h"

#include <QObject>
#include <QSet>

#include <set>
#include <string>

namespace weir::editor {

/// Selected blocks, connections, frames, notes and wire points. Parts that leave the scene are deselected.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(GraphScene& scene, QObject* parent = nullptr);

    const QSet<QString>& blocks() const { return m_blocks; }
    const std::set<Connection>& wires() const { return m_wires; }
    const std::set<DecorId>& decor() const { return m_decor; }
    bool isEmpty() const { return m_blocks.isEmpty() && m_wires.empty() && m_decor.empty(); }
    /// Return the names of the selected blocks.
    std::set<std::string> ids() const;
    /// Return the only selected block, or an empty string.
    QString onlyBlock() const;

    void set(const QSet<QString>& blocks, const std::set<Connection>& wires = {}, const std::set<DecorId>& decor = {});
    void clear() { set({}, {}); }
    void toggleBlock(const QString& id);
    void toggleWire(const Connection& connection);
    void toggleDecor(const DecorId& part);

  signals:
    /// The selection will change: pending edits of the present one must finish now. Not sent for parts that leave the
    /// scene.
    void aboutToChange();
    void changed();

  private:
    void prune();
    void replace(QSet<QString> blocks, std::set<Connection> wires, std::set<DecorId> decor);

    GraphScene& m_scene;
    QSet<QString> m_blocks;
    std::set<Connection> m_wires;
    std::set<DecorId> m_decor;
};

}  // namespace weir::editor
