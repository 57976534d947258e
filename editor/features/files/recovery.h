#pragma once

#include "core/document/recovered_changes.h"
#include "core/document/recovery_journal.h"

#include <QObject>

#include <vector>

namespace weir::editor {

class DocumentFiles;
class Session;

/// Keeps unsaved changes safe from a crash, and offers what an earlier crash left.
class Recovery : public QObject {
    Q_OBJECT

  public:
    Recovery(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    void start(const QString& folder);
    RecoveryJournal& journal() { return m_journal; }

  signals:
    /// The document has its changes back. `runs`: folders that were made of it while it had no file.
    void recovered(const QStringList& runs);

  private:
    void offerNext();
    QString question(const RecoveredChanges& changes) const;
    void askToRecover();
    void recover();
    void showDifference();
    void forget();

    Session& m_session;
    DocumentFiles& m_files;
    RecoveryJournal m_journal;
    std::vector<RecoveredChanges> m_found; ///< the first one is offered
};

} // namespace weir::editor
