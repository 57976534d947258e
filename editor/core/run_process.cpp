#include "run_process.h"

#include "json_reader.h"

#include <csignal>
#include <unistd.h>

namespace weir::editor {
namespace {

constexpr int kInsistMs = 5000;

double number(const Json &object, const char *key, double fallback)
{
    const Json *value = member(object, key);
    return value && value->is_number() ? value->get<double>() : fallback;
}

void signalGroup(const QProcess &process, int signal)
{
    if (process.processId() > 0)
        ::kill(-static_cast<pid_t>(process.processId()), signal);
}

} // namespace

RunProcess::RunProcess(QObject *parent) : QObject(parent)
{
    m_insist.setSingleShot(true);
    connect(&m_insist, &QTimer::timeout, this, [this] {
        if (m_process)
            signalGroup(*m_process, SIGKILL);
    });
}

RunProcess::~RunProcess()
{
    if (m_process) {
        m_process->disconnect();
        signalGroup(*m_process, SIGKILL);
    }
}

void RunProcess::start(const CliCommand &command, const QStringList &arguments, const QString &folder)
{
    m_pending.clear();
    m_cancelled = false;
    m_expectsResults = arguments.contains(QStringLiteral("--json"));
    auto *process = new QProcess(this);
    process->setWorkingDirectory(folder);
    // A process group of its own, so that a cancel reaches the compiler and the benchmark as Ctrl-C would.
    process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(process, &QProcess::readyReadStandardError, this, &RunProcess::readErrors);
    connect(process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        receive({true, status == QProcess::CrashExit, code, {}, {}, {}});
    });
    connect(process, &QProcess::errorOccurred, this, [this, command](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            receive({false, false, 0, {}, {},
                     tr("%1 does not start: %2")
                         .arg(command.isEmpty() ? QStringLiteral("weir") : command.program, m_process->errorString())});
    });
    m_process = process;
    process->start(command.program, command.arguments + arguments);
    process->closeWriteChannel();
}

void RunProcess::cancel()
{
    if (!m_process)
        return;
    m_cancelled = true;
    signalGroup(*m_process, SIGINT);
    m_insist.start(kInsistMs);
}

void RunProcess::readErrors()
{
    m_pending += m_process->readAllStandardError();
    for (qsizetype end = m_pending.indexOf('\n'); end >= 0; end = m_pending.indexOf('\n')) {
        receiveLine(m_pending.left(end));
        m_pending.remove(0, end + 1);
    }
}

void RunProcess::receiveLine(const QByteArray &line)
{
    const auto parsed = readJson(line.toStdString());
    const Json *json = std::get_if<Json>(&parsed);
    if (!json || !member(*json, "phase")) {
        if (!line.trimmed().isEmpty())
            emit logged(QString::fromUtf8(line));
        return;
    }
    emit progressed({QString::fromStdString(text(member(*json, "phase"))), number(*json, "done", 0), number(*json, "total", 0),
                     number(*json, "eta_s", -1), number(*json, "items_per_s", 0)});
}

void RunProcess::receive(const CliAnswer &answer)
{
    if (!m_process)
        return;
    m_insist.stop();
    readErrors();
    if (!m_pending.trimmed().isEmpty())
        receiveLine(m_pending);
    m_pending.clear();
    const auto parsed = readJson(m_process->readAllStandardOutput().toStdString());
    m_process->deleteLater();
    m_process.clear();

    const Json *results = std::get_if<Json>(&parsed);
    const bool usable = results && results->is_array() && !results->empty();
    QString failure;
    if (!answer.started)
        failure = answer.failure;
    else if (m_cancelled)
        failure = usable ? QString() : tr("cancelled");
    else if (!usable && (m_expectsResults || answer.exitCode != 0 || answer.crashed))
        failure = answer.crashed ? tr("the weir command was killed or crashed")
                                 : tr("the weir command ended with code %1, the log says why").arg(answer.exitCode);
    emit finished(usable ? *results : Json(), failure);
}

} // namespace weir::editor
