#pragma once

#include "core/document/recovered_changes.h"
#include "core/document/recovery_journal.h"

#include <QObject>

#include <vector>

namespace weir::editor {

class DocumentFiles;
class Session;

/// Protects unsaved changes against a crash, and offers changes left by an earlier crash.
class Recovery : public QObject {
    Q_OBJECT

  public:
    Recovery(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    void start(const QString& folder);
    RecoveryJournal& journal() { return m_journal; }

  signals:
    /// Emitted when the document has its changes back. `runs`: folders of runs made while it had no file.
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
