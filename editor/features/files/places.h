#pragma once

#include "core/rows/row_model.h"

#include <QCoreApplication>
#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

class Memory;

/// A folder that one goes to often.
struct Place {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString path MEMBER path)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(bool bookmark MEMBER bookmark)

  public:
    QString title;
    QString path;
    QString heading; ///< of it and those that follow; empty: the same as before
    bool bookmark = false;

    bool operator==(const Place&) const = default;
};

/// Places of the user and the project, the bookmarks, and the folders where a file was chosen lately.
class Places {
    Q_DECLARE_TR_FUNCTIONS(Places)

  public:
    explicit Places(Memory& memory) : m_memory(memory) {}

    QAbstractItemModel* model() { return &m_rows; }
    /// Reads the places anew; `project`: its folder, or empty.
    void refresh(const QString& project);
    bool isBookmark(const QString& folder) const { return bookmarks().contains(folder); }
    void setBookmark(const QString& folder, bool bookmark);
    /// A file was chosen there.
    void visited(const QString& folder);

  private:
    QStringList bookmarks() const;
    QStringList recent() const;

    Memory& m_memory;
    QString m_project;
    RowModel<Place> m_rows;
};

}  // namespace weir::editor
