#pragma once

#include "core/rows/row_model.h"
#include "features/palette/block_entry.h"

#include <QtQml/qqmlregistration.h>

#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>

namespace weir::editor {

class Memory;

/// Favourite and recently used types of blocks, kept across sessions.
class BlockHabits : public QObject {
    Q_OBJECT

  public:
    explicit BlockHabits(Memory& memory, QObject* parent = nullptr) : QObject(parent), m_memory(memory) {}

    /// Types in the order in which the user starred them.
    QStringList favourites() const;
    void toggleFavourite(const QString& type);
    /// Types, the last used first.
    QStringList recent() const;
    void noteUse(const QString& type);
    QStringList closedGroups() const;
    void toggleGroup(const QString& group);

  signals:
    void changed();

  private:
    void toggle(const QString& key, const QString& name);

    Memory& m_memory;
};

class Session;

/// The block types in the order of the palette: favourites, recent ones, then the families, each below a heading that
/// opens and closes. During a search: the matches, best first.
class BlockPalette : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QAbstractItemModel* model READ model CONSTANT)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)

  public:
    explicit BlockPalette(Session& session);

    QAbstractItemModel* model() { return &m_model; }
    const std::vector<BlockEntry>& rows() const { return m_model.rows(); }
    QString filter() const { return m_filter; }
    void setFilter(const QString& filter);
    BlockHabits& habits() { return m_habits; }

    Q_INVOKABLE void toggleFavourite(const QString& type) { m_habits.toggleFavourite(type); }
    /// Open or close the group below a heading.
    Q_INVOKABLE void toggleGroup(const QString& group) { m_habits.toggleGroup(group); }

  signals:
    void filterChanged();

  private:
    using Types = std::vector<const BlockType*>;

    void update();
    void addGroup(std::vector<BlockEntry>& rows, const QString& group, const QString& title, const Types& types) const;
    Types named(const QStringList& names) const;

    Session& m_session;
    BlockHabits m_habits;
    RowModel<BlockEntry> m_model;
    QString m_filter;
};

}  // namespace weir::editor
