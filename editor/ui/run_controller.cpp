#include "run_controller.h"

#include "canonical_json.h"
#include "editor.h"
#include "value_text.h"

#include <QDir>

using namespace weir::editor;

namespace {

constexpr int kLogLines = 5000;

} // namespace

RunController::RunController(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    connect(&m_process, &RunProcess::progressed, this, &RunController::showProgress);
    connect(&m_process, &RunProcess::logged, this, &RunController::addLog);
    connect(&m_process, &RunProcess::finished, this, &RunController::receive);
    connect(&editor.document(), &Document::changed, this, [this] {
        if (m_results.rowCount() > 0)
            m_results.setFingerprint(fingerprint());
    });
}

std::size_t RunController::fingerprint() const
{
    Json project = m_editor.document().json();
    project.erase("ui");
    return std::hash<std::string>{}(canonicalText(project));
}

void RunController::setCurrentResult(int row)
{
    m_currentResult = row;
    m_latency.setResult(m_results.result(row));
    emit currentResultChanged();
}

QString RunController::fileToRun()
{
    Document &document = m_editor.document();
    if (!document.path().isEmpty() && !document.isModified())
        return document.path();
    // Beside the project, so that relative paths mean the same; elsewhere if that folder takes no file.
    for (const QString &folder : {document.folder(), QDir::tempPath()}) {
        m_unsaved = std::make_unique<QTemporaryFile>(folder + QStringLiteral("/.unsaved-XXXXXX.weir.json"));
        const std::string text = document.canonicalText();
        if (m_unsaved->open() && m_unsaved->write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size())
            && m_unsaved->flush()) {
            m_unsaved->close();
            return m_unsaved->fileName();
        }
    }
    return {};
}

void RunController::run()
{
    start(QStringLiteral("run"), {QStringLiteral("--json"), QStringLiteral("--progress=json")});
}

void RunController::build()
{
    start(QStringLiteral("build"), {});
}

void RunController::start(const QString &verb, const QStringList &options)
{
    if (isRunning())
        return;
    const QString file = fileToRun();
    if (file.isEmpty()) {
        m_editor.setNotice(tr("The project could not be written to a temporary file: %1").arg(m_unsaved->errorString()));
        return;
    }
    QStringList arguments{verb, file};
    if (const QString deployment = m_editor.deployment(); !deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << deployment;
    m_log.setStringList({});
    m_failure.clear();
    m_progress = -1;
    m_status = tr("starting");
    m_fingerprint = fingerprint();
    m_elapsed.start();
    m_process.start(m_editor.command(), arguments + options, m_editor.document().folder());
    emit stateChanged();
    emit started();
}

void RunController::cancel()
{
    if (!isRunning())
        return;
    m_status = tr("stopping");
    m_process.cancel();
    emit stateChanged();
}

void RunController::showProgress(const RunProgress &progress)
{
    m_progress = progress.total > 0 ? std::clamp(progress.done / progress.total, 0.0, 1.0) : -1;
    m_status = progress.phase;
    if (progress.itemsPerSecond > 0)
        m_status += QStringLiteral(" · ") + siText(progress.itemsPerSecond, QStringLiteral("items/s"));
    if (progress.secondsLeft >= 0)
        m_status += tr(" · %1 s left").arg(qRound(progress.secondsLeft));
    emit stateChanged();
}

void RunController::addLog(const QString &line)
{
    const int row = m_log.rowCount();
    if (row >= kLogLines)
        m_log.removeRows(0, 1);
    m_log.insertRow(m_log.rowCount());
    m_log.setData(m_log.index(m_log.rowCount() - 1), line);
}

void RunController::receive(const Json &results, const QString &failure)
{
    m_unsaved.reset();
    m_failure = failure;
    m_progress = -1;
    m_status = failure.isEmpty() ? tr("done in %1").arg(siText(double(m_elapsed.elapsed()) / 1000, QStringLiteral("s"))) : failure;
    if (results.is_array() && !results.empty()) {
        m_results.setFingerprint(fingerprint());
        m_results.add(results, m_fingerprint, QDateTime::currentDateTime());
        setCurrentResult(0);
    }
    if (!failure.isEmpty())
        addLog(failure);
    emit stateChanged();
    emit finished();
}
