#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QDateTime>
#include <QFileSystemWatcher>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace weir::editor {

/// Content of a folder: its folders, then the files that pass the filter. Another thread reads it, so the window waits
/// neither for a slow disk nor, when it closes, for a dead one.
class FolderModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of FileChooser")
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)
    Q_PROPERTY(bool reading READ isReading NOTIFY countChanged)
    /// Reason why the folder cannot be listed; empty if it can.
    Q_PROPERTY(QString failure READ failure NOTIFY countChanged)
    Q_PROPERTY(QString prefix READ prefix NOTIFY countChanged)
    Q_PROPERTY(bool hidden READ showsHidden WRITE setShowsHidden NOTIFY orderChanged)
    Q_PROPERTY(bool byDate READ isByDate NOTIFY orderChanged)
    Q_PROPERTY(bool backwards READ isBackwards NOTIFY orderChanged)

  public:
    enum Role { NameRole = Qt::UserRole + 1, PathRole, FolderRole, SizeRole, ChangedRole };

    struct Entry {
        QString name;
        bool isFolder = false;
        bool isHidden = false;
        qint64 size = 0;
        QDateTime changed;
    };
    struct Listing {
        std::vector<Entry> entries;
        QString failure;
    };
    /// Reads a folder, in a separate thread.
    using Reader = std::function<Listing(const QString& folder)>;

    explicit FolderModel(QObject* parent = nullptr, Reader reader = listingOf);
    ~FolderModel() override;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Read the folder, even if it is already shown.
    void show(const QString& folder);
    /// Stop watching the folder, until the next is shown.
    void rest();
    QString folder() const { return m_folder; }
    /// Show only files with these suffixes, such as `.weir.json`; none: every file.
    void setSuffixes(const QStringList& suffixes);
    /// Prefix of the shown names, ignoring case.
    QString prefix() const { return m_prefix; }
    void setPrefix(const QString& prefix);
    bool showsHidden() const { return m_hidden; }
    void setShowsHidden(bool hidden);
    bool isByDate() const { return m_byDate; }
    bool isBackwards() const { return m_backwards; }
    /// Sort by name or date; reverse the order if it is already sorted so. Folders stay first.
    Q_INVOKABLE void orderBy(bool date);

    bool isReading() const { return m_answered != m_requested; }
    QString failure() const { return m_failure; }
    Q_INVOKABLE int rowOf(const QString& path) const;
    Q_INVOKABLE QString pathAt(int row) const;
    Q_INVOKABLE QString nameAt(int row) const;
    Q_INVOKABLE bool isFolder(int row) const;

  signals:
    void countChanged();
    void orderChanged();

  private:
    struct Letterbox;

    static Listing listingOf(const QString& folder);
    void receive(int requested, Listing listing);
    void stopWatching();
    void arrange();
    bool isShown(const Entry& entry) const;
    const Entry* entryAt(int row) const;

    Reader m_reader;
    std::unique_ptr<QThreadPool> m_pool;
    std::shared_ptr<Letterbox> m_letterbox;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;
    QString m_folder;
    QStringList m_suffixes;
    QString m_prefix;
    QString m_failure;
    std::vector<Entry> m_all;
    std::vector<int> m_rows; ///< indexes into m_all, in the shown order
    int m_requested = 0;     ///< number of the requested listing; m_answered is that of the shown one
    int m_answered = 0;
    bool m_hidden = false;
    bool m_byDate = false;
    bool m_backwards = false;
};

} // namespace weir::editor
