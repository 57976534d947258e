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

/// Puts new blocks where the user points: on free canvas, behind or before the block that is selected, at the end of a
/// wire, or into the middle of one.
class BlockInserter : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QAbstractItemModel* model READ model CONSTANT)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString purpose READ purpose NOTIFY purposeChanged)

  public:
    BlockInserter(Session& session, BlockHabits& habits);

    /// Offered blocks, the likely ones first.
    QAbstractItemModel* model() { return &m_model; }
    const std::vector<BlockEntry>& rows() const { return m_model.rows(); }
    QString filter() const { return m_filter; }
    void setFilter(const QString& filter);
    /// Partner of the new block, in words; empty for a block on its own.
    QString purpose() const { return m_purpose; }

    /// Opens the popup for a block at this place of the scene, or beside the only block that is selected.
    Q_INVOKABLE void ask(QPointF place);
    /// For a block that is joined to the port; `instead` of a wire that ended there.
    void askFor(const PortRef& port, QPointF place, const std::optional<Connection>& instead);
    /// For a block in the middle of a wire.
    void askOn(const Connection& wire, QPointF place);
    /// For a block beside the only one that is selected, without opening anything.
    Q_INVOKABLE void askBeside();
    /// Adds the block that was asked for; all of it is one step.
    Q_INVOKABLE bool insert(const QString& type);
    /// Beside the only block that is selected, and joined to it where a free port of it fits; else around this place.
    Q_INVOKABLE bool add(const QString& type, QPointF place);
    /// A block from the palette, dropped around this place: into the wire there, where it fits, else beside it.
    void drop(const QString& type, QPointF place);
    /// Return the unseen effect of a drop there; empty if it only puts the block down.
    Q_INVOKABLE QString landing(const QString& type, QPointF place) const;
    /// The size of a new block, and where the pointer holds it, from its corner.
    Q_INVOKABLE QSizeF sizeOf(const QString& type) const;
    Q_INVOKABLE static QPointF grip() { return {80, 20}; }
    /// Into the wire goes a block that is there and joined to nothing.
    void moveOnto(const QString& block, QPointF offset, const Connection& wire);

    /// The wire under the point that a new block of the type could lie on, or one that a lone block could.
    std::optional<Connection> wireFor(const QString& type, QPointF place) const;
    std::optional<Connection> wireForLone(const QString& block) const;

  signals:
    void filterChanged();
    void purposeChanged();
    void asked(QPointF place);

  private:
    using Join = std::function<void(Transaction&)>;

    void start(QPointF place, InsertPlace where, const QString& purpose);
    void update();
    bool make(const QString& name, const std::string& id, const BlockType& type, QPointF corner, const Join& join);
    bool insertAt(const BlockType& type, QPointF place);
    bool insertInto(const BlockType& type, QPointF place, const Connection& wire);
    QList<PortRef> freePorts() const;
    /// Return why a block of the type cannot lie on the wire; empty if it can.
    QString whyNotOn(const BlockType& type, const Connection& wire) const;

    Session& m_session;
    BlockHabits& m_habits;
    RowModel<BlockEntry> m_model;
    QString m_filter;
    QString m_purpose;
    QPointF m_place;
    std::vector<FoundBlock> m_likely;  ///< of the catalog as it was when this was asked
    std::optional<std::set<std::string>>
        m_joinable;  ///< the types that can be joined to the block beside, where there is one
    std::optional<PortRef> m_port;
    std::optional<Connection> m_wire;  ///< with a port: the wire that goes; without: the one to lie on
};

}  // namespace weir::editor
