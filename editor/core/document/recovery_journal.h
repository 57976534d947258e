#pragma once

#include "core/document/document.h"

#include <QLockFile>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <memory>

namespace weir::editor {

/// Keeps a copy of unsaved changes in a folder of the user, for after a crash. Each document has one file, and beside
/// it a lock that shows whether its editor still lives.
class RecoveryJournal : public QObject {
    Q_OBJECT

  public:
    explicit RecoveryJournal(Document& document, QObject* parent = nullptr);
    ~RecoveryJournal() override;

    /// Starts the journal; before this, it writes nothing.
    void start(const QString& folder);
    /// Sets the run folders of a document without a file, so that recovery finds them again.
    void keepRuns(const QStringList& runs);
    /// Writes pending changes and waits. Returns why that failed, or an empty string.
    QString flush();
    /// The user discards the present changes: neither a timer nor the end of the program writes them again.
    void abandon();
    /// Return the file of the present document; empty if there is nothing to keep.
    QString file() const { return m_file; }
    QString failure() const { return m_failure; }

  signals:
    void written();
    /// Writing failed, or works again; then `why` is empty.
    void failureChanged(const QString& why);

  private:
    void schedule();
    bool isNeeded() const;
    void discard();
    void write();
    QString prepare();
    QByteArray content() const;
    void settle(const QString& failure);

    Document& m_document;
    QString m_folder;
    QString m_file;
    QString m_failure;
    QStringList m_runs;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_quiet;
    QTimer m_latest;
    QThreadPool m_pool;  ///< one thread: writes stay in order, and the window does not wait for the disk
    int m_writtenRevision = -1;
    int m_abandonedRevision = -1;
};

}  // namespace weir::editor
