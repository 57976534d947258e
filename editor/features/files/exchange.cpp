#include "exchange.h"

#include "document_files.h"
#include "json_reader.h"
#include "session.h"

#include <QFileInfo>

using namespace weir::editor;

namespace {

/// The answer to --json, or null where it is none.
Json jsonOf(const CliAnswer &answer)
{
    auto parsed = readJson(answer.output.toStdString());
    Json *json = answer.isFine() ? std::get_if<Json>(&parsed) : nullptr;
    return json && json->is_object() ? std::move(*json) : Json();
}

} // namespace

Exchange::Exchange(Session &session, DocumentFiles &files, QObject *parent)
    : QObject(parent), m_session(session), m_files(files)
{
    connect(&files, &DocumentFiles::flowgraphChosen, this, &Exchange::importFlowgraph);
    connect(&session, &Session::documentReplaced, this, [this] { ++m_projects; });
    Actions &actions = session.actions();
    const auto drawn = [&session] { return !session.isEmpty(); };
    actions.add({.id = QStringLiteral("file.export_picture"), .group = ActionGroup::File, .title = tr("Export a picture…"), .enabled = drawn});
    actions.add({.id = QStringLiteral("file.import_grc"), .group = ActionGroup::File, .title = tr("Import from GNU Radio Companion…")});
    actions.add({.id = QStringLiteral("file.export_grc"), .group = ActionGroup::File, .title = tr("Export to GNU Radio Companion…"), .enabled = drawn});
}

void Exchange::call(const QStringList &arguments, bool withProject, std::function<void(const CliAnswer &)> done)
{
    ++m_running;
    emit busyChanged();
    m_session.setNotice({});
    const Document &document = m_session.document();
    const QByteArray input = withProject ? QByteArray::fromStdString(document.canonicalText()) : QByteArray();
    callCli(m_session.command(), {arguments, input, document.folder()}, this, [this, done = std::move(done)](const CliAnswer &answer) {
        --m_running;
        emit busyChanged();
        done(answer);
    });
}

void Exchange::exportPicture(const QUrl &file)
{
    const QString path = file.toLocalFile();
    call({QStringLiteral("render"), QStringLiteral("-"), QStringLiteral("-o"), path}, true, [this, path](const CliAnswer &answer) {
        if (answer.isFine())
            m_session.setNotice(tr("The picture is in %1").arg(path), true);
        else
            m_session.setNotice(tr("No picture was written: %1").arg(answer.explanation()));
    });
}

void Exchange::exportFlowgraph(const QUrl &file)
{
    const QString path = file.toLocalFile();
    call({QStringLiteral("export"), QStringLiteral("-"), QStringLiteral("-o"), path, QStringLiteral("--json"), QStringLiteral("--force")},
         true, [this, path](const CliAnswer &answer) {
             const Json report = jsonOf(answer);
             if (report.is_null()) {
                 m_session.setNotice(tr("No flowgraph was written: %1").arg(answer.explanation()));
                 return;
             }
             m_report.show(tr("Exported to %1").arg(QFileInfo(path).fileName()), report);
             m_session.setNotice(tr("The flowgraph is in %1").arg(path), true);
         });
}

void Exchange::importFlowgraph(const QString &path)
{
    call({QStringLiteral("import"), path, QStringLiteral("-o"), QStringLiteral("-"), QStringLiteral("--json")}, false,
         [this, path, projects = m_projects](const CliAnswer &answer) {
             const QString name = QFileInfo(path).fileName();
             const Json report = jsonOf(answer);
             auto parsed = readJson(text(member(report, "document")));
             Json *project = std::get_if<Json>(&parsed);
             if (!project || !project->is_object()) {
                 m_session.setNotice(tr("%1 was not imported: %2").arg(name, answer.explanation()));
                 return;
             }
             if (projects != m_projects) {
                 m_session.setNotice(tr("%1 was not imported: another project was opened meanwhile").arg(name));
                 return;
             }
             // While the command worked, the document may have been edited.
             m_files.guard([this, name, report, project = std::move(*project)] {
                 m_session.document().startWith(project);
                 m_session.setView(QStringLiteral("canvas"));
                 emit imported();
                 m_report.show(tr("Imported from %1").arg(name), report);
             });
         });
}
