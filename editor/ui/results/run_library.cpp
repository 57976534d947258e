#include "run_library.h"

#include "editor.h"
#include "json_reader.h"
#include "run_text.h"

#include <QDesktopServices>
#include <QDir>

using namespace weir::editor;

namespace {

constexpr int kMostNote = 1000;

} // namespace

RunLibrary::RunLibrary(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    connect(&editor, &Editor::problemsChanged, this, [this] { m_runs.setEssence(m_editor.essence()); });
    connect(&editor.document(), &Document::pathChanged, this, &RunLibrary::refresh);
    connect(&editor.document(), &Document::replaced, this, [this] {
        // What is listed is of another project.
        m_runs.setRuns(Json::array(), {});
        emit listed();
        refresh();
    });
}

QString RunLibrary::folder() const
{
    return m_folder.isEmpty() ? runsFolder(m_editor.document().path()) : m_folder;
}

void RunLibrary::setFolder(const QString &folder)
{
    m_folder = QDir(folder).absolutePath();
    refresh();
}

void RunLibrary::setFilter(const QString &filter)
{
    m_runs.setFilter(filter);
    emit filterChanged();
}

void RunLibrary::refresh()
{
    if (m_process) {
        m_again = true;
        return;
    }
    if (!QDir(folder()).exists()) {
        m_runs.setRuns(Json::array(), {});
        m_failure.clear();
        emit stateChanged();
        emit listed();
        return;
    }
    const QString project = QString::fromStdString(text(member(m_editor.document().json(), "name")));
    m_process = callCli(m_editor.command(),
                        {QStringLiteral("runs"), QStringLiteral("list"), QStringLiteral("--json"),
                         QStringLiteral("--damaged"), QStringLiteral("--out"), folder()},
                        {}, m_editor.document().folder(), this, [this, project](const CliAnswer &answer) {
                            m_process = nullptr;
                            const auto parsed = readJson(answer.output.toStdString());
                            const Json *rows = answer.exitCode == 0 ? std::get_if<Json>(&parsed) : nullptr;
                            m_failure = rows ? QString()
                                             : tr("The runs could not be listed: %1").arg(answer.explanation());
                            if (rows)
                                m_runs.setRuns(*rows, project);
                            m_runs.setEssence(m_editor.essence());
                            emit stateChanged();
                            emit listed();
                            if (std::exchange(m_again, false))
                                refresh();
                        });
    emit stateChanged();
}

void RunLibrary::setNote(const QString &path, const QString &note)
{
    const RunRow *run = m_runs.run(path);
    const QString text = note.trimmed().left(kMostNote);
    if (!run || run->note == text)
        return;
    const QString file = path + QStringLiteral("/note.txt");
    QString failure;
    if (!text.isEmpty())
        failure = writeWhole(file, text.toUtf8() + '\n');
    else if (QFile old(file); old.exists() && !old.remove())
        failure = old.errorString();
    if (failure.isEmpty())
        m_runs.setNote(path, text);
    else
        m_editor.setNotice(tr("The note was not kept: %1: %2").arg(file, failure));
    emit stateChanged();
}

void RunLibrary::remove(const QString &path)
{
    const RunRow *run = m_runs.run(path);
    if (!run)
        return;
    if (!run->isReadable()) {
        m_editor.setNotice(
            tr("%1 is not a run that can be read, and Weir removes nothing else. Look into the folder.").arg(run->id));
        return;
    }
    m_busy = tr("removing %1").arg(run->id);
    emit stateChanged();
    callCli(m_editor.command(),
            {QStringLiteral("runs"), QStringLiteral("rm"), path, QStringLiteral("--force"), QStringLiteral("--out"),
             folder()},
            {}, m_editor.document().folder(), this, [this, path](const CliAnswer &answer) {
                m_busy.clear();
                if (answer.exitCode == 0 && answer.started) {
                    m_runs.remove(path);
                    if (QFileInfo::exists(path))
                        m_editor.setNotice(
                            tr("The run was removed. What is not of the run was left in its folder: %1").arg(path));
                    emit removed(path);
                    emit listed();
                } else {
                    m_editor.setNotice(answer.explanation());
                }
                emit stateChanged();
            });
}

void RunLibrary::openFolder(const QString &path)
{
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        m_editor.setNotice(tr("Nothing on this machine opens folders. The run is in %1").arg(path));
}

void RunLibrary::openReport(const QString &path)
{
    const RunRow *run = m_runs.run(path);
    if (!run || !m_busy.isEmpty())
        return;
    m_busy = tr("making the report");
    emit stateChanged();
    QStringList words{QStringLiteral("report")};
    for (const RunRow &one : m_runs.repetitions(path))
        words.append(one.path);
    const QString page = path + QStringLiteral("/report.html");
    words << QStringLiteral("-o") << page;
    callCli(m_editor.command(), words, {}, m_editor.document().folder(), this, [this, page](const CliAnswer &answer) {
        m_busy.clear();
        if (answer.exitCode != 0 || !answer.started)
            m_editor.setNotice(answer.explanation());
        else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page)))
            m_editor.setNotice(tr("Nothing on this machine opens web pages. The report is %1").arg(page));
        emit stateChanged();
    });
}
