#pragma once

#include "core/rows/row_model.h"

#include <QCoreApplication>
#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

class Memory;

/// Frequently used folder.
struct Place {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString path MEMBER path)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(bool bookmark MEMBER bookmark)

  public:
    QString title;
    QString path;
    QString heading; ///< of this place and the next ones; empty: unchanged
    bool bookmark = false;

    bool operator==(const Place&) const = default;
};

/// Folders of the user and the project, bookmarks, and folders of recently chosen files.
class Places {
    Q_DECLARE_TR_FUNCTIONS(Places)

  public:
    explicit Places(Memory& memory) : m_memory(memory) {}

    QAbstractItemModel* model() { return &m_rows; }
    /// Read the places again. `project`: its folder, or empty.
    void refresh(const QString& project);
    bool isBookmark(const QString& folder) const { return bookmarks().contains(folder); }
    void setBookmark(const QString& folder, bool bookmark);
    /// Record that a file was chosen in the folder.
    void visited(const QString& folder);

  private:
    QStringList bookmarks() const;
    QStringList recent() const;

    Memory& m_memory;
    QString m_project;
    RowModel<Place> m_rows;
};

}  // namespace weir::editor
