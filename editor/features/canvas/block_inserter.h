#pragma once

#include "core/graph/graph_scene.h"
#include "core/rows/row_model.h"
#include "features/palette/block_entry.h"
#include "features/palette/likely_blocks.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QPointF>
#include <QSizeF>

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace weir::editor {

class BlockHabits;
class Session;

/// Inserts blocks where the user points: on free canvas, before or after the selected block, at the end of a wire, or
/// in the middle of one.
class BlockInserter : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QAbstractItemModel* model READ model CONSTANT)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString purpose READ purpose NOTIFY purposeChanged)

  public:
    BlockInserter(Session& session, BlockHabits& habits);

    /// Offered blocks, likely ones first.
    QAbstractItemModel* model() { return &m_model; }
    const std::vector<BlockEntry>& rows() const { return m_model.rows(); }
    QString filter() const { return m_filter; }
    void setFilter(const QString& filter);
    /// Describe the partner of the new block; empty for a free block.
    QString purpose() const { return m_purpose; }

    /// Open the popup for a block at this place of the scene, or beside the only selected block.
    Q_INVOKABLE void ask(QPointF place);
    /// Open it for a block connected to the port, `instead` of a wire that ended there.
    void askFor(const PortRef& port, QPointF place, const std::optional<Connection>& instead);
    /// Open it for a block in the middle of a wire.
    void askOn(const Connection& wire, QPointF place);
    /// Prepare a block beside the only selected one, without opening the popup.
    Q_INVOKABLE void askBeside();
    /// Add the requested block, as one step.
    Q_INVOKABLE bool insert(const QString& type);
    /// Add a block beside the only selected one, connected to a fitting free port; else around this place.
    Q_INVOKABLE bool add(const QString& type, QPointF place);
    /// Drop a block from the palette around this place: into a wire there if it fits, else beside the wire.
    void drop(const QString& type, QPointF place);
    /// Return the effect of a drop on wires, which the user cannot see yet; empty if there is none.
    Q_INVOKABLE QString landing(const QString& type, QPointF place) const;
    /// Return the size of a new block, and the point at which the pointer holds it, from its corner.
    Q_INVOKABLE QSizeF sizeOf(const QString& type) const;
    Q_INVOKABLE static QPointF grip() { return {80, 20}; }
    /// Move an existing, unconnected block into the wire.
    void moveOnto(const QString& block, QPointF offset, const Connection& wire);

    /// Return the wire under the point into which a new block of the type, or an unconnected block, fits.
    std::optional<Connection> wireFor(const QString& type, QPointF place) const;
    std::optional<Connection> wireForLone(const QString& block) const;

  signals:
    void filterChanged();
    void purposeChanged();
    void insertRequested(QPointF place);

  private:
    using Join = std::function<void(Transaction&)>;

    void start(QPointF place, InsertPlace where, const QString& purpose);
    void update();
    bool make(const QString& name, const std::string& id, const BlockType& type, QPointF corner, const Join& join);
    bool insertAt(const BlockType& type, QPointF place);
    bool insertInto(const BlockType& type, QPointF place, const Connection& wire);
    QList<PortRef> freePorts() const;
    /// Return why a block of the type does not fit into the wire; empty if it fits.
    QString whyNotOn(const BlockType& type, const Connection& wire) const;

    Session& m_session;
    BlockHabits& m_habits;
    RowModel<BlockEntry> m_model;
    QString m_filter;
    QString m_purpose;
    QPointF m_place;
    std::vector<FoundBlock> m_likely;  ///< likely next blocks, from the catalog when the popup opened
    std::optional<std::set<std::string>> m_joinable;  ///< types that can be connected to the neighbour, if there is one
    std::optional<PortRef> m_port;
    std::optional<Connection> m_wire;  ///< with a port: the wire to replace; without: the wire to insert into
};

}  // namespace weir::editor
