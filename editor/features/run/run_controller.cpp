#include "features/run/run_controller.h"

#include "core/deployment/deployment_edits.h"
#include "core/runs/run_folders.h"
#include "core/runs/run_record.h"
#include "core/text/value_text.h"
#include "features/run/run_text.h"
#include "shell/session/session.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

constexpr int kTickMs = 500;
const QString kTrust = QStringLiteral("--trust");

} // namespace

RunController::RunController(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_shownLog(m_log) {
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &RunController::timeChanged);
    connect(&m_process, &RunProcess::progressed, this, &RunController::showProgress);
    connect(&m_process, &RunProcess::loggedLines, this, [this](const QStringList& lines) { m_log.append(lines); });
    connect(&m_process, &RunProcess::finished, this, &RunController::receive);
    connect(&session.document(), &Document::replaced, this, &RunController::leaveProject);
    connect(&session.document(), &Document::pathChanged, this, &RunController::stateChanged);
    connect(session.trust(), &TrustQuestion::changed, this, &RunController::followTrust);
    connect(&session, &Session::deploymentsChanged, this,
            &RunController::stateChanged); // the running deployment may no longer be the chosen one
    connect(&session.document(), &Document::changed, this, [this](const ChangedPaths& paths) {
        if (!paths.isDrawing()) forgetFailure();
    });
    registerActions();
}

void RunController::registerActions() {
    Actions& actions = m_session.actions();
    const auto idle = [this] { return !isRunning(); };
    actions.add({.id = QStringLiteral("run.build"),
                 .group = ActionGroup::Run,
                 .title = tr("Compile"),
                 .shortcuts = {QStringLiteral("Shift+F5")},
                 .enabled = idle,
                 .run = [this] { build(); }});
    actions.add({.id = QStringLiteral("run.run"),
                 .group = ActionGroup::Run,
                 .title = tr("Run"),
                 .shortcuts = {QStringLiteral("F6")},
                 .enabled = idle,
                 .run = [this] { run(); }});
    actions.add({.id = QStringLiteral("run.all"),
                 .group = ActionGroup::Run,
                 .title = tr("Run all deployments 8 times, to compare them"),
                 .shortcuts = {QStringLiteral("Shift+F6")},
                 .enabled = idle,
                 .run = [this] { runRepeated(8); }});
    actions.add({.id = QStringLiteral("run.options"),
                 .group = ActionGroup::Run,
                 .title = tr("Show the options of the run"),
                 .enabled = idle,
                 .words = tr("items repetitions trace")});
    actions.add({.id = QStringLiteral("run.stop"),
                 .group = ActionGroup::Run,
                 .title = tr("Stop the run"),
                 .shortcuts = {QStringLiteral("F7")},
                 .enabled = [this] { return isRunning(); },
                 .run = [this] { cancel(); }});
}

void RunController::forgetFailure() {
    if (isRunning() || (m_state != QLatin1String("failed") && m_state != QLatin1String("refused"))) return;
    m_state.clear();
    m_ended.clear();
    m_failure.clear();
    emit stateChanged();
}

void RunController::recoverUnfiled(const QStringList& runs) {
    const QString project = string(m_session.document().json(), "name"), place = QDir(folder()).absolutePath();
    QStringList own;
    for (const QString& run : runs) {
        const QFileInfo info(run);
        if (info.absolutePath() != place || info.isSymLink() || !info.isDir()) continue;
        const RunRecord record = readRun(run);
        if (record.isReadable() && string(record.results, "run_id") == info.fileName() &&
            string(record.results, "project") == project)
            own.append(run);
    }
    setUnfiled(own);
}

void RunController::setUnfiled(const QStringList& runs) {
    if (std::exchange(m_unfiled, runs) != runs) emit unfiledChanged();
}

void RunController::leaveProject() {
    setUnfiled({});
    m_measured.clear();
    m_options.clear();
    m_otherProject = isRunning();
    m_isLogOfOther = true;
    if (!m_otherProject) {
        m_state.clear();
        m_ended.clear();
    }
    emit stateChanged();
    m_session.problemModel().setBuildProblems({}, {});
}

void RunController::setFolder(const QString& folder) {
    m_folder = QDir(folder).absolutePath();
    emit stateChanged();
}

QString RunController::folder() const {
    return m_folder.isEmpty() ? runsFolder(m_session.document().path()) : m_folder;
}

bool RunController::isExplained() const { return !m_session.problemModel().buildProblems().empty(); }

QString RunController::phase() const {
    return isRunning() ? phaseText(m_stopping ? QStringLiteral("stopping") : m_now.phase) : QString();
}

bool RunController::isMeasuring() const { return isRunningHere() && m_now.phase == QLatin1String("run"); }

QString RunController::rate() const {
    return isRunning() && m_now.itemsPerSecond > 0 ? throughputText(m_now.itemsPerSecond) : QString();
}

QString RunController::elapsed() const {
    return isRunning() ? clockText(double(m_elapsed.elapsed()) / 1000) : QString();
}

QString RunController::remaining() const {
    double left = m_now.secondsLeft - double(m_reported.elapsed()) / 1000;
    // For several runs, estimate the time left for all of them from those that are done.
    if (m_runs > 1)
        left = m_runsDone > 0 ? m_doneAfter / m_runsDone * m_runs - double(m_runsElapsed.elapsed()) / 1000 : 0;
    // An exceeded estimate is worthless: show none.
    return isRunning() && left >= 0.5 ? clockText(left) : QString();
}

QString RunController::otherDeployment() const {
    return isRunning() && m_deployments.size() == 1 && m_deployments.front() != m_session.deployment() &&
                   !m_session.deployments().isEmpty()
               ? m_deployments.front()
               : QString();
}

QString RunController::status() const {
    if (!isRunning()) return m_ended;
    QString text = phase();
    if (m_deployments.size() == 1) text = QStringLiteral("%1: %2").arg(m_deployments.front(), text);
    if (m_runs > 1)
        text = tr("run %1 of %2: %3", "then the phase").arg(std::min(m_runsDone + 1, m_runs)).arg(m_runs).arg(text);
    if (!rate().isEmpty()) text += QStringLiteral(" · ") + rate();
    return text;
}

void RunController::setLogFilter(const QString& text) {
    m_shownLog.setWanted(text);
    emit logFilterChanged();
}

void RunController::clearLog() { m_log.clear(); }

void RunController::copyLog() const { QGuiApplication::clipboard()->setText(m_shownLog.text()); }

void RunController::run() {
    if (m_options.allDeployments()) return start(QStringLiteral("run"), m_session.deployments(), m_options.arguments());
    start(QStringLiteral("run"), {m_session.deployment()}, m_options.arguments());
}

void RunController::runRepeated(int times) {
    QStringList options = m_options.arguments();
    if (m_options.repetitions().isEmpty()) options << QStringLiteral("--repeat") << QString::number(times);
    start(QStringLiteral("run"), m_session.deployments(), options);
    // Do not propose a deployment; the comparison page already shows this hint.
    if (m_session.deployments().size() < 2 && m_session.view() != QLatin1String("compare"))
        m_session.setNotice(tr("There is only one deployment: to compare, add one with + in the bar above the graph"),
                            true);
}

void RunController::runOnce(const QString& deployment, const QStringList& options) {
    start(QStringLiteral("run"), {deployment}, options);
}

void RunController::build() {
    start(QStringLiteral("generate"), {m_session.deployment()}, {QStringLiteral("--build")});
}

void RunController::start(const QString& verb, const QStringList& deployments, const QStringList& options) {
    if (isRunning()) return;
    // Unsaved content goes through a pipe: relative paths then refer to the folder of the process, and a kill leaves no
    // file behind.
    const Document& document = m_session.document();
    const bool isSaved = !document.path().isEmpty() && !document.isModified();
    QStringList arguments{verb, isSaved ? document.path() : QStringLiteral("-"), QStringLiteral("--json"),
                          QStringLiteral("--progress=json")};
    for (const QString& deployment : deployments)
        if (!deployment.isEmpty()) arguments << QStringLiteral("--deployment") << deployment;
    m_out = folder();
    m_isUnfiled = document.path().isEmpty();
    if (verb == QLatin1String("run")) arguments << QStringLiteral("--out") << m_out;
    m_log.clear();
    m_log.append({QStringLiteral("$ weir ") + (arguments + options).join(u' ')});
    m_session.problemModel().setBuildProblems({}, {});
    m_ran = document.json();
    m_deployments = deployments;
    m_deployments.removeAll(QString());
    if (m_deployments.isEmpty()) m_deployments.append(m_session.deployments().value(0, QLatin1String(kOwnDeployment)));
    m_failure.clear();
    m_again = [this, verb, deployments, options] { start(verb, deployments, options + QStringList(kTrust)); };
    m_stopping = false;
    m_progress = -1;
    m_runs = m_runsDone = 0;
    m_now = {QStringLiteral("starting"), 0, 0, -1, 0};
    m_otherProject = m_isLogOfOther = false;
    m_state = QStringLiteral("running");
    m_elapsed.start();
    m_reported.start();
    m_tick.start();
    m_process.start(m_session.command(), arguments + options, document.folder(),
                    isSaved ? QByteArray() : QByteArray::fromStdString(document.canonicalText()));
    emit stateChanged();
    emit timeChanged();
    emit started();
}

void RunController::cancel() {
    if (!isRunning()) return;
    m_stopping = true;
    m_state = QStringLiteral("stopping");
    m_process.cancel();
    emit stateChanged();
}

bool RunController::mayQuit() {
    if (!isRunning()) return true;
    m_askingToQuit = true;
    emit askingToQuitChanged();
    return false;
}

void RunController::answerQuit(bool stop) {
    m_askingToQuit = stop && isRunning();
    if (m_askingToQuit) {
        m_stopping = true;
        m_state = QStringLiteral("stopping");
        m_process.endSoon();
        emit stateChanged();
    } else {
        m_process.takeTime();
    }
    emit askingToQuitChanged();
    if (stop && !m_askingToQuit) emit quitRequested();
}

void RunController::showProgress(const RunProgress& progress) {
    if (progress.phase == QLatin1String("runs")) {
        if (m_runs != progress.total) m_runsElapsed.start();
        if (m_runsDone != progress.done) m_doneAfter = double(m_runsElapsed.elapsed()) / 1000;
        m_runs = progress.total;
        m_runsDone = progress.done;
    }
    m_now = progress;
    m_reported.start();
    // Progress of the whole command: the finished runs and the part of the present one.
    const double part = progress.phase == QLatin1String("run") && progress.total > 0
                            ? std::clamp(progress.done / progress.total, 0.0, 1.0)
                            : 0;
    m_progress = m_runs > 0 ? std::clamp((m_runsDone + part) / m_runs, 0.0, 1.0) : -1;
    if (!m_stopping) m_state = progress.phase == QLatin1String("waiting") ? progress.phase : QStringLiteral("running");
    emit stateChanged();
}

void RunController::explain(const Json& results) {
    std::vector<Problem> problems = problemsFrom(m_process.diagnostics(), m_ran);
    const std::vector<Problem> ofRuns = problemsOfRuns(results, m_ran);
    problems.insert(problems.end(), ofRuns.begin(), ofRuns.end());
    if (!problems.empty() && results.is_null() && !m_stopping)
        m_failure =
            problems.size() == 1
                ? problems.front().message
                : tr("%1 — and %n more", nullptr, static_cast<int>(problems.size()) - 1).arg(problems.front().message);
    m_session.problemModel().setBuildProblems(std::move(problems), m_ran);
    m_session.problemModel().follow(m_session.document().json());  // the document may have been edited meanwhile
}

/// Move the runs to a project that was saved for the first time meanwhile, and set its name in them.
void RunController::bring(const Json& results) {
    QStringList runs;
    for (const Json& run : list(&results))
        if (const QString id = string(run, "run_id"), path = m_out + u'/' + id;
            m_isUnfiled && !id.isEmpty() && QFileInfo(path).isDir())
            runs.append(path);
    if (m_session.document().path().isEmpty()) setUnfiled(m_unfiled + runs);
    else if (!moveRuns(runs, folder(), string(m_session.document().json(), "name")))
        m_session.setNotice(tr("The run is in %1").arg(m_out), true);
}

void RunController::remember(const Json& results) {
    for (const Json& run : list(&results))
        if (!std::isnan(numberOf(run, "throughput_items_per_s")))
            m_measured[string(run, "deployment")] = string(run, "run_id");
}

QString RunController::detailsPart() const {
    const bool isBad = m_state == QLatin1String("failed") || m_state == QLatin1String("refused");
    return isBad && isExplained()                            ? QStringLiteral("problems")
           : m_state == QLatin1String("ok") && m_isInResults ? QStringLiteral("results")
                                                             : QStringLiteral("log");
}

void RunController::keepCommandInLog() {
    const QString command = m_log.index(0).data(LogModel::TextRole).toString();
    m_log.clear();
    m_log.append({command});
}

void RunController::followTrust() {
    if (m_state != QLatin1String("asking") || m_session.trust()->isAsking()) return;
    // If the user trusts the flowgraph, the command begins again at once.
    m_state = QStringLiteral("stopped");
    m_ended = m_failure = tr("not run: the flowgraph is not trusted");
    m_log.append({m_ended});
    emit stateChanged();
}

void RunController::receive(const Json& results, const QString& failure) {
    m_tick.stop();
    m_failure = failure;
    m_progress = -1;
    const bool asks =
        results.is_null() && !m_stopping && !m_otherProject && m_session.trust()->ask(m_process.diagnostics(), m_again);
    // The run belongs to a project that is no longer shown: its numbers are in its folder, its problems in the log.
    if (!m_otherProject) {
        if (!asks) explain(results);
        bring(results);
        remember(results);
    }
    const QString time = clockText(double(m_elapsed.elapsed()) / 1000);
    const auto worst = [&results](const char* status) {
        return std::any_of(results.begin(), results.end(),
                           [status](const Json& run) { return text(member(run, "status")) == status; });
    };
    m_state = QStringLiteral("ok");
    m_warned = m_isInResults = false;
    m_ended = tr("done in %1").arg(time);
    if (asks) {
        m_state = QStringLiteral("asking");
        m_ended = m_failure = tr("the flowgraph is not trusted yet");
        keepCommandInLog();  // the refusal is a question, not an error
    } else if (!m_failure.isEmpty()) {
        const bool began = m_now.phase != QLatin1String("starting");
        m_state = m_stopping                ? QStringLiteral("stopped")
                  : isExplained() && !began ? QStringLiteral("refused")
                                            : QStringLiteral("failed");
        m_ended = m_stopping ? tr("stopped after %1, nothing was measured").arg(time) : m_failure;
    } else if (results.is_array()) {
        m_isInResults = true;
        if (worst("failed") || worst("timeout") || worst("invalid")) {
            m_state = QStringLiteral("failed");
            m_ended = worst("invalid") ? tr("not valid, see Problems") : tr("the run failed, see Problems");
        } else if (worst("partial")) {
            m_state = QStringLiteral("partial");
            m_ended = tr("stopped after %1: a partial result").arg(time);
        }
        if (const auto warned = std::count_if(results.begin(), results.end(),
                                              [](const Json& run) { return !warningsOf(run).isEmpty(); })) {
            m_warned = true;
            m_ended +=
                QStringLiteral(" · ") + tr("%n run(s) with a warning, see Results", nullptr, static_cast<int>(warned));
        } else if (const int remarks = m_log.warnings()) {  // about the plan, not about a single run
            m_warned = true;
            m_isInResults = false;
            m_ended += QStringLiteral(" · ") + tr("%n warning(s) in the log", nullptr, remarks);
        }
    }
    m_stopping = false;
    m_log.append({m_failure.isEmpty() ? m_ended : m_failure});
    emit stateChanged();
    emit timeChanged();
    emit finished();
    if (m_askingToQuit) answerQuit(true);
}

}  // namespace weir::editor
