#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>

namespace weir::editor {

class Memory;

/// Recently opened or saved projects, latest first.
class RecentFiles : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of DocumentFiles")
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

  public:
    enum Role { PathRole = Qt::UserRole + 1, NameRole, FolderRole, MissingRole };

    explicit RecentFiles(Memory& memory, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QStringList paths() const { return m_paths; }
    Q_INVOKABLE QString pathAt(int row) const { return m_paths.value(row); }
    Q_INVOKABLE bool isMissing(int row) const { return m_missing.value(row); }
    /// Return the first row of an existing file other than this one; -1: none.
    int firstBut(const QString& path) const;
    void add(const QString& path);
    Q_INVOKABLE void clear() { setPaths({}); }
    Q_INVOKABLE void forget(const QString& path);
    /// Read the list again, and check which files exist.
    Q_INVOKABLE void refresh();

  signals:
    void countChanged();

  private:
    void setPaths(const QStringList& paths);
    void show(const QStringList& paths);

    Memory& m_memory;
    QStringList m_paths;
    QList<bool> m_missing;
};

/// Recent projects whose name or folder contains every typed word.
class RecentFilter : public QSortFilterProxyModel {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(QString typed READ typed WRITE setTyped NOTIFY typedChanged)

  public:
    explicit RecentFilter(QObject* parent = nullptr) : QSortFilterProxyModel(parent) {}

    QString typed() const { return m_words.join(u' '); }
    void setTyped(const QString& typed);
    /// Return the path of the first existing file; empty: none.
    Q_INVOKABLE QString firstPath() const;

  signals:
    void typedChanged();

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    QStringList m_words;
};

} // namespace weir::editor
