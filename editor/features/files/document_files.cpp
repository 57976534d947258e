#include "document_files.h"

#include "canonical_json.h"
#include "editor.h"
#include "json_reader.h"
#include "local_path.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QQuickWindow>
#include <QRegularExpression>

using namespace weir::editor;

namespace {

const QString kDiskBar = QStringLiteral("disk");
const QString kReplaceBar = QStringLiteral("replace");

QQuickItem *visibleItem(QQuickItem *root, const QString &name)
{
    if (!root->isVisible())
        return nullptr;
    if (root->objectName() == name)
        return root;
    const auto children = root->childItems();
    for (QQuickItem *child : children)
        if (QQuickItem *found = visibleItem(child, name))
            return found;
    return nullptr;
}

} // namespace

DocumentFiles::DocumentFiles(Editor &editor, QObject *parent)
    : QObject(parent), m_editor(editor), m_recent(*editor.memory())
{
    registerActions();
    connect(&editor.document(), &Document::pathChanged, this, &DocumentFiles::follow);
    connect(&m_watch, &FileWatch::changed, this, &DocumentFiles::receive);
    // A question whether to replace a file was about the document that is gone.
    connect(&editor.document(), &Document::replaced, this, [this] { m_bars.remove(kReplaceBar); });
}

void DocumentFiles::registerActions()
{
    Actions &actions = m_editor.actions();
    const auto unsaved = [this] { return m_editor.isModified() || !m_editor.hasFile(); };
    actions.add({.id = QStringLiteral("file.new"), .group = ActionGroup::File, .title = tr("New"),
                 .shortcuts = {QStringLiteral("Ctrl+N")}, .run = [this] { newProject(); }});
    actions.add({.id = QStringLiteral("file.open"), .group = ActionGroup::File, .title = tr("Open…"),
                 .shortcuts = {QStringLiteral("Ctrl+O")}, .run = [this] { chooseProject(); }});
    actions.add({.id = QStringLiteral("file.recent"), .group = ActionGroup::File, .title = tr("Open recent…"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+O")}});
    actions.add({.id = QStringLiteral("file.save"), .group = ActionGroup::File, .title = tr("Save"),
                 .shortcuts = {QStringLiteral("Ctrl+S")}, .enabled = unsaved, .run = [this] { save(); }});
    actions.add({.id = QStringLiteral("file.save_as"), .group = ActionGroup::File, .title = tr("Save as…"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+S")}, .run = [this] { giveUpSaving(); emit saveNameNeeded(); }});
    actions.add({.id = QStringLiteral("file.reload"), .group = ActionGroup::File, .title = tr("Reload from disk"),
                 .enabled = [this] { return m_editor.hasFile(); }, .run = [this] { reload(); }});
}

void DocumentFiles::registerQuit()
{
    m_editor.actions().add({.id = QStringLiteral("file.quit"), .group = ActionGroup::File, .title = tr("Quit"),
                            .shortcuts = {QStringLiteral("Ctrl+Q")}, .run = [this] { quit(); }});
}

void DocumentFiles::guard(std::function<void()> then)
{
    m_pending = std::move(then);
    if (m_editor.isModified())
        emit unsavedAsked();
    else
        proceed();
}

void DocumentFiles::proceed()
{
    if (const auto then = std::exchange(m_pending, {}))
        then();
}

void DocumentFiles::answerUnsaved(const QString &answer)
{
    if (answer == QLatin1String("save")) {
        writeOrAsk();
    } else if (answer == QLatin1String("discard")) {
        emit abandoned();
        proceed();
    } else {
        m_pending = {};
    }
}

void DocumentFiles::replacing(const QString &path, std::function<void()> then)
{
    m_bars.remove(kReplaceBar);
    if (!QFileInfo::exists(path)) {
        then();
        return;
    }
    m_bars.show({kReplaceBar,
                 Bar::Kind::Warning,
                 tr("%1 is there already.").arg(QFileInfo(path).fileName()),
                 {{QStringLiteral("replace"), tr("Replace it"), std::move(then)}}});
}

void DocumentFiles::newProject()
{
    guard([this] { m_editor.newDocument(); });
}

void DocumentFiles::chooseProject()
{
    guard([this] { emit openNameNeeded(); });
}

void DocumentFiles::open(const QString &path)
{
    guard([this, path] {
        if (path.endsWith(QLatin1String(".grc"), Qt::CaseInsensitive))
            m_editor.exchange()->importFlowgraph(path);
        else if (!m_editor.openPath(path))
            m_recent.refresh();
    });
}

void DocumentFiles::openCopy(const QString &path)
{
    guard([this, path] { m_editor.setNotice(m_editor.document().openCopy(path)); });
}

void DocumentFiles::openUrl(const QUrl &url)
{
    if (const QString path = localPath(url); !path.isEmpty())
        open(path);
    else
        m_editor.setNotice(tr("%1 is not a file of this machine").arg(url.toString()));
}

void DocumentFiles::quit()
{
    if (!m_editor.runner()->mayQuit())
        return;
    guard([this] { emit quitAccepted(); });
}

void DocumentFiles::save()
{
    m_pending = {};
    writeOrAsk();
}

void DocumentFiles::writeOrAsk()
{
    const QString path = m_editor.document().path();
    if (path.isEmpty()) {
        emit saveNameNeeded();
        return;
    }
    if (m_watch.check(true) == FileWatch::State::Changed && m_watch.seen() != m_accepted)
        askAboutDisk(true);
    else
        write(path);
}

void DocumentFiles::saveAs(const QUrl &file)
{
    const QString path = localPath(file);
    if (QFileInfo(path).absoluteFilePath() == m_editor.document().path())
        writeOrAsk();
    else
        replacing(path, [this, path] { write(path); });
}

QString DocumentFiles::proposedName(const QString &suffix) const
{
    static const QRegularExpression ending(QStringLiteral("(\\.weir)?\\.json$"));
    const Document &document = m_editor.document();
    const QString file = document.path().isEmpty() ? document.origin() : document.path();
    QString name = file.isEmpty() ? string(document.json(), "name") : QFileInfo(file).fileName().remove(ending);
    name.remove(u'/');
    return (name.isEmpty() ? tr("untitled") : name) + u'.' + suffix;
}

QUrl DocumentFiles::proposedFile(const QString &suffix) const
{
    const QString path = m_editor.document().path();
    const QString folder = path.isEmpty() ? QDir::homePath() : QFileInfo(path).absolutePath();
    return QUrl::fromLocalFile(folder + u'/' + proposedName(suffix));
}

QQuickItem *DocumentFiles::dialogNameField() const
{
    const auto windows = QGuiApplication::topLevelWindows();
    for (QWindow *window : windows) {
        const auto *quick = qobject_cast<QQuickWindow *>(window);
        if (quick && quick->isVisible())
            if (QQuickItem *found = visibleItem(quick->contentItem(), QStringLiteral("fileNameTextField")))
                return found;
    }
    return nullptr;
}

void DocumentFiles::write(const QString &path)
{
    const QString failure = m_editor.document().save(path);
    m_editor.setNotice(failure);
    if (failure.isEmpty())
        proceed();
    else
        m_pending = {};
}

void DocumentFiles::reload()
{
    m_pending = {};
    m_editor.setNotice(m_editor.document().reload());
    follow();
}

void DocumentFiles::follow()
{
    const Document &document = m_editor.document();
    m_accepted = {};
    m_watch.watch(document.path(), document.stamp());
    m_bars.remove(kDiskBar);
    if (!document.path().isEmpty())
        m_recent.add(document.path());
}

void DocumentFiles::look()
{
    m_watch.check(false);
}

void DocumentFiles::receive(FileWatch::State state)
{
    Document &document = m_editor.document();
    switch (state) {
    case FileWatch::State::Same:
        m_bars.remove(kDiskBar);
        document.setDetached(false);
        break;
    case FileWatch::State::Missing:
        document.setDetached(true);
        m_bars.show({kDiskBar,
                     Bar::Kind::Warning,
                     tr("%1 was deleted or moved. The project is still here; Save writes it again.").arg(document.displayName()),
                     {{QStringLiteral("save"), tr("Save"), [this] { save(); }, false},
                      {QStringLiteral("save_as"), tr("Save as…"), [this] { emit saveNameNeeded(); }, false}}});
        break;
    case FileWatch::State::Changed:
        if (document.undoStack().isClean() && !m_accepted.exists)
            takeOver();
        else
            askAboutDisk(false);
        break;
    }
}

void DocumentFiles::takeOver()
{
    Document &document = m_editor.document();
    const QString failure = document.reload();
    if (!failure.isEmpty()) {
        document.setDetached(true);
        askAboutDisk(false, failure);
        return;
    }
    follow();
    m_editor.setNotice(tr("%1 changed on disk and was read again; Undo brings back what was here.").arg(document.displayName()),
                       true);
}

void DocumentFiles::askAboutDisk(bool saving, const QString &unreadable)
{
    const QString name = m_editor.documentName();
    const QString text = !unreadable.isEmpty() ? tr("%1 changed on disk, and what is there now is no project. %2").arg(name, unreadable)
                         : saving ? tr("%1 was not saved: it changed on disk since it was opened.").arg(name)
                                  : tr("%1 changed on disk, and there are changes here that are not saved.").arg(name);
    std::vector<Bar::Choice> choices;
    if (unreadable.isEmpty()) {
        choices.push_back({QStringLiteral("reload"), tr("Reload"), [this] { reload(); }});
        choices.push_back({QStringLiteral("difference"), tr("Difference"),
                           [this] {
                               const auto disk = readProject(m_editor.document().path());
                               const auto *file = std::get_if<ProjectFile>(&disk);
                               m_difference.show(tr("From the file on disk to what is here"),
                                                 file ? QString::fromStdString(canonicalText(file->json)) : QString(),
                                                 QString::fromStdString(m_editor.document().canonicalText()));
                           },
                           false});
    }
    choices.push_back({saving ? QStringLiteral("overwrite") : QStringLiteral("keep"),
                       saving ? tr("Save over it") : tr("Keep mine"), [this, saving] {
                           m_accepted = m_watch.seen();
                           m_editor.document().setDetached(true);
                           if (saving)
                               writeOrAsk();
                       }});
    choices.push_back({QStringLiteral("save_as"), tr("Save as…"), [this] { emit saveNameNeeded(); }, false});
    m_bars.show({kDiskBar, Bar::Kind::Warning, text, std::move(choices), !saving});
}
