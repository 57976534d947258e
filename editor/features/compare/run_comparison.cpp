#include "features/compare/run_comparison.h"

#include "core/deployment/deployment_edits.h"
#include "core/json/json_reader.h"
#include "features/runs/result_tables.h"
#include "features/runs/run_library.h"
#include "features/runs/run_view.h"
#include "shell/session/session.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kMostChoices = 200;
constexpr int kMostCurves = 20;
constexpr int kEnough = 8;
const QString kNone = QLatin1String(kOwnDeployment);

} // namespace

RunComparison::RunComparison(Session& session, RunLibrary& library, RunView& run, QObject* parent)
    : QObject(parent), m_session(session), m_library(library),
      m_ask(session.command(),
            {.key = [this] { return hasSides() ? arguments(QStringLiteral("--json")).join(u'\n') : QString(); },
             .request = [this] { return request(QStringLiteral("--json")); },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .late = [] {}}, // a new choice of sides asks again
            nullptr) {
    connect(&library, &RunLibrary::listed, this, &RunComparison::rebuild);
    connect(&session, &Session::viewChanged, this, [this] { setShown(m_session.view() == QLatin1String("compare")); });
    // The advice depends on the existing deployments.
    connect(&session, &Session::deploymentsChanged, this, &RunComparison::adviceChanged);
    connect(this, &RunComparison::answered, this, &RunComparison::adviceChanged);
    connect(&library, &RunLibrary::moved, this, [this](const QString& from, const QString& to) {
        for (QString& path : m_alone)
            if (path.startsWith(from + u'/')) path.replace(0, from.size(), to);
    });
    registerActions(run);
}

void RunComparison::registerActions(RunView& run) {
    Actions& actions = m_session.actions();
    actions.add({.id = QStringLiteral("results.compare"),
                 .group = ActionGroup::Results,
                 .title = tr("Compare other runs with the chosen run"),
                 .enabled = [&run] { return run.isShown(); },
                 .run =
                     [this, &run] {
                         m_session.setView(QStringLiteral("compare"));
                         startFrom(run.path());
                     }});
    actions.add({.id = QStringLiteral("results.swap"),
                 .group = ActionGroup::Results,
                 .title = tr("Exchange A and B of the comparison"),
                 .enabled = [this] { return m_sides.size() > 1; },
                 .run = [this] { swap(); }});
}

void RunComparison::startFrom(const QString& path) {
    m_library.list().setBaseline(path);
    setSide(path, true);
}

/// Read the runs and call `weir compare` only while the page is shown: both take long.
void RunComparison::setShown(bool shown) {
    m_shown = shown;
    if (m_shown && m_due) read();
}

QStringList RunComparison::choices() const {
    QStringList labels;
    for (const Side& side : m_sides) labels.append(side.label);
    return labels;
}

const RunComparison::Side* RunComparison::side(int index) const {
    return index < 0 || index >= static_cast<int>(m_sides.size()) ? nullptr : &m_sides[static_cast<std::size_t>(index)];
}

int RunComparison::find(const QString& key) const {
    for (std::size_t index = 0; index < m_sides.size(); ++index)
        if (m_sides[index].key == key) return static_cast<int>(index);
    return -1;
}

int RunComparison::newestOf(const QString& deployment, bool orProfiled) const {
    for (const bool profiled : {false, true})
        for (int index = 0; index < static_cast<int>(m_sides.size()); ++index)
            if (deploymentOf(index) == deployment && isProfiled(index) == profiled && (!profiled || orProfiled) &&
                !m_alone.contains(side(index)->key))
                return index;
    return -1;
}

void RunComparison::rebuild() {
    const QString a = side(m_a) ? side(m_a)->key : QString(), b = side(m_b) ? side(m_b)->key : QString();
    const QString deploymentOfA = deploymentOf(m_a), deploymentOfB = deploymentOf(m_b);
    const bool wasProfiledA = isProfiled(m_a), wasProfiledB = isProfiled(m_b);
    const QStringList before{newestRun(m_a), newestRun(m_b)};
    m_sides.clear();
    for (const QString& path : std::as_const(m_alone))
        if (const RunRow* run = m_library.list().run(path))
            m_sides.push_back(
                {(run->profiled ? tr("%1 · run %2 · profiled") : tr("%1 · run %2")).arg(run->label, run->id.left(16)),
                 path,
                 {*run},
                 {}});
    for (const RunGroup& group : m_library.list().groups()) {
        if (static_cast<int>(m_sides.size()) >= kMostChoices) break;
        const QString key = group.runs.first().group();
        if (find(key) < 0) m_sides.push_back({group.label, key, group.runs, group.set});
    }
    m_byUser = m_byUser && !m_sides.empty();
    m_a = m_newest ? newestOf(deploymentOfA, wasProfiledA) : m_byUser ? find(a) : -1;
    m_b = m_newest ? newestOf(deploymentOfB, wasProfiledB) : m_byUser ? find(b) : -1;
    chooseThemselves();
    // Sides measured in turns are equally new, so they keep their letters.
    const bool inTurns = side(m_a) && side(m_b) && !side(m_a)->set.isEmpty() && side(m_a)->set == side(m_b)->set;
    if (inTurns && !m_byUser && deploymentOfA != deploymentOfB && deploymentOf(m_a) == deploymentOfB &&
        deploymentOf(m_b) == deploymentOfA)
        std::swap(m_a, m_b);
    emit choicesChanged();
    emit chosen();
    sayMoved(before);
    const auto same = [this](int index, const QString& key) { return side(index) && side(index)->key == key; };
    if (!same(m_a, a) || !same(m_b, b) || m_view.verdict.isEmpty()) compare();
}

/// Choose the last run as B, and as A a run of the same command, else the one before. A profiled run has no valid
/// throughput: it comes last, and is compared with profiled runs.
void RunComparison::chooseThemselves() {
    const int count = static_cast<int>(m_sides.size());
    const auto next = [&](int from, bool profiled) {
        // Runs that the user separated come first in the list, and last here.
        for (const bool alone : {false, true})
            for (int index = from; index < count; ++index)
                if (index != m_a && index != m_b && isProfiled(index) == profiled &&
                    m_alone.contains(side(index)->key) == alone)
                    return index;
        return -1;
    };
    if (m_b < 0) m_b = next(0, false);
    if (m_b < 0) m_b = next(0, true);
    if (m_b < 0 || m_a >= 0) return;
    const bool profiled = isProfiled(m_b);
    m_a = next(m_b + 1, profiled);
    for (int index = m_b + 1; index < count; ++index)
        if (!side(m_b)->set.isEmpty() && side(index)->set == side(m_b)->set && isProfiled(index) == profiled)
            m_a = index;
    if (m_a < 0) m_a = next(0, profiled);
    // If both were measured in turns, neither is newer: A is the first one in the project.
    const auto place = [this](int index) { return m_session.deployments().indexOf(deploymentOf(index)); };
    if (side(m_a) && !side(m_a)->set.isEmpty() && side(m_a)->set == side(m_b)->set && place(m_b) >= 0 &&
        place(m_b) < place(m_a))
        std::swap(m_a, m_b);
}

QString RunComparison::headline() const {
    if (isProfiled(m_a) == isProfiled(m_b)) return m_view.headline;
    const QString warning = tr("%1 was profiled, which costs throughput: profile both, or none")
                                .arg(isProfiled(m_a) ? QStringLiteral("A") : QStringLiteral("B"));
    return m_view.headline.isEmpty() ? warning : warning + QStringLiteral(" · ") + m_view.headline;
}

void RunComparison::choose(int& side, int index) {
    if (index < 0 || index >= static_cast<int>(m_sides.size())) return;
    m_byUser = true;
    m_newest = false;
    if (side == index) return;
    side = index;
    emit chosen();
    compare();
}

/// Show the outcome of the comparison in a notice while its page is hidden.
void RunComparison::sayWhich(bool first) {
    if (const Side* chosen = side(first ? m_a : m_b); chosen && m_session.view() != QLatin1String("compare"))
        m_session.setNotice(tr("%1 of the comparison: %2", "A or B")
                                .arg(first ? QStringLiteral("A") : QStringLiteral("B"), chosen->label),
                            true);
}

/// Report that newer runs have replaced the compared ones while the page is shown.
void RunComparison::sayMoved(const QStringList& before) {
    const QStringList now{newestRun(m_a), newestRun(m_b)};
    if (m_session.view() != QLatin1String("compare") || before.contains(QString()) || now.contains(QString())) return;
    // The key of a side may change when runs are added; the paths of its runs do not.
    if (std::any_of(now.begin(), now.end(), [&before](const QString& run) { return !before.contains(run); }))
        m_session.setNotice(tr("Newer runs were chosen. A: %1, B: %2").arg(side(m_a)->label, side(m_b)->label), true);
}

QString RunComparison::newestRun(int index) const {
    const Side* of = side(index);
    return of && !of->runs.isEmpty() ? of->runs.last().path : QString();
}

void RunComparison::setSide(const QString& path, bool first) {
    const RunRow* run = m_library.list().run(path);
    if (!run) return;
    QString key = run->group();
    // If both sides are from one group, compare this single run.
    const Side* other = side(first ? m_b : m_a);
    if (other && other->key == key) {
        if (other->runs.size() == 1) {
            swap();
            return sayWhich(first);
        }
        key = path;
        if (!m_alone.contains(path)) m_alone.append(path);
        rebuild();
    }
    choose(first ? m_a : m_b, find(key));
    sayWhich(first);
}

void RunComparison::swap() {
    std::swap(m_a, m_b);
    m_byUser = true;
    m_newest = false;
    emit chosen();
    compare();
}

QStringList RunComparison::arguments(const QString& form) const {
    const Side &a = *side(m_a), &b = *side(m_b);
    const auto place = [](const Side& it) {
        const QString& path = it.runs.first().path;
        return it.set.isEmpty() ? path : QFileInfo(path).absolutePath();  // one command writes into one folder
    };
    QStringList words{QStringLiteral("compare"),
                      place(a),
                      place(b),
                      QStringLiteral("--a-deployment"),
                      a.runs.first().deployment,
                      QStringLiteral("--b-deployment"),
                      b.runs.first().deployment,
                      form};
    if (!a.set.isEmpty()) words << QStringLiteral("--a-set") << a.set;
    if (!b.set.isEmpty()) words << QStringLiteral("--b-set") << b.set;
    // One command may measure several points.
    for (const QString& condition : a.runs.first().at) words << QStringLiteral("--a-point") << condition;
    for (const QString& condition : b.runs.first().at) words << QStringLiteral("--b-point") << condition;
    return words;
}

void RunComparison::compare() {
    m_ask.forget();
    m_view = {};
    m_failure.clear();
    m_metrics.setTable({}, {});
    m_differences.setTable({}, {});
    m_due = true;
    if (m_shown) return read();
    emit answered();
}

void RunComparison::read() {
    m_due = false;
    readRuns();
    if (hasSides()) m_ask.now();
    emit answered();
}

CliRequest RunComparison::request(const QString& form) const {
    return {.arguments = arguments(form), .folder = m_session.document().folder()};
}

void RunComparison::receive(const CliAnswer& answer) {
    m_failure = answer.output.isEmpty() ? answer.explanation() : QString();
    if (m_failure.isEmpty()) {
        const auto parsed = readJson(answer.output.toStdString());
        if (const Json* json = std::get_if<Json>(&parsed)) {
            m_view = readComparison(*json);
            fillMetricTable(m_metrics, *json);
            fillDifferenceTable(m_differences, *json);
        } else {
            m_failure = tr("weir compare did not print JSON");
        }
    }
    emit answered();
}

void RunComparison::readRuns() {
    std::vector<Curve> shown, thin;
    std::vector<RunLoads> loads[2];
    int colour = 0;
    for (const int index : {m_a, m_b}) {
        const Side* it = side(index);
        std::vector<Curve> curves;
        m_spinning[colour] = false;
        for (const RunRow& run : it ? it->runs : QList<RunRow>()) {
            // Average only valid runs.
            if (!run.isOk() || static_cast<int>(loads[colour].size()) >= kMostCurves) continue;
            RunRecord record = readRun(run.path);
            loads[colour].push_back(loadsOf(record.results));
            m_spinning[colour] |= isSpinning(record.results);
            if (!record.curves.empty())
                curves.push_back({run.id, std::move(record.curves.front().distribution), colour, true});
        }
        const QString name = colour == 0 ? QStringLiteral("A") : QStringLiteral("B");
        if (!curves.empty())
            shown.push_back(medianCurve(
                curves.size() == 1 ? tr("%1 · %2").arg(name, it->runs.first().label)
                                   : tr("%1 · %2, median of %n run(s)", nullptr, static_cast<int>(curves.size()))
                                         .arg(name, it->runs.first().label),
                curves, colour));
        if (curves.size() > 1) thin.insert(thin.end(), curves.begin(), curves.end());
        ++colour;
    }
    shown.insert(shown.end(), std::make_move_iterator(thin.begin()), std::make_move_iterator(thin.end()));
    m_curves.set(std::move(shown));
    fillBlockDifferenceTable(m_blocks, loads[0], loads[1]);
}

QString RunComparison::method() const {
    if (m_view.verdict.isEmpty()) return {};
    const QString way = m_view.design == QLatin1String("interleaved") ? tr("measured in turns by one command")
                        : m_view.design == QLatin1String("in turns")  ? tr("measured in turns")
                                                                      : tr("measured one after the other");
    QStringList parts{way, tr("threshold ± %1 %").arg(m_view.threshold),
                      tr("%1 % intervals").arg(m_view.confidence * 100)};
    if (!m_view.sameWork) parts.append(tr("A and B do not do the same work"));
    return parts.join(QStringLiteral(" · "));
}

bool RunComparison::isHelpedByRuns() const {
    // Two sides with one deployment have no difference to measure.
    return deploymentOf(m_a) != deploymentOf(m_b) &&
           (m_view.verdict == QLatin1String("not enough data") || m_view.verdict == QLatin1String("in doubt"));
}

QString RunComparison::advice() const {
    if (m_sides.size() < 2) {
        const QString turns =
            tr("Run two deployments 8 times each: Weir measures them in turns, in random order, so that machine drift "
               "affects both alike.");
        return m_session.deployments().size() < 2 ? turns + u' ' + tr("The + in the bar above adds a deployment.")
                                                  : turns;
    }
    if (m_view.verdict != QLatin1String("not enough data")) return {};
    if (!isRepeatable())
        return tr("Each side needs %n valid run(s), and the project no longer has the deployment %1: choose other "
                  "sides.",
                  nullptr, kEnough)
            .arg(goneDeployment());
    if (deploymentOf(m_a) == deploymentOf(m_b))
        return tr("Each side needs %n valid run(s). Both sides are runs of %1: run it with %n repetition(s) (Options), "
                  "then "
                  "again with the change that you want to try.",
                  nullptr, kEnough)
            .arg(deploymentOf(m_a));
    const QString both =
        tr("Each side needs %n valid run(s). Run both deployments with %n repetition(s).", nullptr, kEnough);
    return lacksNone() ? both + u' ' + tr("This adds the deployment %1.").arg(kNone) : both;
}

bool RunComparison::isMissing(int index) const {
    return side(index) && !m_session.deployments().contains(deploymentOf(index));
}

/// Return whether a side ran when the project had no deployment, and now it has some.
bool RunComparison::lacksNone() const {
    return isRepeatable() && !m_session.deployments().isEmpty() && (isMissing(m_a) || isMissing(m_b));
}

/// Return the deployment of a side that cannot run again; empty if both can.
QString RunComparison::goneDeployment() const {
    for (const int index : {m_a, m_b})
        if (isMissing(index) && deploymentOf(index) != kNone) return deploymentOf(index);
    return {};
}

bool RunComparison::addMissing() {
    return !lacksNone() || m_session.edit(tr("Add deployment %1").arg(kNone),
                                          [](Transaction& t) { addDeployment(t, kOwnDeployment, kOwnDeployment); });
}

void RunComparison::copyMarkdown() {
    if (!side(m_a) || !side(m_b)) return;
    callCli(m_session.command(), request(QStringLiteral("--markdown")), this, [this](const CliAnswer& answer) {
        if (answer.output.isEmpty()) m_session.setNotice(answer.explanation());
        else QGuiApplication::clipboard()->setText(QString::fromUtf8(answer.output));
    });
}

}  // namespace weir::editor
