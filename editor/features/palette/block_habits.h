#pragma once

#include <QObject>
#include <QStringList>

namespace weir::editor {

class Memory;

/// Which types of blocks the user likes and used last; remembered from one start to the next.
class BlockHabits : public QObject {
    Q_OBJECT

  public:
    explicit BlockHabits(Memory& memory, QObject* parent = nullptr) : QObject(parent), m_memory(memory) {}

    /// In the order in which they were chosen.
    QStringList favourites() const;
    void toggleFavourite(const QString& type);
    /// The last one first.
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

} // namespace weir::editor
