#include "features/tuning/tuner.h"

#include "features/tuning/tune_words.h"
#include "shell/session/session.h"

#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

constexpr int kTickMs = 500;
constexpr double kLongest = 24 * 3600; ///< s; limit of the command line
const char* const kGoals[] = {"throughput", "p99"};

/// Format a duration: "0:07", "12:30".
QString minutesText(double seconds) {
    const auto whole = static_cast<int>(std::ceil(seconds));
    return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

Tuner::Tuner(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_role(session.blockModel().addRole("moves")) {
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &Tuner::timeChanged);
    connect(&m_process, &RunProcess::progressed, this, [this](const RunProgress& progress) {
        m_now = progress;
        if (!m_elapsed.isValid() && progress.phase == QLatin1String("looking")) m_elapsed.start();
        emit changed();
    });
    connect(&m_process, &RunProcess::logged, this, [this](const QString& line) { m_said = line; });
    connect(&m_process, &RunProcess::finished, this, &Tuner::receive);
    connect(&session.document(), &Document::replaced, this, &Tuner::leaveProject);
    connect(&session.document(), &Document::changed, this, [this](const ChangedPaths& paths) {
        if (!paths.isDrawing()) follow();
    });
    connect(&session, &Session::problemsChanged, this, &Tuner::follow);
    connect(&session, &Session::historyChanged, this, &Tuner::changed); // a read-only project disables Apply
    connect(&session, &Session::deploymentsChanged, this, &Tuner::changed);
    registerActions();
}

void Tuner::registerActions() {
    Actions& actions = m_session.actions();
    actions.add({.id = QStringLiteral("run.tune"),
                 .group = ActionGroup::Run,
                 .title = tr("Tune…"),
                 .shortcuts = {QStringLiteral("Ctrl+T")},
                 .run =
                     [this] {
                         setOpen(true);
                         emit keysWanted();
                     },
                 .hint = tr("Search for a better deployment by measuring, and see which blocks would move"),
                 .words = tr("optimise best fastest deployment search placement scheduler")});
    actions.add({.id = QStringLiteral("run.tune_stop"),
                 .group = ActionGroup::Run,
                 .title = tr("Stop tuning"),
                 .enabled = [this] { return isRunning(); },
                 .run = [this] { stop(); }});
    actions.add({.id = QStringLiteral("run.tune_apply"),
                 .group = ActionGroup::Run,
                 .title = tr("Apply the tuned deployment"),
                 .enabled = [this] { return canApply(); },
                 .run = [this] { apply(); }});
    actions.add({.id = QStringLiteral("run.tune_discard"),
                 .group = ActionGroup::Run,
                 .title = tr("Discard the result of tuning"),
                 .enabled = [this] { return isAnswered(); },
                 .run = [this] { discard(); }});
}

void Tuner::setOpen(bool open) {
    if (std::exchange(m_open, open) == open) return;
    emit openChanged();
    showPreview();
}

void Tuner::setGoal(int goal) {
    m_goal = goal == 1 ? 1 : 0;
    emit changed();
}

void Tuner::setBudget(const QString& budget) {
    m_budget = budget.trimmed();
    emit changed();
}

double Tuner::budgetSeconds() const {
    bool isNumber = false;
    const double seconds = m_budget.toDouble(&isNumber);
    return isNumber && seconds > 0 && seconds <= kLongest ? seconds : 0;
}

bool Tuner::canStart() const {
    // Without a checked project, the answer could not be matched to a version of it.
    return !isRunning() && budgetSeconds() > 0 && m_session.isChecked() && !m_session.isEmpty();
}

QString Tuner::startName() const {
    const QString name = isRunning() || isAnswered() ? m_deployment : m_session.deployment();
    return name.isEmpty() && m_answer ? m_answer->startName : name;
}

void Tuner::begin() { start({}); }

void Tuner::start(const QStringList& options) {
    if (!canStart()) return;
    discard();
    m_session.problemModel().setBuildProblems({}, {});
    m_failure.clear();
    m_hint.clear();
    m_folder = std::make_unique<QTemporaryDir>();
    if (!m_folder->isValid()) return fail(tr("temporary files cannot be created: %1").arg(m_folder->errorString()));
    // An unsaved project goes through a pipe, as for a run.
    const Document& document = m_session.document();
    const bool isSaved = !document.path().isEmpty() && !document.isModified();
    m_startProject = document.json();
    m_essence = m_session.essence();
    m_meaning = document.meaning();
    m_deployment = m_session.deployment();
    m_budgetOfRun = budgetSeconds();
    QStringList arguments{
        QStringLiteral("tune"),     isSaved ? document.path() : QStringLiteral("-"),
        QStringLiteral("--json"),   QStringLiteral("--progress=json"),
        QStringLiteral("--goal"),   QLatin1String(kGoals[m_goal]),
        QStringLiteral("--budget"), QString::number(m_budgetOfRun, 'f', m_budgetOfRun < 1 ? 3 : 0) + u's',
        QStringLiteral("--output"), m_folder->filePath(QStringLiteral("tuned.weir.json"))};
    if (!m_deployment.isEmpty()) arguments << QStringLiteral("--deployment") << m_deployment;
    m_stopping = m_isOfOther = false;
    m_said.clear();
    m_now = {QStringLiteral("starting")};
    m_elapsed.invalidate(); // the time limit starts with the first measurement
    m_tick.start();
    m_process.start(m_session.command(), arguments + options, document.folder(),
                    isSaved ? QByteArray() : QByteArray::fromStdString(document.canonicalText()));
    emit changed();
    emit timeChanged();
}

void Tuner::stop() {
    if (!isRunning()) return;
    m_stopping = true;
    m_process.cancel();
    emit changed();
}

void Tuner::leaveProject() {
    discard();
    m_failure.clear();
    m_hint.clear();
    if (isRunning()) {
        m_isOfOther = true;
        stop();
    }
    emit changed();
}

QString Tuner::status() const {
    if (!isRunning()) return {};
    return m_stopping ? tr("stopping") : tunePhase(m_now.phase, m_now.deployment, m_now.done, m_now.total, m_now.left);
}

QString Tuner::remaining() const {
    // Building and measuring take an unknown time, so only the time limit says when the search ends.
    if (!m_elapsed.isValid()) return {};
    const double left = m_budgetOfRun - double(m_elapsed.elapsed()) / 1000;
    return isRunning() && left >= 0.5 ? tr("%1 left").arg(minutesText(left)) : QString();
}

qreal Tuner::progress() const {
    return isRunning() && m_elapsed.isValid() ? std::min(1.0, double(m_elapsed.elapsed()) / 1000 / m_budgetOfRun) : 0;
}

void Tuner::fail(const QString& failure) {
    m_failure = failure;
    emit changed();
}

void Tuner::receive(const Json& results, const QString& failure) {
    m_tick.stop();
    m_folder.reset();
    const bool wasStopped = std::exchange(m_stopping, false);
    if (std::exchange(m_isOfOther, false)) {
        emit changed();
        return;
    }
    setOpen(true); // a user who closed the pane waits for this result
    if (results.is_null() && !wasStopped &&
        m_session.trust()->ask(m_process.diagnostics(), [this] { start({QStringLiteral("--trust")}); }))
        return fail(tr("Not measured: the flowgraph is not trusted"));
    std::optional<TuneAnswer> answer = failure.isEmpty() ? tuneAnswerFrom(results) : std::nullopt;
    if (!answer || answer->candidates.empty()) {
        std::vector<Problem> problems = problemsFrom(m_process.diagnostics(), m_startProject);
        m_hint = problems.empty() ? QString() : problems.front().hint;
        const QString why = !problems.empty()   ? problems.front().message
                            : wasStopped        ? tr("Stopped before anything was measured")
                            : failure.isEmpty() ? tr("No valid measurement")
                            : m_said.isEmpty()  ? failure
                                                : failure + QStringLiteral(" · ") + m_said;
        m_session.problemModel().setBuildProblems(std::move(problems), m_startProject);
        m_session.problemModel().follow(m_session.document().json());  // the project may have changed during the search
        return fail(why);
    }
    m_answer = std::move(answer);
    m_onGraph = true;
    listRows();
    int best = 0;
    for (std::size_t row = 0; row < m_answer->candidates.size(); ++row)
        if (m_answer->candidates[row].bestFor.contains(m_answer->goal)) best = static_cast<int>(row);
    choose(best);
}

}  // namespace weir::editor
