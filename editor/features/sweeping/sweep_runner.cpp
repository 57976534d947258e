#include "features/sweeping/sweep_runner.h"

#include "core/json/json_reader.h"
#include "core/runs/run_folders.h"
#include "core/sweeping/sweep_files.h"
#include "features/run/run_controller.h"
#include "features/run/run_text.h"
#include "features/sweeping/sweep_design.h"
#include "shell/session/session.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

constexpr int kRenewMs = 3000; ///< between two updates during a round
constexpr std::chrono::minutes kReadPatience{5}; ///< to read thousands of runs

} // namespace

SweepRunner::SweepRunner(Session& session, RunController& runner, Results& results, SweepDesign& design,
                         QObject* parent)
    : QObject(parent), m_session(session), m_runner(runner), m_results(results), m_design(design),
      m_ask(session.command(),
            {.key = [this] { return m_folder + u'\n' + QString::number(m_state); },
             .request =
                 [this] {
                     return CliRequest{.arguments = {QStringLiteral("report"), m_folder, QStringLiteral("--json")},
                                       .patience = kReadPatience};
                 },
             .answered = [this](const CliAnswer& answer) { show(answer); },
             .late = [this] { m_again = true; }},
            nullptr) {
    constexpr int kTickMs = 500;
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &SweepRunner::timeChanged);
    connect(&m_process, &RunProcess::progressed, this, [this](const RunProgress& progress) {
        m_now = progress;
        m_reported.start();
        const bool isRoundDone = m_inRound > 0 && std::fmod(progress.done, m_inRound) == 0;
        if (progress.phase == QLatin1String("sweep") && isRunningHere() &&
            (isRoundDone || m_renewed.elapsed() > kRenewMs))
            renew();
        emit changed();
    });
    connect(&m_process, &RunProcess::logged, this, [this](const QString& line) { m_said = line; });
    connect(&m_process, &RunProcess::finished, this, &SweepRunner::receive);
    connect(&m_ask, &Ask::stateChanged, this, [this] {
        if (!m_ask.isBusy() && std::exchange(m_again, false)) renew();
        emit changed();
    });
    connect(&design, &SweepDesign::changed, this, &SweepRunner::look);
    connect(&design, &SweepDesign::planned, this, &SweepRunner::changed);
    connect(&session, &Session::viewChanged, this, &SweepRunner::look);
    connect(&session, &Session::problemsChanged, this, &SweepRunner::measured); // the differences may change
    connect(&session, &Session::historyChanged, this, &SweepRunner::changed);  // the project may have become read-only
    connect(&session.document(), &Document::pathChanged, this, &SweepRunner::bring);
    connect(&session.document(), &Document::replaced, this, &SweepRunner::leaveProject);
    connect(&runner, &RunController::stateChanged, this, &SweepRunner::changed);
    connect(this, &SweepRunner::measured, this, &SweepRunner::chosenChanged);
    registerActions();
}

void SweepRunner::registerActions() {
    Actions& actions = m_session.actions();
    actions.add({.id = QStringLiteral("sweep.start"),
                 .group = ActionGroup::Run,
                 .title = tr("Measure the sweep"),
                 .enabled = [this] { return canBegin() || canGoOn(); },
                 .run = [this] { canGoOn() ? goOn() : begin(); },
                 .hint = tr("Resumes an unfinished sweep")});
    actions.add({.id = QStringLiteral("sweep.open"),
                 .group = ActionGroup::Results,
                 .title = tr("Open a measured sweep…"),
                 .enabled = [this] { return !m_session.isEmpty(); },
                 .run = [this] { emit sweepFileNeeded(); },
                 .hint = tr("From a folder that weir sweep wrote"),
                 .words = tr("sweep.json folder load show figure")});
    actions.add({.id = QStringLiteral("sweep.stop"),
                 .group = ActionGroup::Run,
                 .title = tr("Stop the sweep"),
                 .enabled = [this] { return isRunning(); },
                 .run = [this] { stop(); }});
    actions.add({.id = QStringLiteral("sweep.best"),
                 .group = ActionGroup::Results,
                 .title = tr("Choose the best point of the sweep"),
                 .enabled = [this] { return m_hasOutline; },
                 .run = [this] { chooseBest(); }});
    actions.add({.id = QStringLiteral("sweep.use"),
                 .group = ActionGroup::Results,
                 .title = tr("Use the settings of the chosen point of the sweep"),
                 .enabled = [this] { return canUse(); },
                 .run = [this] { use(); }});
}

/// Return the parent of the sweep folders, beside the folder of runs. Each start of a sweep has its own folder.
QString SweepRunner::place() const { return QFileInfo(m_runner.folder()).absolutePath() + QStringLiteral("/sweeps"); }

/// Return the newest folder of the chosen sweep; empty: it was never started.
QString SweepRunner::newestFolder() const {
    const QString name = m_design.name();
    return name.isEmpty() ? QString() : newestSweep(place(), name, string(m_session.document().json(), "name"));
}

void SweepRunner::look() {
    if (m_session.view() != QLatin1String("sweep")) return;
    if (m_openedIn != m_design.name()) m_opened.clear();
    const QString own = isRunning() && !m_isOfOther && m_ofRun == m_design.name() ? m_out : newestFolder();
    const QString folder = m_opened.isEmpty() ? own : m_opened;
    m_isOwn = m_opened.isEmpty() || string(jsonIn(m_opened + QStringLiteral("/sweep.json")), "project") ==
                                        string(m_session.document().json(), "name");
    if (std::exchange(m_folder, folder) != folder) {
        m_hasOutline = false;
        m_picture = {};
        m_failure.clear();
        m_hint.clear();
        m_ask.forget();
        listRuns();
        renew();
        emit measured();
    }
    emit changed();
}

/// Move the sweeps of a project without a file to the project once it has one, as its runs move.
void SweepRunner::bring() {
    if (!m_session.document().path().isEmpty() && !m_unfiled.isEmpty()) {
        const QString running = isRunning() ? m_out : QString(), name = string(m_session.document().json(), "name");
        for (const QString& from : std::exchange(m_unfiled, {})) {
            const Json state = jsonIn(from + QStringLiteral("/sweep.json"));
            if (from == running) m_unfiled.append(from);  // moves at its end
            else if (state.is_object() && QFileInfo(from).absolutePath() != place() &&
                     !moveSweep(from, freeSweepFolder(place(), string(state, "sweep")), name))
                m_session.setNotice(tr("The sweep is in %1").arg(from), true);
        }
    }
    look();
}

void SweepRunner::openSweep(const QUrl& file) {
    const QFileInfo chosen(file.toLocalFile());
    const QString folder = chosen.absolutePath();
    const Json state = jsonIn(chosen.filePath());
    if (chosen.fileName() != QLatin1String("sweep.json") || !member(state, "axes")) {
        m_session.setNotice(tr("%1 is not a sweep: the folder of a sweep has a sweep.json").arg(chosen.filePath()));
        return;
    }
    if (const QString of = string(state, "project"); of != string(m_session.document().json(), "name"))
        m_session.setNotice(tr("This sweep belongs to another project, %1").arg(of), true);
    m_opened = folder;
    m_openedIn = m_design.name();
    m_session.setView(QStringLiteral("sweep"));
    look();
}

void SweepRunner::closeOpened() {
    m_opened.clear();
    look();
}

/// Update once at a time, however fast rounds end.
void SweepRunner::renew() {
    if (m_folder.isEmpty() || !QFileInfo::exists(m_folder + QStringLiteral("/sweep.json"))) return;
    m_again = m_ask.isBusy();
    if (m_again) return;
    ++m_state;
    m_renewed.start();
    m_ask.now();
}

void SweepRunner::show(const CliAnswer& answer) {
    const auto parsed = readJson(answer.output.toStdString());
    const Json* said = std::get_if<Json>(&parsed);
    auto outline = said && answer.isFine() ? sweepOutlineFrom(*said) : std::nullopt;
    if (!outline) {
        m_failure = answer.explanation();
        return emit changed();
    }
    const bool wasComplete = isComplete();
    m_hasOutline = true;
    m_picture.outline = std::move(*outline);
    const SweepOutline& now = m_picture.outline;
    m_picture.quantity = std::clamp(m_picture.quantity, 0, std::max(0, static_cast<int>(now.quantities.size()) - 1));
    if (m_picture.chosen >= static_cast<int>(now.points.size())) m_picture.chosen = -1;
    if (now.complete && !wasComplete && m_picture.chosen < 0) m_picture.chosen = bestPoint(now, m_picture.quantity);
    listRuns();
    emit measured();
    emit changed();
}

bool SweepRunner::canBegin() const { return !isRunning() && m_design.isReady() && !m_session.isLookOnly(); }

bool SweepRunner::canGoOn() const {
    // An opened sweep may contain another user's code: viewing it must not run that code.
    return !isRunning() && m_opened.isEmpty() && m_hasOutline && !m_picture.outline.complete;
}

void SweepRunner::begin() {
    if (!canBegin()) return;
    m_opened.clear();
    const Document& document = m_session.document();
    m_startProject = document.json();
    m_rounds = m_design.rounds();
    m_inRound = m_design.runsInRound();
    m_out = freeSweepFolder(place(), m_design.name());
    if (document.path().isEmpty()) m_unfiled.append(m_out);
    // An unsaved project goes through a pipe, like in a run.
    const bool isSaved = !document.path().isEmpty() && !document.isModified();
    QStringList arguments{QStringLiteral("sweep"),   isSaved ? document.path() : QStringLiteral("-"),
                          QStringLiteral("--sweep"), m_design.name(),
                          QStringLiteral("--out"),   m_out,
                          QStringLiteral("--json"),  QStringLiteral("--progress=json")};
    if (m_design.isQuick()) arguments << QStringLiteral("--quick");
    start(arguments, isSaved ? QByteArray() : QByteArray::fromStdString(document.canonicalText()));
}

void SweepRunner::goOn() {
    if (!canGoOn()) return;
    const Json state = jsonIn(m_folder + QStringLiteral("/sweep.json"));
    const Json* project = member(state, "document");
    if (!project) {
        m_failure = tr("%1/sweep.json cannot be read").arg(m_folder);
        return emit changed();
    }
    m_startProject = *project;
    m_rounds = m_picture.outline.roundsRequested;
    m_inRound = static_cast<int>(m_picture.outline.points.size());
    m_out = m_folder;
    start({QStringLiteral("sweep"), QStringLiteral("-"), QStringLiteral("--out"), m_out, QStringLiteral("--resume"),
           QStringLiteral("--json"), QStringLiteral("--progress=json")},
          QByteArray::fromStdString(project->dump()));
}

void SweepRunner::start(const QStringList& arguments, const QByteArray& input) {
    m_session.problemModel().setBuildProblems({}, {});
    m_failure.clear();
    m_hint.clear();
    m_said.clear();
    m_stopping = m_isOfOther = false;
    m_ofRun = m_design.name();
    m_now = {QStringLiteral("starting")};
    m_reported.start();
    m_renewed.start();
    m_tick.start();
    m_repeat = [this, arguments, input] { start(arguments + QStringList(QStringLiteral("--trust")), input); };
    m_process.start(m_session.command(), arguments, m_session.document().folder(), input);
    look();
    emit changed();
    emit timeChanged();
}

void SweepRunner::stop() {
    if (!isRunning()) return;
    m_stopping = true;
    m_process.cancel();
    emit changed();
}

void SweepRunner::leaveProject() {
    if (isRunning()) {
        m_isOfOther = true;
        stop();
    }
    m_folder.clear();
    m_opened.clear();
    m_unfiled.clear();
    m_hasOutline = false;
    m_picture = {};
    m_failure.clear();
    m_hint.clear();
    m_ask.forget();
    listRuns();
    emit measured();
    look();
}

QString SweepRunner::status() const {
    if (!isRunning()) return {};
    QString text;
    if (m_stopping) {
        text = tr("stopping; the measurements are kept");
    } else if (m_now.phase != QLatin1String("sweep")) {
        const QString phase = phaseText(m_now.phase);
        text = m_now.deployment.isEmpty() ? phase : QStringLiteral("%1: %2").arg(m_now.deployment, phase);
    } else {
        // A repeated round does not increase the number.
        const int after = m_inRound > 0 ? static_cast<int>((m_now.total - m_now.done) / m_inRound) : 0;
        const int round = std::clamp(m_rounds - after, 1, std::max(1, m_rounds));
        text = tr("round %1 of %2 · run %3 of %4").arg(round).arg(m_rounds).arg(m_now.done).arg(m_now.total);
        if (isRunningHere() && m_picture.outline.roundsDisturbed > 0)
            text += u' ' + tr("· %n round(s) disturbed", nullptr, m_picture.outline.roundsDisturbed);
    }
    return isRunningHere() ? text : QStringLiteral("%1: %2").arg(m_ofRun, text);
}

QString SweepRunner::remaining() const {
    const double left = m_now.secondsLeft - double(m_reported.elapsed()) / 1000;
    return isRunning() && !m_stopping && left >= 0.5 ? tr("%1 left").arg(clockText(left)) : QString();
}

qreal SweepRunner::progress() const {
    return isRunning() && m_now.phase == QLatin1String("sweep") && m_now.total > 0 ? m_now.done / m_now.total : -1;
}

void SweepRunner::receive(const Json& results, const QString& failure) {
    m_tick.stop();
    const bool wasStopped = std::exchange(m_stopping, false);
    if (std::exchange(m_isOfOther, false)) return emit changed();
    if (results.is_null() && !wasStopped && m_session.trust()->ask(m_process.diagnostics(), m_repeat)) {
        m_failure = tr("Not measured: the flowgraph is not trusted");
    } else if (results.is_null() && !wasStopped) {
        std::vector<Problem> problems = problemsFrom(m_process.diagnostics(), m_startProject);
        m_hint = problems.empty() ? QString() : problems.front().hint;
        m_failure = !problems.empty()  ? problems.front().message
                    : m_said.isEmpty() ? failure
                                       : failure + QStringLiteral(" · ") + m_said;
        m_session.problemModel().setBuildProblems(std::move(problems), m_startProject);
        m_session.problemModel().follow(m_session.document().json());  // the document may have been edited meanwhile
    }
    if (m_folder == m_out) renew();
    bring();
    emit changed();
}

}  // namespace weir::editor
