#include "core/ask/run_process.h"

#include "core/json/json_reader.h"

#include <csignal>

#include <utility>

namespace weir::editor {
namespace {

constexpr int kInsistMs = 8000; ///< of silence: reading a large trace takes long, but reports progress
constexpr int kEndMs = 1500;   ///< a person who quits does not yet take this for a hanging window
constexpr int kPoliteSignals = 2;
constexpr qsizetype kLongestLine = 1 << 20;

} // namespace

RunProcess::RunProcess(QObject* parent) : QObject(parent) {
    m_insist.setSingleShot(true);
    connect(&m_insist, &QTimer::timeout, this, &RunProcess::insist);
}

RunProcess::~RunProcess() { endNow(); }

void RunProcess::endNow() {
    if (!m_process) return;
    // The child destroys its tracing session itself, if it gets the time.
    m_process->end(SIGINT, kEndMs);
    delete m_process;
}

void RunProcess::endSoon() {
    if (!m_process) return;
    if (std::exchange(m_hurried, true)) return insist();
    m_process->signalGroup(SIGINT);
    m_cancelled = kPoliteSignals;
    m_insist.start(kEndMs);
}

void RunProcess::takeTime() {
    if (!m_process || !std::exchange(m_hurried, false)) return;
    m_cancelled = 1;
    m_insist.start(kInsistMs);
}

void RunProcess::start(const CliCommand& command, const QStringList& arguments, const QString& folder,
                       const QByteArray& input) {
    m_pending.clear();
    m_cancelled = 0;
    m_hurried = false;
    m_diagnostics = Json();
    m_expectsResults = arguments.value(0) == QLatin1String("run") && arguments.contains(QStringLiteral("--json"));
    m_expectsAnswer = arguments.value(0) == QLatin1String("tune") || arguments.value(0) == QLatin1String("sweep");
    auto* process = new ChildProcess(this);
    process->setWorkingDirectory(folder);
    connect(process, &QProcess::readyReadStandardError, this, &RunProcess::readErrors);
    connect(process, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { receive({status == QProcess::CrashExit, code}); });
    connect(process, &QProcess::errorOccurred, this, [this, command](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) receive({.failure = doesNotStart(command, *m_process)});
    });
    m_process = process;
    process->start(command.program, command.argumentsFor(arguments));
    if (!input.isEmpty() && process->isOpen()) process->write(input);
    process->closeWriteChannel();
}

void RunProcess::cancel() {
    if (!m_process) return;
    insist();
}

void RunProcess::insist() {
    if (!m_process) return;
    m_process->signalGroup(++m_cancelled > kPoliteSignals ? SIGKILL : SIGINT);
    m_insist.start(kInsistMs);
}

void RunProcess::readErrors() {
    m_pending += m_process->readAllStandardError();
    if (m_insist.isActive() && !m_hurried) m_insist.start();
    QStringList lines;
    qsizetype begin = 0;
    for (qsizetype end = m_pending.indexOf('\n'); end >= 0; end = m_pending.indexOf('\n', begin)) {
        if (const QString line = receiveLine(m_pending.mid(begin, end - begin)); !line.isEmpty()) lines.append(line);
        begin = end + 1;
    }
    m_pending.remove(0, begin);
    if (m_pending.size() > kLongestLine) lines.append(QString::fromUtf8(std::exchange(m_pending, {})));
    tell(lines);
}

void RunProcess::tell(const QStringList& lines) {
    if (lines.isEmpty()) return;
    for (const QString& line : lines) emit logged(line);
    emit loggedLines(lines);
}

QString RunProcess::receiveLine(const QByteArray& line) {
    if (line.startsWith('{')) {
        if (const Json json = jsonFrom(line); member(json, "phase")) {
            emit progressed({string(json, "phase"), numberIn(json, "done", 0), numberIn(json, "total", 0),
                             numberIn(json, "eta_s", -1), numberIn(json, "items_per_s", 0), string(json, "deployment"),
                             static_cast<int>(numberIn(json, "left", -1))});
            return {};
        }
    }
    const QString words = QString::fromUtf8(line);
    return words.trimmed().isEmpty() ? QString() : words;
}

void RunProcess::receive(const CliAnswer& answer) {
    if (!m_process) return;
    m_insist.stop();
    const bool started = answer.failure.isEmpty();
    if (started) readErrors();
    if (const QString rest = receiveLine(m_pending); !rest.isEmpty()) tell({rest});
    m_pending.clear();
    const Json results = started ? jsonFrom(m_process->readAllStandardOutput()) : Json();
    m_process->deleteLater();
    m_process.clear();

    if (member(results, "diagnostics")) m_diagnostics = results;
    const bool usable = m_expectsAnswer ? results.is_object() && !member(results, "diagnostics")
                                        : results.is_array() && !results.empty();
    QString failure;
    if (!started) failure = answer.failure;
    else if (m_cancelled) failure = usable ? QString() : tr("cancelled");
    else if (!usable && (m_expectsResults || m_expectsAnswer || answer.exitCode != 0 || answer.crashed))
        failure = answer.crashed ? tr("the weir command was killed or crashed")
                  : answer.exitCode == 0
                      ? tr("the weir command did not print results")
                      : tr("the weir command ended with code %1; the log says why").arg(answer.exitCode);
    emit finished(usable ? results : Json(), failure);
}

} // namespace weir::editor
