#pragma once

#include "graph_scene.h"
#include "palette_model.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QPointF>
#include <QtQml/qqmlregistration.h>

#include <optional>

class Editor;

/// Puts new blocks where the user points: on free canvas, at the end of a wire, or into the middle of one.
class BlockInserter : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QAbstractItemModel *model READ model CONSTANT)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString purpose READ purpose NOTIFY asked)

public:
    explicit BlockInserter(Editor &editor);

    QAbstractItemModel *model() { return &m_model; }
    QString filter() const { return m_model.filter(); }
    void setFilter(const QString &filter);
    /// What the block will be joined to, in words; empty for a block on its own.
    QString purpose() const { return m_purpose; }

    /// Opens the popup for a block at this place of the scene.
    Q_INVOKABLE void ask(QPointF place);
    /// For a block that is joined to the port; `instead` of a wire that ended there.
    void askFor(const weir::editor::PortRef &port, QPointF place, const std::optional<weir::editor::Connection> &instead);
    /// For a block in the middle of a wire.
    void askOn(const weir::editor::Connection &wire, QPointF place);
    /// Adds the block that was asked for; all of it is one step.
    Q_INVOKABLE bool insert(const QString &type);
    /// A block from the palette, dropped around this place: into the wire there, where it fits, else beside it.
    void drop(const QString &type, QPointF place);
    /// Into the wire goes a block that is there and joined to nothing.
    void moveOnto(const QString &block, QPointF offset, const weir::editor::Connection &wire);

    /// The wire under the point that a new block of the type could lie on, or one that a lone block could.
    std::optional<weir::editor::Connection> wireFor(const QString &type, QPointF place) const;
    std::optional<weir::editor::Connection> wireForLone(const QString &block) const;

signals:
    void filterChanged();
    void asked(QPointF place);

private:
    void start(QPointF place, std::optional<std::set<std::string>> offered, const QString &purpose);
    bool insertAt(const weir::editor::BlockType &type, QPointF place);
    bool insertInto(const weir::editor::BlockType &type, QPointF place, const weir::editor::Connection &wire);

    Editor &m_editor;
    weir::editor::PaletteModel m_model;
    QString m_purpose;
    QPointF m_place;
    std::optional<weir::editor::PortRef> m_port;
    std::optional<weir::editor::Connection> m_wire; ///< with a port: the wire that goes; without: the one to lie on
};
