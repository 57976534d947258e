#include "features/files/document_files.h"

#include "core/json/canonical_json.h"
#include "core/json/json_reader.h"
#include "features/run/run_controller.h"
#include "shell/session/session.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

namespace weir::editor {
namespace {

const QString kDiskBar = QStringLiteral("disk");
const QString kLockBar = QStringLiteral("lock");

} // namespace

DocumentFiles::DocumentFiles(Session& session, RunController& runner, QObject* parent)
    : QObject(parent), m_session(session), m_runner(runner), m_recent(*session.memory()),
      m_chooser(*session.memory(), session.document()) {
    registerActions();
    connect(&session.document(), &Document::pathChanged, this, &DocumentFiles::follow);
    connect(&m_chooser, &FileChooser::chosen, this, [this](const QUrl& file) {
        // Do not open the file yet: the user may have to save changes first.
        if (m_chooser.mode() == FileChooser::SaveFile) m_lastFolder = QFileInfo(file.toLocalFile()).absolutePath();
    });
    connect(&m_watch, &FileWatch::changed, this, &DocumentFiles::receive);
    connect(&runner, &RunController::askingToQuitChanged, this, [this] {
        // The user keeps the run, so quitting is cancelled.
        if (m_runner.isRunning() && !m_runner.isAskingToQuit()) m_left = -1;
    });
}

void DocumentFiles::registerActions() {
    Actions& actions = m_session.actions();
    const auto unsaved = [this] {
        return m_session.isModified() || !m_session.hasFile() || m_session.document().isLookOnly();
    };
    actions.add({.id = QStringLiteral("file.new"),
                 .group = ActionGroup::File,
                 .title = tr("New"),
                 .shortcuts = {QStringLiteral("Ctrl+N")},
                 .run = [this] { newProject(); }});
    actions.add({.id = QStringLiteral("file.open"),
                 .group = ActionGroup::File,
                 .title = tr("Open…"),
                 .shortcuts = {QStringLiteral("Ctrl+O")},
                 .run = [this] { chooseProject(); }});
    actions.add({.id = QStringLiteral("file.recent"),
                 .group = ActionGroup::File,
                 .title = tr("Open recent…"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+O")}});
    actions.add({.id = QStringLiteral("file.save"),
                 .group = ActionGroup::File,
                 .title = tr("Save"),
                 .shortcuts = {QStringLiteral("Ctrl+S")},
                 .enabled = unsaved,
                 .run = [this] { save(); }});
    actions.add({.id = QStringLiteral("file.save_as"),
                 .group = ActionGroup::File,
                 .title = tr("Save as…"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+S")},
                 .run = [this] {
                     giveUp();
                     emit saveNameNeeded();
                 }});
    actions.add({.id = QStringLiteral("file.reload"),
                 .group = ActionGroup::File,
                 .title = tr("Reload from disk"),
                 .enabled = [this] { return m_session.hasFile(); },
                 .run = [this] { reload(); }});
}

void DocumentFiles::registerQuit() {
    m_session.actions().add({.id = QStringLiteral("file.quit"),
                             .group = ActionGroup::File,
                             .title = tr("Quit"),
                             .shortcuts = {QStringLiteral("Ctrl+Q")},
                             .run = [this] { quit(); }});
}

void DocumentFiles::guard(std::function<void()> then, bool quits) {
    // While a question is open, another action waits to ask its own: the first answer must not apply to it. Quitting
    // does not wait.
    if (m_pending && !quits) {
        m_waiting.push_back(std::move(then));
        return;
    }
    m_pending = std::move(then);
    if (m_session.isModified()) emit saveDecisionNeeded(quits);
    else proceed();
}

void DocumentFiles::proceed() {
    if (const auto then = std::exchange(m_pending, {})) then();
    askNext();
}

void DocumentFiles::giveUp() {
    m_pending = {};
    askNext();
}

void DocumentFiles::askNext() {
    if (m_pending || m_waiting.empty()) return;
    auto next = std::move(m_waiting.front());
    m_waiting.pop_front();
    guard(std::move(next));
}

void DocumentFiles::answerUnsaved(const QString& answer) {
    if (answer == QLatin1String("save")) writeOrAsk();
    else if (answer == QLatin1String("discard")) proceed();
    else giveUp();
}

void DocumentFiles::newProject() {
    guard([this] { m_session.newDocument(); });
}

void DocumentFiles::chooseProject() {
    // Ask about changes after the user has chosen a file.
    emit openNameNeeded();
}

void DocumentFiles::open(const QString& path) {
    if (path.endsWith(QLatin1String(".grc"), Qt::CaseInsensitive)) {
        // Ask about changes after the import has succeeded, not twice.
        m_lastFolder = QFileInfo(path).absolutePath();
        emit flowgraphChosen(path);
        return;
    }
    guard([this, path] {
        m_lastFolder = QFileInfo(path).absolutePath();
        if (!m_session.openPath(path)) m_recent.refresh();
    });
}

void DocumentFiles::openCopy(const QString& path) {
    guard([this, path] { m_session.setNotice(m_session.document().openCopy(path)); });
}

void DocumentFiles::openUrl(const QUrl& url) {
    if (const QString path = url.toLocalFile(); !path.isEmpty()) open(path);
    else m_session.setNotice(tr("%1 is not a local file").arg(url.toString()));
}

void DocumentFiles::quit() {
    // Ask one question: about the changes, which also covers a run, or else about the run.
    if (m_left == m_session.document().revision()) acceptQuit();
    else if (m_session.isModified()) guard([this] { leave(); }, true);
    else if (m_runner.mayQuit()) emit quitAccepted();
}

void DocumentFiles::leave() {
    m_left = m_session.document().revision();
    if (m_runner.isRunning()) m_runner.answerQuit(true);  // calls `quit` again once the run has ended
    else acceptQuit();
}

void DocumentFiles::acceptQuit() {
    emit abandoned();
    emit quitAccepted();
}

void DocumentFiles::save() {
    m_pending = {};
    writeOrAsk();
}

void DocumentFiles::writeOrAsk() {
    const QString path = m_session.document().path();
    if (path.isEmpty() || m_session.document().isLookOnly()) {
        emit saveNameNeeded();
        return;
    }
    if (m_watch.check(true) == FileWatch::State::Changed && m_watch.seen() != m_accepted) askAboutDisk(true);
    else write(path);
}

void DocumentFiles::saveAs(const QUrl& file) {
    const QString path = file.toLocalFile();
    if (QFileInfo(path).absoluteFilePath() == m_session.document().path() && !m_session.document().isLookOnly())
        return writeOrAsk();
    if (!m_lock.isTaken(path)) return write(path);
    giveUp();
    m_session.setNotice(
        tr("Nothing was saved: %1 is open in another window. Choose another name.").arg(QFileInfo(path).fileName()));
}

QString DocumentFiles::proposedName(const QString& suffix) const {
    const Document& document = m_session.document();
    const QString file = document.path().isEmpty() ? document.origin() : document.path();
    QString name = file.isEmpty() ? string(document.json(), "name") : projectStem(file);
    name.remove(u'/');
    return (name.isEmpty() ? tr("untitled") : name) + u'.' + suffix;
}

QUrl DocumentFiles::proposedFile(const QString& suffix) const {
    const QString path = m_session.document().path();
    // A desktop starts programs in the root folder, where nobody keeps projects.
    const QString started = QDir::current().isRoot() ? QDir::homePath() : QDir::currentPath();
    const QString folder = !path.isEmpty()          ? QFileInfo(path).absolutePath()
                           : m_lastFolder.isEmpty() ? started
                                                    : m_lastFolder;
    return QUrl::fromLocalFile(folder + u'/' + proposedName(suffix));
}

int DocumentFiles::nextRecent() const { return m_recent.firstBut(m_session.document().path()); }

void DocumentFiles::write(const QString& path) {
    const QString failure = m_session.document().save(path);
    m_session.setNotice(failure);
    if (failure.isEmpty()) proceed();
    else giveUp();
}

void DocumentFiles::reload() {
    m_pending = {};
    m_session.setNotice(m_session.document().reload());
    follow();
}

void DocumentFiles::follow() {
    const Document& document = m_session.document();
    m_accepted = {};
    m_watch.watch(document.path(), document.stamp());
    m_bars.remove(kDiskBar);
    if (!document.path().isEmpty()) {
        m_recent.add(document.path());
        m_lastFolder = QFileInfo(document.path()).absolutePath();
    }
    lock();
}

void DocumentFiles::remember(const QString& lockFolder) {
    m_recent.refresh();
    m_lock.setFolder(lockFolder);
    lock();
}

void DocumentFiles::lock() {
    Document& document = m_session.document();
    const bool isSame = document.path() == m_lockedPath;
    m_lockedPath = document.path();
    m_editsAnyway = m_editsAnyway && isSame;
    if (m_lock.take(document.path())) {
        m_editsAnyway = false;
        edit();
    } else if (!m_editsAnyway) {
        document.setLookOnly(true);
        askAboutLock(isSame && m_bars.bar(kLockBar));
    }
}

void DocumentFiles::askAboutLock(bool isDecided) {
    const ProjectLock::Owner& owner = m_lock.owner();
    const QString name = m_session.documentName();
    QString text =
        isDecided ? tr("%1 is read-only here: it is open in another window.").arg(name)
                  : tr("%1 is open in another window. The window that saves last overwrites the changes of the other.")
                        .arg(name);
    if (owner.since.isValid())
        text += u' ' + tr("The other window opened it at %1.")
                           .arg(QLocale().toString(owner.since.toLocalTime(), QLocale::ShortFormat));
    if (owner.process > 0) text += u' ' + tr("The other process is %1.").arg(owner.process);
    std::vector<Bar::Choice> choices;
    if (isDecided)
        choices.push_back({QStringLiteral("save_as"), tr("Save as…"), [this] { emit saveNameNeeded(); }, false});
    else choices.push_back({QStringLiteral("look"), tr("Open read-only"), [this] { askAboutLock(true); }, false});
    choices.push_back({QStringLiteral("edit"), tr("Open anyway to edit"),
                       [this] {
                           m_editsAnyway = true;
                           edit();
                       },
                       false});
    m_bars.show({kLockBar, Bar::Kind::Warning, text, std::move(choices), false});
}

void DocumentFiles::edit() {
    m_session.document().setLookOnly(false);
    m_bars.remove(kLockBar);
}

void DocumentFiles::look() {
    m_watch.check(false);
    // The other window may have closed.
    lock();
}

void DocumentFiles::receive(FileWatch::State state) {
    Document& document = m_session.document();
    switch (state) {
        case FileWatch::State::Same:
            m_bars.remove(kDiskBar);
            document.setDetached(false);
            break;
        case FileWatch::State::Missing:
            document.setDetached(true);
            m_bars.show({kDiskBar,
                         Bar::Kind::Warning,
                         tr("%1 was deleted or moved. The project is still open; Save writes the file again.")
                             .arg(document.displayName()),
                         {{QStringLiteral("save"), tr("Save"), [this] { save(); }, false},
                          {QStringLiteral("save_as"), tr("Save as…"), [this] { emit saveNameNeeded(); }, false}}});
            break;
        case FileWatch::State::Changed:
            if (document.undoStack().isClean() && !m_accepted.exists) takeOver();
            else askAboutDisk(false);
            break;
    }
}

void DocumentFiles::takeOver() {
    Document& document = m_session.document();
    const QString failure = document.reload();
    if (!failure.isEmpty()) {
        document.setDetached(true);
        askAboutDisk(false, failure);
        return;
    }
    follow();
    m_session.setNotice(
        (document.isLookOnly() ? tr("%1 changed on disk and was reloaded.")
                               : tr("%1 changed on disk and was reloaded. Undo restores the version before."))
            .arg(document.displayName()),
        true);
}

void DocumentFiles::askAboutDisk(bool saving, const QString& unreadable) {
    const QString name = m_session.documentName();
    const QString text = !unreadable.isEmpty()
                             ? tr("%1 changed on disk and is no longer a project. %2").arg(name, unreadable)
                         : saving ? tr("%1 was not saved: it changed on disk since it was opened.").arg(name)
                                  : tr("%1 changed on disk, and the project here has unsaved changes.").arg(name);
    std::vector<Bar::Choice> choices;
    if (unreadable.isEmpty()) {
        choices.push_back({QStringLiteral("reload"), tr("Reload"), [this] { reload(); }});
        choices.push_back({QStringLiteral("difference"), tr("Difference"),
                           [this] {
                               const auto disk = readProject(m_session.document().path());
                               const auto* file = std::get_if<ProjectFile>(&disk);
                               m_difference.show(tr("From the file on disk to the project here"),
                                                 file ? QString::fromStdString(canonicalText(file->json)) : QString(),
                                                 QString::fromStdString(m_session.document().canonicalText()));
                           },
                           false});
    }
    choices.push_back({saving ? QStringLiteral("overwrite") : QStringLiteral("keep"),
                       saving ? tr("Overwrite") : tr("Keep mine"), [this, saving] {
                           m_accepted = m_watch.seen();
                           m_session.document().setDetached(true);
                           if (saving) writeOrAsk();
                       }});
    choices.push_back({QStringLiteral("save_as"), tr("Save as…"), [this] { emit saveNameNeeded(); }, false});
    m_bars.show({kDiskBar, Bar::Kind::Warning, text, std::move(choices), !saving});
}

}  // namespace weir::editor
