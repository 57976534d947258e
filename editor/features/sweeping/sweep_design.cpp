#include "features/sweeping/sweep_design.h"

#include "core/deployment/deployment_edits.h"
#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/document/sweep_axes.h"
#include "core/edits/sweep_names.h"
#include "core/json/json_reader.h"
#include "core/sweeping/sweep_edits.h"
#include "core/sweeping/sweep_values.h"
#include "core/text/value_text.h"
#include "features/run/run_text.h"
#include "shell/fields/fields.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kPlanDelay{300};
constexpr int kMostRepetitions = 10000;

/// Return the properties with their names on the command line and in words.
std::vector<SweepHoldRow> holdRows() {
    const Pointer hold = kSweeps / 0 / "hold";
    std::vector<SweepHoldRow> rows;
    for (const std::string& kind : switchesAt(hold))
        rows.push_back({QString::fromStdString(kind), shownOf(hold, kind).title});
    return rows;
}

} // namespace

SweepDesign::SweepDesign(Session& session, Fields& fields, QObject* parent)
    : QObject(parent), m_session(session), m_fields(fields),
      m_ask(session.command(),
            {.key =
                 [this] {
                     const Document& document = m_session.document();
                     return QStringLiteral("%1 %2 %3 %4")
                         .arg(document.meaning())
                         .arg(name())
                         .arg(m_quick)
                         .arg(document.folder());
                 },
             .request =
                 [this] {
                     QStringList words{QStringLiteral("sweep"),     QStringLiteral("-"),
                                       QStringLiteral("--sweep"),   name(),
                                       QStringLiteral("--dry-run"), QStringLiteral("--json")};
                     if (m_quick) words << QStringLiteral("--quick");
                     return CliRequest{.arguments = words,
                                       .input = QByteArray::fromStdString(m_session.document().canonicalText()),
                                       .folder = m_session.document().folder()};
                 },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .delay = kPlanDelay},
            nullptr) {
    m_ask.setActive(false);
    connect(&m_ask, &Ask::stateChanged, this, &SweepDesign::planned);
    connect(&session, &Session::viewChanged, this, &SweepDesign::follow);
    connect(&session, &Session::deploymentsChanged, this, &SweepDesign::update);  // marks depend on it
    connect(&session.document(), &Document::replaced, this, [this] {
        m_current = 0;
        m_refused.reset();
        update();
    });
    connect(&session.document(), &Document::changed, this, [this](const ChangedPaths& paths) {
        if (!paths.isDrawing()) update();
    });
    connect(&fields, &Fields::varyRequested, this, &SweepDesign::toggleField);
    registerActions();
    update();
}

void SweepDesign::registerActions() {
    Actions& actions = m_session.actions();
    actions.add({.id = QStringLiteral("sweep.add"),
                 .group = ActionGroup::Run,
                 .title = tr("New sweep"),
                 .enabled = [this] { return !m_session.isEmpty(); },
                 .run = [this] { add(); },
                 .hint = tr("Measure the project for several values of some fields"),
                 .words = tr("vary axis parameter study experiment figure")});
    actions.add({.id = QStringLiteral("sweep.deployment"),
                 .group = ActionGroup::Run,
                 .title = tr("Vary the deployment in the sweep"),
                 .enabled = [this] { return !m_session.deployments().isEmpty(); },
                 .run = [this] { toggleDeployment(); },
                 .checked = [this] { return isVaried("deployment"); },
                 .words = tr("axis contender")});
    actions.listKeys(ActionGroup::Run, tr("Vary the value of the field in the sweep, or stop varying"),
                     {tr("Ctrl+Shift+V in the field")});
}

QStringList SweepDesign::names() const {
    QStringList names;
    for (const Json& sweep : list(find(m_session.document().json(), kSweeps))) names.append(string(sweep, "name"));
    return names;
}

Pointer SweepDesign::sweepPlace() const { return kSweeps / static_cast<std::size_t>(m_current); }

void SweepDesign::choose(int sweep) {
    if (sweep == m_current || sweep < 0 || sweep >= names().size()) return;
    m_current = sweep;
    m_refused.reset();
    update();
}

void SweepDesign::setQuick(bool quick) {
    m_quick = quick;
    update();
}

bool SweepDesign::isVaried(const std::string& key) const {
    const Json& project = m_session.document().json();
    return find(project, sweepPlace() / "vary" / key) || isOfLoads(project, static_cast<std::size_t>(m_current), key);
}

std::vector<Pointer> SweepDesign::placesOf(const SweepAxisRow& axis) const {
    const auto deployment = static_cast<std::size_t>(std::max(0, m_session.deploymentIndex()));
    return placesOfAxis(m_session.document().json(), axis.key.toStdString(), deployment);
}

QStringList SweepDesign::addable() const {
    const Json& project = m_session.document().json();
    QStringList keys;
    const auto offer = [&](const std::string& key) {
        if (const QString name = QString::fromStdString(key); !keys.contains(name) && !isVaried(key)) keys.append(name);
    };
    if (!m_session.deployments().isEmpty()) offer("deployment");
    for (const auto& parameter : object(find(project, Pointer("/parameters"))).items()) offer(parameter.key());
    for (const auto& axis : object(find(project, Pointer("/cases"))).items()) offer(axis.key());
    for (const std::string& setting : settingsByName()) offer(setting);
    return keys;
}

QString SweepDesign::repetitions() const {
    const Json* value = find(m_session.document().json(), sweepPlace() / "repetitions");
    return value ? fieldText(*value) : QString();
}

void SweepDesign::update() {
    const Json& project = m_session.document().json();
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(names().size()) - 1));
    std::vector<SweepAxisRow> rows;
    QStringList places;
    for (const auto& [key, values] : object(find(project, sweepPlace() / "vary")).items()) {
        SweepAxisRow row{
            .key = QString::fromStdString(key), .title = axisTitle(project, key), .values = axisText(values)};
        row.problem = faultAt(sweepPlace() / "vary" / key);
        rows.push_back(row);
    }
    if (auto row = loadsRow()) {
        row->problem = faultAt(sweepPlace() / "loads");
        rows.push_back(*row);
    }
    for (SweepAxisRow& row : rows) {
        if (m_refused && m_refused->key == row.key) {
            row.values = m_refused->values;
            row.problem = m_refused->problem;
        }
        for (const Pointer& at : placesOf(row)) places.append(QString::fromStdString(at.to_string()));
    }
    m_axes.setRows(std::move(rows));
    std::vector<SweepHoldRow> holds = holdRows();
    const Json& held = list(find(project, sweepPlace() / "hold"));
    for (SweepHoldRow& row : holds)
        row.held = std::find(held.begin(), held.end(), Json(row.name.toStdString())) != held.end();
    m_holds.setRows(std::move(holds));
    m_fields.setVaried(places);
    emit changed();
    follow();
}

QString SweepDesign::faultAt(const Pointer& at) const {
    const QString place = QString::fromStdString(at.to_string());
    QString said;
    for (const Problem& fault : m_faults)
        if (fault.pointer == place || fault.pointer.startsWith(place + u'/')) said = fault.message;
    return said;
}

/// Request the plan while the page is shown.
void SweepDesign::follow() {
    const bool seen = m_session.view() == QLatin1String("sweep") && !name().isEmpty();
    m_ask.setActive(seen);
    if (seen) m_ask.refresh();
}

void SweepDesign::receive(const CliAnswer& answer) {
    const auto parsed = readJson(answer.output.toStdString());
    const Json* said = std::get_if<Json>(&parsed);
    m_faults.clear();
    m_problem.clear();
    m_points = m_rounds = m_runs = 0;
    m_seconds = -1;
    m_searchSeconds = 0;
    if (said && member(*said, "points")) {
        const auto count = [said](const char* key) {
            const Json* value = member(*said, key);
            return value && value->is_number() ? value->get<double>() : -1;
        };
        m_points = static_cast<int>(list(member(*said, "points")).size());
        m_rounds = static_cast<int>(count("rounds"));
        m_runs = static_cast<int>(count("runs"));
        m_seconds = count("predicted_s");
        if (const Json* search = member(*said, "search"); search && search->is_object()) {
            const Json* more = member(*search, "predicted_s");
            m_seconds = m_seconds >= 0 && more && more->is_number() ? m_seconds + more->get<double>() : -1;
        }
        if (const Json* loads = member(*said, "loads"); loads && loads->is_object())
            if (const Json* most = member(*loads, "at_most_s"); most && most->is_number())
                m_searchSeconds = most->get<double>();
    } else if (said && member(*said, "diagnostics")) {
        m_faults = problemsFrom(*said, m_session.document().json());
    } else {
        m_problem = answer.explanation();
    }
    const QString vary = QString::fromStdString((sweepPlace() / "vary").to_string()) + u'/';
    const QString loads = QString::fromStdString((sweepPlace() / "loads").to_string());
    for (const Problem& fault : m_faults)
        if (fault.severity == QLatin1String("error") && !fault.pointer.startsWith(vary) &&
            !fault.pointer.startsWith(loads)) {
            m_problem =
                fault.place.isEmpty() ? fault.message : QStringLiteral("%1: %2").arg(fault.place, fault.message);
            break;
        }
    if (m_problem.isEmpty() && m_points == 0)
        m_problem = tr("The sweep cannot be measured: see the problems at its values above.");
    update();
}

QString SweepDesign::plan() const {
    if (name().isEmpty() || m_points == 0) return m_ask.isBusy() ? tr("Planning…") : QString();
    const QString size = tr("%n point(s)", nullptr, m_points) + tr(" in %n round(s): ", nullptr, m_rounds) +
                         tr("%n run(s)", nullptr, m_runs);
    const QString plan = m_seconds < 0 ? size : tr("%1, about %2 without building").arg(size, clockText(m_seconds));
    return m_searchSeconds > 0 ? tr("%1; before that, a search for the sustained rate, %2 at most")
                                     .arg(plan, clockText(m_searchSeconds))
                               : plan;
}

bool SweepDesign::rename(const QString& typed) {
    const QString to = typed.trimmed();
    if (to == name()) return true;
    if (!isValidLabel(to.toStdString())) {
        m_session.setNotice(tr("\"%1\" is not a name of a sweep: use a-z, 0-9, _ and -").arg(to));
        return false;
    }
    if (names().contains(to)) {
        m_session.setNotice(tr("A sweep named %1 already exists").arg(to));
        return false;
    }
    return m_session.edit(tr("Rename sweep %1 to %2").arg(name(), to),
                          [&](Transaction& t) { t.set(sweepPlace() / "name", to.toStdString()); });
}

void SweepDesign::remove() {
    if (name().isEmpty()) return;
    m_session.edit(tr("Remove sweep %1").arg(name()), [this](Transaction& t) {
        t.remove(sweepPlace());
        if (list(find(t.json(), kSweeps)).empty()) t.remove(kSweeps);
    });
}

void SweepDesign::commit(int axis, const QString& typed) {
    if (axis < 0 || axis >= m_axes.rowCount()) return;
    SweepAxisRow row = m_axes.rows()[static_cast<std::size_t>(axis)];
    const std::string key = row.key.toStdString();
    const Json& project = m_session.document().json();
    const auto shares = find(project, Pointer("/parameters") / key) ? loadShares(typed) : std::nullopt;
    const auto values = shares ? *shares : axisValues(typed, hasNames(project, key));
    m_refused.reset();
    if (const QString* why = std::get_if<QString>(&values)) {
        row.values = typed;
        row.problem = *why;
        m_refused = row;
        return update();
    }
    const bool isOfLoads = !row.whose.isEmpty();
    const Json* before =
        isOfLoads ? find(project, sweepPlace() / "loads" / "shares") : find(project, sweepPlace() / "vary" / key);
    if (shares.has_value() == isOfLoads && before && *before == std::get<Json>(values)) return update();
    // Use the same loads for all contenders, unless the user has chosen otherwise.
    const std::string of = isOfLoads ? whoseLoads() : contenders().value(0).toStdString();
    m_session.edit(tr("Set the values of %1").arg(row.title), [&](Transaction& t) {
        const auto sweep = static_cast<std::size_t>(m_current);
        if (shares) setLoads(t, sweep, key, std::get<Json>(values), of);
        else setAxis(t, sweep, key, std::get<Json>(values));
    });
}

std::string SweepDesign::whoseLoads() const {
    return text(find(m_session.document().json(), sweepPlace() / "loads" / "of"));
}

QStringList SweepDesign::contenders() const {
    QStringList names;
    for (const Json& name : list(find(m_session.document().json(), sweepPlace() / "vary" / "deployment")))
        names.append(QString::fromStdString(text(&name)));
    return names.isEmpty() ? QStringList{m_session.deployment()} : names;
}

std::optional<SweepAxisRow> SweepDesign::loadsRow() const {
    const Json& project = m_session.document().json();
    const Json* loads = find(project, sweepPlace() / "loads");
    const std::string parameter = loads ? text(member(*loads, "parameter")) : std::string();
    if (parameter.empty()) return {};
    SweepAxisRow row{.key = QString::fromStdString(parameter),
                     .title = tr("%1 · shares").arg(axisTitle(project, parameter)),
                     .values = sharesText(list(member(*loads, "shares")))};
    const QString of = QString::fromStdString(whoseLoads());
    row.whose = QStringList{tr("of the sustained rate of each contender")};
    QStringList names = contenders();
    if (!of.isEmpty() && !names.contains(of)) names.append(of);  // keep the invalid name, which is the problem to show
    for (const QString& name : names) row.whose.append(tr("of the sustained rate of %1").arg(name));
    row.of = of.isEmpty() ? 0 : static_cast<int>(names.indexOf(of)) + 1;
    return row;
}

void SweepDesign::setWhose(int axis, int of) {
    if (axis < 0 || axis >= m_axes.rowCount()) return;
    const SweepAxisRow row = m_axes.rows()[static_cast<std::size_t>(axis)];
    if (of < 0 || of >= row.whose.size() || of == row.of) return;
    const std::string name = of == 0 ? std::string() : contenders().value(of - 1).toStdString();
    const Json shares = list(find(m_session.document().json(), sweepPlace() / "loads" / "shares"));
    m_session.edit(tr("Choose the reference of the loads of %1").arg(this->name()), [&](Transaction& t) {
        setLoads(t, static_cast<std::size_t>(m_current), row.key.toStdString(), shares, name);
    });
}

void SweepDesign::commitRepetitions(const QString& typed) {
    const QString text = typed.trimmed();
    bool isNumber = false;
    const int count = text.toInt(&isNumber);
    m_repetitionsProblem.clear();
    if (!text.isEmpty() && (!isNumber || count < 1 || count > kMostRepetitions))
        m_repetitionsProblem = tr("a whole number from 1 to %1").arg(kMostRepetitions);
    else if (text != repetitions())
        m_session.edit(tr("Set the rounds of %1").arg(name()), [&](Transaction& t) {
            if (text.isEmpty()) t.remove(sweepPlace() / "repetitions");
            else t.set(sweepPlace() / "repetitions", count);
        });
    emit changed();
}

void SweepDesign::hold(int kind, bool held) {
    if (kind < 0 || kind >= m_holds.rowCount() || name().isEmpty()) return;
    const SweepHoldRow& chosen = m_holds.rows()[static_cast<std::size_t>(kind)];
    const std::string wanted = chosen.name.toStdString();
    m_session.edit((held ? tr("Keep %2 equal in %1") : tr("Stop keeping %2 equal in %1")).arg(name(), chosen.title),
                   [&](Transaction& t) {
                       Json kinds = Json::array();
                       for (const SweepHoldRow& row : m_holds.rows())
                           if (row.name.toStdString() == wanted ? held : row.held)
                               kinds.push_back(row.name.toStdString());
                       if (kinds.empty()) t.remove(sweepPlace() / "hold");
                       else t.set(sweepPlace() / "hold", std::move(kinds));
                   });
}

}  // namespace weir::editor
