#include "features/files/recovery.h"

#include "core/json/canonical_json.h"
#include "features/files/document_files.h"
#include "shell/session/session.h"

#include <QFileInfo>
#include <QLocale>

namespace weir::editor {
namespace {

const QString kOfferBar = QStringLiteral("recovery");
const QString kFailureBar = QStringLiteral("journal");

} // namespace

Recovery::Recovery(Session& session, DocumentFiles& files, QObject* parent)
    : QObject(parent), m_session(session), m_files(files), m_journal(session.document()) {
    connect(&files, &DocumentFiles::abandoned, &m_journal, &RecoveryJournal::abandon);
    connect(&m_journal, &RecoveryJournal::failureChanged, this, [this](const QString& why) {
        if (why.isEmpty()) m_files.bars()->remove(kFailureBar);
        else
            m_files.bars()->show({kFailureBar,
                                  Bar::Kind::Warning,
                                  tr("The editor cannot back up unsaved changes: %1. Save often.").arg(why),
                                  {}});
    });
}

void Recovery::start(const QString& folder) {
    m_found = takeRecoveredChanges(folder);
    m_journal.start(folder);
    offerNext();
}

QString Recovery::question(const RecoveredChanges& changes) const {
    const QDateTime time = changes.written.toLocalTime();
    const QString when = time.date() == QDate::currentDate() ? time.toString(QStringLiteral("HH:mm"))
                                                             : QLocale().toString(time, QLocale::ShortFormat);
    if (!changes.damage.isEmpty())
        return tr("The unsaved changes of a session at %1 cannot be read: %2").arg(when, changes.damage);
    QString text = tr("Changes of %1 from %2 were not saved.").arg(changes.name(), when);
    const FileStamp now = changes.path.isEmpty() ? FileStamp() : FileStamp::ofFile(changes.path);
    if (!changes.path.isEmpty() && !now.exists) text += u' ' + tr("The file no longer exists.");
    else if (!changes.path.isEmpty() && now.hash != changes.baseHash)
        text += u' ' + tr("The file has changed since then.");
    if (m_found.size() > 1) text += u' ' + tr("(1 of %1)").arg(m_found.size());
    return text;
}

void Recovery::offerNext() {
    Bars* bars = m_files.bars();
    if (m_found.empty()) {
        bars->remove(kOfferBar);
        return;
    }
    Bar bar{kOfferBar, Bar::Kind::Question, question(m_found.front()), {}, false};
    if (m_found.front().damage.isEmpty()) {
        bar.choices.push_back({QStringLiteral("recover"), tr("Recover"), [this] { askToRecover(); }, false});
        bar.choices.push_back({QStringLiteral("difference"), tr("Difference"), [this] { showDifference(); }, false});
    }
    bar.choices.push_back({QStringLiteral("discard"), tr("Discard"), [this] { forget(); }, false});
    bars->show(std::move(bar));
}

void Recovery::askToRecover() {
    // The changes may have been discarded while the question about unsaved changes was open.
    m_files.guard([this, file = m_found.front().file] {
        if (!m_found.empty() && m_found.front().file == file) recover();
    });
}

void Recovery::recover() {
    const RecoveredChanges& changes = m_found.front();
    Document& document = m_session.document();
    const bool isOpen = !changes.path.isEmpty() && document.path() == changes.path && !document.isModified();
    const bool isThere = isOpen || (QFileInfo(changes.path).isFile() && m_session.openPath(changes.path));
    if (isThere && !document.isLookOnly())
        document.replaceContent(tr("Recover changes of %1").arg(changes.name()), changes.document);
    else document.startWith(changes.document, changes.path);
    emit recovered(changes.runs);
    m_session.setNotice({});
    m_files.difference()->close();
    // Delete the old copy only after the new one is written; otherwise the next start offers it again.
    if (m_journal.flush().isEmpty()) forget();
    else offerNext();
}

void Recovery::showDifference() {
    const RecoveredChanges& changes = m_found.front();
    const auto disk = readProject(changes.path);
    const auto* file = std::get_if<ProjectFile>(&disk);
    m_files.difference()->show(tr("From the file to the changes of %1").arg(changes.name()),
                               file ? QString::fromStdString(canonicalText(file->json)) : QString(),
                               QString::fromStdString(canonicalText(changes.document)));
}

void Recovery::forget() {
    m_files.difference()->close();
    m_found.front().forget();
    m_found.erase(m_found.begin());
    offerNext();
}

} // namespace weir::editor
