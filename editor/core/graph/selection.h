#pragma once

#include "core/graph/graph_scene.h"

#include <QObject>
#include <QSet>

#include <set>
#include <string>

namespace weir::editor {

/// The chosen blocks, connections, frames, notes and points of wires; what leaves the scene leaves the selection.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(GraphScene& scene, QObject* parent = nullptr);

    const QSet<QString>& blocks() const { return m_blocks; }
    const std::set<Connection>& wires() const { return m_wires; }
    const std::set<DecorId>& decor() const { return m_decor; }
    bool isEmpty() const { return m_blocks.isEmpty() && m_wires.empty() && m_decor.empty(); }
    /// The chosen blocks by their names in the file.
    std::set<std::string> ids() const;
    /// The one chosen block, or an empty string.
    QString onlyBlock() const;

    void set(const QSet<QString>& blocks, const std::set<Connection>& wires = {}, const std::set<DecorId>& decor = {});
    void clear() { set({}, {}); }
    void toggleBlock(const QString& id);
    void toggleWire(const Connection& connection);
    void toggleDecor(const DecorId& part);

  signals:
    /// Something else will be chosen: what belongs to what is chosen now is due. Not where it leaves the scene.
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

} // namespace weir::editor
