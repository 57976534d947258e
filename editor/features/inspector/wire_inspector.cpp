#include "features/inspector/wire_inspector.h"

#include "core/decor/decor_edits.h"
#include "core/text/value_text.h"
#include "features/inspector/inspector_rows.h"
#include "features/inspector/wire_facts.h"
#include "features/mapping/mapping_controller.h"
#include "features/results/results.h"
#include "shell/fields/row_builder.h"
#include "shell/fields/row_marks.h"
#include "shell/session/session.h"

namespace weir::editor {

WireInspector::WireInspector(Session& session, MappingController& mapping, Results& results, QObject* parent)
    : QObject(parent), m_session(session), m_mapping(mapping), m_results(results) {
    connect(&session.scene(), &GraphScene::changed, this, &WireInspector::update);
    connect(&session.selection(), &Selection::changed, this, &WireInspector::update);
    connect(&session, &Session::problemsChanged, this, &WireInspector::update);
    connect(&session, &Session::deploymentsChanged, this, &WireInspector::update);
    connect(&mapping, &MappingController::changed, this, &WireInspector::refresh);
    connect(results.heat(), &HeatMap::changed, this, &WireInspector::refresh);
}

const WireView* WireInspector::wireOf(const std::string& key) const {
    return key.empty() ? nullptr : m_session.scene().wire(key);
}

void WireInspector::update() {
    const Selection& selection = m_session.selection();
    const bool one = selection.wires().size() == 1 && selection.blocks().isEmpty();
    m_key = one ? decor::wireKey(*selection.wires().begin()) : std::string();
    // The plan is needed only while a connection is inspected.
    m_mapping.setWatched(one);
    const auto show = [this](ParameterModel& model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_session.problemModel());
        markValues(rows, m_session.checkedValues());
        model.setRows(std::move(rows));
    };
    const Json& project = m_session.document().json();
    const WireView* shown = wire();
    show(m_fields,
         shown ? bufferRows(project, shown->connection, m_session.deployment()) : std::vector<ParameterRow>());
    show(m_probes, shown ? probeRows(project, shown->connection) : std::vector<ParameterRow>());
    refresh();
}

QStringList WireInspector::ends() const {
    const Connection ends = wire() ? wire()->connection : Connection();
    return qtList({ends.source, ends.sourcePort, ends.target, ends.targetPort});
}

QString WireInspector::itemType() const { return wire() ? wire()->itemType : QString(); }

QString WireInspector::rate() const {
    return wire() ? rateOf(wire()->connection, m_session.checkedValues()) : QString();
}

QString WireInspector::deployment() const { return m_session.deployment(); }

QString WireInspector::waiting() const {
    if (!isShown() || m_mapping.hasPlan()) return {};
    return m_mapping.failure().isEmpty() ? tr("Planning…") : m_mapping.failure();
}

void WireInspector::refresh() {
    const WireView* shown = wire();
    const RunLoads& loads = m_results.heat()->loads();
    Facts buffers, measured;
    if (shown) {
        const auto load = loads.wires.find(shown->connection);
        buffers = bufferFacts(shown->connection, m_mapping.plan(), m_results.shown()->results());
        measured = measuredFacts(m_session.scene(), loads, shown->connection,
                                 load == loads.wires.end() ? QString() : HeatMap::wireText(load->second));
    }
    m_buffers.setRows(std::move(buffers));
    m_measured.setRows(std::move(measured));
    emit changed();
}

int WireInspector::points() const { return wire() ? static_cast<int>(wire()->via.size()) : 0; }

void WireInspector::removePoints() {
    if (points() > 0)
        m_session.edit(tr("Straighten the wire"), [&](Transaction& t) { decor::setPoints(t, m_key, {}); });
}

QString WireInspector::chip(const QString& key) const {
    const WireView* view = wireOf(key.toStdString());
    if (!view) return {};
    QStringList parts;
    if (!view->itemType.isEmpty()) parts.append(view->itemType);
    // One to one is the common case, so leave it out.
    const QString rate = rateOf(view->connection, m_session.checkedValues());
    if (!rate.isEmpty() && rate != QLatin1String("1 : 1")) parts.append(rate);
    if (const auto measured = measuredRate(m_session.scene(), m_results.heat()->loads(), view->connection))
        parts.append(throughputText(*measured));
    return parts.join(QStringLiteral(" · "));
}

QPointF WireInspector::middle(const QString& key) const {
    const WireView* view = wireOf(key.toStdString());
    return view ? view->path.pointAtPercent(0.5) : QPointF();
}

} // namespace weir::editor
