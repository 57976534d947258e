#include "features/runs/run_library.h"

#include "core/json/json_reader.h"
#include "core/runs/run_folders.h"
#include "features/run/run_controller.h"
#include "features/run/run_text.h"
#include "shell/session/session.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

constexpr int kMostNote = 1000;
constexpr std::chrono::minutes kPatience{5}; ///< figures of many long runs take time

/// Return each folder as an option of `weir runs`.
QStringList outOptions(const QStringList& folders) {
    QStringList options;
    for (const QString& folder : folders) options << QStringLiteral("--out") << folder;
    return options;
}

} // namespace

RunLibrary::RunLibrary(Session& session, RunController& runner, QObject* parent)
    : QObject(parent), m_session(session), m_runner(runner),
      m_ask(session.command(),
            {.key = [this] { return (folders() << projectName()).join(u'\n'); },
             .request =
                 [this] {
                     return CliRequest{.arguments = QStringList{QStringLiteral("runs"), QStringLiteral("list"),
                                                                QStringLiteral("--json"), QStringLiteral("--damaged")} +
                                                    outOptions(folders()),
                                       .folder = m_session.document().folder()};
                 },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .late = [this] { refresh(); }}, // the project has a new name
            nullptr),
      m_place(runsFolder(session.document().path())) {
    connect(&m_ask, &Ask::stateChanged, this, &RunLibrary::stateChanged);
    connect(&session, &Session::problemsChanged, this, [this] { m_runs.setEssence(m_session.essence()); });
    connect(&session.document(), &Document::pathChanged, this, &RunLibrary::follow);
    connect(&session.document(), &Document::replaced, this, [this] {
        // The list is of another project.
        m_place = runsFolder(m_session.document().path());
        m_included.clear();
        m_runs.setRuns(Json::array(), {});
        emit listed();
        refresh();
    });
}

QString RunLibrary::folder() const { return m_runner.folder(); }

int RunLibrary::rowOf(const QString& path) const { return m_groups.rowOf(m_runs.rowOf(path)); }

QString RunLibrary::groupOf(const QString& path) const {
    const RunRow* run = m_runs.run(path);
    return run && !run->set.isEmpty() ? run->group() : QString();
}

/// Return the folders. `weir run` never ran a project without a file, so its folder is left out then.
QStringList RunLibrary::folders() const {
    if (m_runner.hasFolder() || m_startedIn.isEmpty() || m_session.document().path().isEmpty())
        return QStringList{folder()} + m_included;
    return QStringList{folder(), m_startedIn + QStringLiteral("/runs")} + m_included;
}

void RunLibrary::include(const QString& folder) {
    if (folders().contains(folder)) return;
    m_included.append(folder);
    refresh();
}

QStringList RunLibrary::names() const {
    QStringList names;
    for (const QString& folder : folders()) names += QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return names;
}

void RunLibrary::setFolder(const QString& folder) {
    m_runner.setFolder(folder);
    refresh();
}

/// Move the runs of a project without a file when it gets its first file.
void RunLibrary::follow() {
    const QString before = std::exchange(m_place, runsFolder(m_session.document().path()));
    if (before == runsFolder({}) && !m_runner.unfiled().isEmpty()) {
        if (!moveRuns(m_runner.unfiled(), folder(), projectName()))
            m_session.setNotice(tr("Earlier runs stay in %1").arg(m_runner.hasFolder() ? folder() : before));
        else m_session.setNotice(tr("The earlier runs were moved to %1").arg(folder()), true);
        if (!m_runner.hasFolder()) emit moved(before, m_place);
    }
    refresh();
}

void RunLibrary::setFilter(const QString& filter) {
    m_runs.setFilter(filter);
    emit filterChanged();
}

QString RunLibrary::projectName() const {
    return QString::fromStdString(text(member(m_session.document().json(), "name")));
}

void RunLibrary::look() {
    if (names() != m_names) refresh();
}

void RunLibrary::refresh() {
    m_names = names();
    const QStringList places = folders();
    if (std::any_of(places.begin(), places.end(), [](const QString& folder) { return QDir(folder).exists(); }))
        return m_ask.now();
    m_ask.forget();
    m_runs.setRuns(Json::array(), {});
    m_failure.clear();
    emit stateChanged();
    emit listed();
}

/// Select this project's runs: all projects without a file share one folder and one name.
Json RunLibrary::ownOf(const Json& rows) const {
    if (!m_session.document().path().isEmpty()) return rows;
    Json own = Json::array();
    for (const Json& row : rows)
        if (m_runner.unfiled().contains(folder() + u'/' + string(row, "run_id"))) own.push_back(row);
    return own;
}

void RunLibrary::receive(const CliAnswer& answer) {
    const auto parsed = readJson(answer.output.toStdString());
    const Json* rows = answer.isFine() ? std::get_if<Json>(&parsed) : nullptr;
    m_failure = rows ? QString() : tr("The runs could not be listed: %1").arg(answer.explanation());
    if (rows) m_runs.setRuns(ownOf(*rows), projectName());
    m_runs.setEssence(m_session.essence());
    emit listed();
}

QString RunLibrary::lacking() const {
    const RunRow* first = m_runs.runAt(0);
    return first ? first->lackingP99() : QString();
}

void RunLibrary::setNote(const QString& path, const QString& note) {
    const RunRow* run = m_runs.run(path);
    const QString text = note.trimmed().left(kMostNote);
    if (!run || run->note == text) return;
    const QString file = path + QStringLiteral("/note.txt");
    QString failure;
    if (!text.isEmpty()) failure = writeWhole(file, text.toUtf8() + '\n');
    else if (QFile old(file); old.exists() && !old.remove()) failure = old.errorString();
    if (failure.isEmpty()) m_runs.setNote(path, text);
    else m_session.setNotice(tr("The note was not saved: %1: %2").arg(file, failure));
    emit stateChanged();
}

void RunLibrary::remove(const QString& path) {
    const RunRow* run = m_runs.run(path);
    if (!run) return;
    if (!run->isReadable()) {
        m_session.setNotice(tr("%1 is not a readable run, and Weir deletes only runs. Check the folder.").arg(run->id));
        return;
    }
    act(tr("deleting %1").arg(run->id),
        {QStringLiteral("runs"), QStringLiteral("rm"), path, QStringLiteral("--force"), QStringLiteral("--out"),
         QFileInfo(path).absolutePath()},
        [this, path](const CliAnswer& answer) {
            if (!answer.isFine()) return m_session.setNotice(answer.explanation());
            m_runs.remove(path);
            if (QFileInfo::exists(path))
                m_session.setNotice(tr("The run was deleted. Other files remain in its folder: %1").arg(path));
            emit removed(path);
            emit listed();
        });
}

/// Act on a run and show the action meanwhile.
void RunLibrary::act(const QString& what, const QStringList& verb, std::function<void(const CliAnswer&)> done) {
    m_busy = what;
    emit stateChanged();
    callCli(m_session.command(), {.arguments = verb, .folder = m_session.document().folder(), .patience = kPatience},
            this, [this, done = std::move(done)](const CliAnswer& answer) {
                m_busy.clear();
                done(answer);
                emit stateChanged();
            });
}

void RunLibrary::openFolder(const QString& path) {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        m_session.setNotice(tr("This machine has no program that opens folders. The run is in %1").arg(path));
}

void RunLibrary::openReport(const QString& path) {
    const RunRow* run = m_runs.run(path);
    if (!run || !m_busy.isEmpty()) return;
    QStringList words{QStringLiteral("report")};
    for (const RunRow& one : m_runs.repetitions(path)) words.append(one.path);
    const QString page = path + QStringLiteral("/report.html");
    words << QStringLiteral("-o") << page;
    act(tr("making the report"), words, [this, page](const CliAnswer& answer) {
        if (!answer.isFine()) m_session.setNotice(answer.explanation());
        else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page)))
            m_session.setNotice(tr("This machine has no program that opens web pages. The report is %1").arg(page));
    });
}

} // namespace weir::editor
