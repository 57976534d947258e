#include "features/results/results.h"

#include "core/document/project_places.h"
#include "core/text/value_text.h"
#include "features/run/run_controller.h"
#include "shell/session/session.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace weir::editor {
namespace {

/// Return the options of `weir run` for a run: its items and the values that were set for it.
QStringList askedOf(const Json& results, const Json& project) {
    QStringList words;
    const auto add = [&words](const char* option, const std::string& name, const Json& value) {
        words << QLatin1String(option)
              << QStringLiteral("%1=%2").arg(QString::fromStdString(name), value.is_string()
                                                                               ? fieldText(value)
                                                                               : QString::fromStdString(value.dump()));
    };
    const Json& coordinates = object(member(results, "coordinates"));
    // A flowgraph that ends by itself, or by the time limit, has no count.
    if (const Json* items = member(coordinates, "items"); items && items->is_number() && *items > 0)
        words << QStringLiteral("--items") << QString::fromStdString(items->dump());
    const Json& known = object(member(project, "parameters"));
    for (const auto& [name, value] : object(member(coordinates, "parameters")).items())
        if (member(known, name)) add("--set", name, value);
    for (const auto& [name, value] : object(member(coordinates, "settings")).items())
        if (name != "/run/metrics") add(name.starts_with('/') ? "--set" : "--param", name, value);
    return words;
}

} // namespace

Results::Results(Session& session, RunController& runner, QObject* parent)
    : QObject(parent), m_session(session), m_runner(runner), m_library(session, runner, this), m_run(m_library, this),
      m_shown(session, m_library, m_run, this), m_heat(session, m_shown, this) {
    connect(&m_library, &RunLibrary::listed, this, &Results::choose);
    connect(&m_library, &RunLibrary::removed, this, [this](const QString& path) {
        if (m_run.path() == path) m_run.show({});
    });
    connect(&session.document(), &Document::replaced, this, [this] { m_run.show({}); });
    connect(&m_heat, &HeatMap::changed, this, &Results::graphChanged);
    connect(&m_run, &RunView::changed, this, &Results::graphChanged);
    connect(&runner, &RunController::finished, this, [this] {
        m_newRun = true;
        m_library.refresh();
    });
    connect(&m_library, &RunLibrary::moved, this, [this](const QString& from, const QString& to) {
        if (m_run.path().startsWith(from + u'/')) m_run.show(to + m_run.path().mid(from.size()));
    });
    connect(&session, &Session::deploymentsChanged, this, &Results::restlessChanged);
    registerActions();
}

void Results::show(const QString& path) {
    m_run.show(path);
    // The numbers on the graph belong to the chosen deployment.
    if (const auto place = m_session.deployments().indexOf(m_run.deployment()); fitsGraph() && place >= 0)
        m_session.setDeploymentIndex(static_cast<int>(place));
}

bool Results::fitsGraph() const {
    if (!m_run.isShown() || !m_run.record().isReadable()) return false;
    const QStringList deployments = m_session.deployments();
    const bool has =
        deployments.isEmpty() ? m_run.deployment() == m_shown.deployment() : deployments.contains(m_run.deployment());
    const RunLoads loads = has ? loadsOf(m_run.record().results) : RunLoads{};
    return loads.hasWork() || loads.hasFill() || loads.hasCalls();
}

QStringList Results::restless() const {
    QStringList found;
    const Json& project = m_session.document().json();
    for (const QString& name : m_session.deployments())
        if (const auto place = deploymentPointer(project, name.toStdString()))
            if (string(project.at(*place), "wait") != QLatin1String("park")) found.append(name);
    return found;
}

void Results::park(const QString& deployment) {
    m_session.edit(tr("Park waiting workers of %1").arg(deployment), [&deployment](Transaction& t) {
        if (const auto place = deploymentPointer(t.json(), deployment.toStdString())) t.set(*place / "wait", "park");
    });
}

QList<RunRow> Results::validRuns() const {
    constexpr int kMost = 60;
    return m_library.list().validLike(m_run.path(), kMost);
}

QList<double> Results::history() const {
    QList<double> values;
    for (const RunRow& run : validRuns()) values.append(run.throughput);
    return values;
}

int Results::historyPlace() const {
    const QList<RunRow> runs = validRuns();
    const auto place =
        std::find_if(runs.begin(), runs.end(), [this](const RunRow& run) { return run.path == m_run.path(); });
    return place == runs.end() ? -1 : static_cast<int>(place - runs.begin());
}

void Results::showOnGraph() {
    show(m_run.path());
    m_heat.setEnabled(true);
    m_session.setView(QStringLiteral("canvas"));
}

QString Results::withoutProfile() const {
    if (m_session.view() == QLatin1String("results")) return m_run.isProfiled() ? QString() : m_run.path();
    return m_heat.isProfiled() ? QString() : m_shown.path();
}

void Results::profile(const QString& path) {
    const RunRecord record = readRun(path);
    const QString deployment = string(record.results, "deployment");
    if (!record.isReadable()) return m_session.setNotice(record.fault);
    if (!m_session.deployments().isEmpty() && !m_session.deployments().contains(deployment))
        return m_session.setNotice(tr("The project has no deployment %1.").arg(deployment));
    m_runner.runOnce(m_session.deployments().isEmpty() ? QString() : deployment,
                     askedOf(record.results, m_session.document().json())
                         << QStringLiteral("--set") << QStringLiteral("/run/metrics=profile")
                         << QStringLiteral("--repeat")
                         << QStringLiteral("1")); // only this run, not the project's number of runs
}

void Results::copyText(const QString& text) const { QGuiApplication::clipboard()->setText(text); }

void Results::choose() {
    const RunListModel& list = m_library.list();
    if (!m_newRun && m_run.isShown()) return;
    // The newest readable run: rows are sorted newest first, and a filter may hide it.
    for (int row = 0; row < list.rowCount(); ++row)
        if (const RunRow* run = list.runAt(row); run->isReadable()) {
            // Keep the chosen deployment: the user may have changed it since.
            m_run.show(ofChosenDeployment(*run).path);
            break;
        }
    m_newRun = false;
}

/// Return the run of the shown deployment: among the runs of one command, or among all after a project was opened. The
/// page and the graph then show the same run.
RunRow Results::ofChosenDeployment(const RunRow& newest) const {
    const RunRow* own = m_library.list().newestOf(m_shown.deployment());
    return own && (!m_newRun || (!newest.set.isEmpty() && own->set == newest.set)) ? *own : newest;
}

void Results::registerActions() {
    Actions& actions = m_session.actions();
    const auto shown = [this] { return m_run.isShown(); };
    actions.add({.id = QStringLiteral("results.heat"),
                 .group = ActionGroup::Results,
                 .title = tr("Show the run's numbers on the graph"),
                 .shortcuts = {QStringLiteral("Ctrl+H")},
                 .enabled = [this] { return m_heat.isKnown(); },
                 .run = [this] { m_heat.toggle(); },
                 .checked = [this] { return m_heat.isEnabled(); }});
    actions.add({.id = QStringLiteral("results.profile"),
                 .group = ActionGroup::Results,
                 .title = tr("Profile this run"),
                 .enabled = [this] { return !withoutProfile().isEmpty() && !m_runner.isRunning(); },
                 .run = [this] { profile(withoutProfile()); }});
    actions.add({.id = QStringLiteral("results.report"),
                 .group = ActionGroup::Results,
                 .title = tr("Open the report of the chosen run"),
                 .enabled = shown,
                 .run = [this] { m_library.openReport(m_run.path()); }});
    actions.add({.id = QStringLiteral("results.folder"),
                 .group = ActionGroup::Results,
                 .title = tr("Open the folder of the chosen run"),
                 .enabled = shown,
                 .run = [this] { m_library.openFolder(m_run.path()); }});
    actions.add({.id = QStringLiteral("results.refresh"),
                 .group = ActionGroup::Results,
                 .title = tr("Read the list of runs again"),
                 .run = [this] { m_library.refresh(); }});
}

}  // namespace weir::editor
