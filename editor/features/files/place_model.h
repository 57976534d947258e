#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

class Memory;

/// Folders that one goes to often: where the user and the project are at home, the user's bookmarks, and the folders where
/// a file was chosen lately.
class PlaceModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of FileChooser")

  public:
    enum Role { TitleRole = Qt::UserRole + 1, PathRole, HeadingRole, BookmarkRole };

    explicit PlaceModel(Memory& memory, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Reads the places anew; `project`: its folder, or empty.
    void refresh(const QString& project);
    bool isBookmark(const QString& folder) const { return bookmarks().contains(folder); }
    void setBookmark(const QString& folder, bool bookmark);
    /// A file was chosen there.
    void visited(const QString& folder);

  private:
    struct Place {
        QString title;
        QString path;
        QString section;
        bool bookmark = false;
    };

    QStringList bookmarks() const;
    QStringList recent() const;
    void add(const QString& title, const QString& path, const QString& section, bool bookmark = false);

    Memory& m_memory;
    QString m_project;
    std::vector<Place> m_places;
};

}  // namespace weir::editor
