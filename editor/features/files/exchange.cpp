#include "features/files/exchange.h"

#include "core/json/json_reader.h"
#include "features/files/document_files.h"
#include "shell/session/session.h"

#include <QFileInfo>

#include <utility>

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kPatience{2000}; ///< for the first size of a window
constexpr std::chrono::milliseconds kSettled{150};   ///< until a new size counts as the last one

/// Return the answer to --json, or null if it is not JSON.
Json jsonOf(const CliAnswer& answer) {
    auto parsed = readJson(answer.output.toStdString());
    Json* json = answer.isFine() ? std::get_if<Json>(&parsed) : nullptr;
    return json && json->is_object() ? std::move(*json) : Json();
}

} // namespace

Exchange::Exchange(Session& session, DocumentFiles& files, QObject* parent)
    : QObject(parent), m_session(session), m_files(files) {
    connect(&files, &DocumentFiles::flowgraphChosen, this, &Exchange::choose);
    connect(&session, &Session::documentReplaced, this, [this] {
        ++m_projects;
        m_report.close(); // it is about another project
    });
    m_sizing.setSingleShot(true);
    connect(&m_sizing, &QTimer::timeout, this, &Exchange::importWaiting);
    Actions& actions = session.actions();
    const auto drawn = [&session] { return !session.isEmpty(); };
    actions.add({.id = QStringLiteral("file.export_picture"),
                 .group = ActionGroup::File,
                 .title = tr("Export a picture…"),
                 .enabled = drawn});
    actions.add({.id = QStringLiteral("file.import_grc"),
                 .group = ActionGroup::File,
                 .title = tr("Import from GNU Radio Companion…")});
    actions.add({.id = QStringLiteral("file.export_grc"),
                 .group = ActionGroup::File,
                 .title = tr("Export to GNU Radio Companion…"),
                 .enabled = drawn});
    actions.add({.id = QStringLiteral("file.cancel_import"),
                 .group = ActionGroup::File,
                 .title = tr("Cancel the import"),
                 .enabled = [this] { return isImporting(); },
                 .run = [this] { cancelImport(); }});
}

QString Exchange::doing() const {
    return m_running.empty() ? QString() : tr("%1…").arg(m_running.rbegin()->second.what);
}

void Exchange::call(const QString& what, const QStringList& arguments, bool withProject,
                    std::function<void(const CliAnswer&)> done) {
    m_session.setNotice({});
    const Document& document = m_session.document();
    const QByteArray input = withProject ? QByteArray::fromStdString(document.canonicalText()) : QByteArray();
    const int number = ++m_last;
    m_running[number] = {what, callCli(m_session.command(), {arguments, input, document.folder()}, this,
                                       [this, number, done = std::move(done)](const CliAnswer& answer) {
                                           m_running.erase(number);
                                           emit busyChanged();
                                           done(answer);
                                       })};
    emit busyChanged();
}

void Exchange::exportPicture(const QUrl& file) {
    const QString path = file.toLocalFile();
    call(tr("Exporting %1").arg(QFileInfo(path).fileName()),
         {QStringLiteral("export"), QStringLiteral("-"), QStringLiteral("-o"), path}, true,
         [this, path](const CliAnswer& answer) {
             if (answer.isFine()) m_session.setNotice(tr("The picture was written to %1").arg(path), true);
             else m_session.setNotice(tr("No picture was written: %1").arg(answer.explanation()));
         });
}

void Exchange::exportFlowgraph(const QUrl& file) {
    const QString path = file.toLocalFile();
    call(tr("Exporting %1").arg(QFileInfo(path).fileName()),
         {QStringLiteral("export"), QStringLiteral("-"), QStringLiteral("-o"), path, QStringLiteral("--json"),
          QStringLiteral("--force")},
         true, [this, path](const CliAnswer& answer) {
             const Json report = jsonOf(answer);
             if (report.is_null()) {
                 m_session.setNotice(tr("No flowgraph was written: %1").arg(answer.explanation()));
                 return;
             }
             m_report.show(tr("Exported to %1").arg(QFileInfo(path).fileName()), report, m_session.isHosted());
             m_session.setNotice(tr("The flowgraph was written to %1").arg(path), true);
         });
}

/// Import a flowgraph named on the command line once the window has its size, which changes while the window is built. A
/// canvas that is not shown never gets one.
void Exchange::choose(const QString& path) {
    if (!m_room.isEmpty() && !m_sizing.isActive()) return importFlowgraph(path);
    m_waiting = path;
    QTimer::singleShot(0, this, [this] {  // once the window is built
        if (!m_sizing.isActive()) m_sizing.start(kPatience);
    });
}

void Exchange::setRoom(QSizeF room) {
    m_room = room;
    if (!m_room.isEmpty()) m_sizing.start(kSettled);
}

void Exchange::importWaiting() {
    if (const QString path = std::exchange(m_waiting, {}); !path.isEmpty()) importFlowgraph(path);
}

void Exchange::importFlowgraph(const QString& path) {
    if (isImporting()) cancelImport();
    const QString name = QFileInfo(path).fileName();
    QStringList words{QStringLiteral("import"), path, QStringLiteral("-o"), QStringLiteral("-"),
                      QStringLiteral("--json")};
    if (!m_room.isEmpty())
        words << QStringLiteral("--room")
              << QStringLiteral("%1x%2").arg(qRound(m_room.width())).arg(qRound(m_room.height()));
    m_import = m_last + 1;
    call(tr("Importing %1").arg(name), words, false, [this, name, projects = m_projects](const CliAnswer& answer) {
        if (projects == m_projects) take(name, answer);
        else m_session.setNotice(tr("%1 was not imported: another project was opened in the meantime").arg(name));
    });
}

void Exchange::cancelImport() {
    const auto import = m_running.find(m_import);
    if (import == m_running.end()) return;
    Call call = std::move(import->second);
    m_running.erase(import);
    abandonCall(call.process);
    emit busyChanged();
    m_session.setNotice(tr("%1 was cancelled").arg(call.what), true);
}

void Exchange::take(const QString& name, const CliAnswer& answer) {
    const Json report = jsonOf(answer);
    auto parsed = readJson(text(member(report, "document")));
    Json* project = std::get_if<Json>(&parsed);
    if (!project || !project->is_object()) {
        m_session.setNotice(tr("%1 was not imported: %2").arg(name, answer.explanation()));
        return;
    }
    // The document may have been edited while the command ran.
    m_files.guard([this, name, report, project = std::move(*project)] {
        begin(report, project);
        m_report.show(tr("Imported from %1").arg(name), report, m_session.isHosted());
    });
}

/// Begin the imported project at the author's positions, to which Undo returns.
void Exchange::begin(const Json& answer, Json project) {
    Placement places;
    if (const Json* drawn = member(answer, "drawn")) {
        for (const auto& [block, place] : object(member(object(member(project, "ui")), "positions")).items())
            if (const Json& xy = list(&place); xy.size() == 2 && xy[0].is_number() && xy[1].is_number())
                places.emplace_back(block, QPointF(xy[0].get<double>(), xy[1].get<double>()));
        project["ui"]["positions"] = *drawn;
    }
    m_session.document().startWith(std::move(project));
    m_session.setView(QStringLiteral("canvas"));
    if (!places.empty()) emit laidOut(places);
}

}  // namespace weir::editor
