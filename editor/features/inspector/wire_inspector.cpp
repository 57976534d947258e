#include "wire_inspector.h"

#include "decor_edits.h"
#include "deployment_run.h"
#include "editor.h"
#include "inspector_rows.h"
#include "value_text.h"
#include "wire_facts.h"

using namespace weir::editor;

WireInspector::WireInspector(Editor &editor) : QObject(&editor), m_editor(editor)
{
    connect(&editor.scene(), &GraphScene::changed, this, &WireInspector::update);
    connect(&editor.selection(), &Selection::changed, this, &WireInspector::update);
    connect(&editor, &Editor::problemsChanged, this, &WireInspector::update);
    connect(&editor, &Editor::deploymentsChanged, this, &WireInspector::update);
    connect(editor.mapping(), &MappingController::changed, this, &WireInspector::changed);
    connect(editor.results()->heat(), &HeatMap::changed, this, &WireInspector::changed);
}

const WireView *WireInspector::wireOf(const std::string &key) const
{
    return key.empty() ? nullptr : m_editor.scene().wire(key);
}

void WireInspector::update()
{
    const Selection &selection = m_editor.selection();
    const bool one = selection.wires().size() == 1 && selection.blocks().isEmpty();
    m_key = one ? decor::wireKey(*selection.wires().begin()) : std::string();
    // Only who looks at a buffer needs the plan.
    m_editor.mapping()->setWatched(one);
    const auto show = [this](ParameterModel &model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_editor.problemModel());
        markValues(rows, m_editor.checkedValues());
        model.setRows(std::move(rows));
    };
    const Json &project = m_editor.document().json();
    const WireView *shown = wire();
    show(m_fields, shown ? bufferRows(project, shown->connection, m_editor.deployment()) : std::vector<ParameterRow>());
    show(m_probes, shown ? probeRows(project, shown->connection) : std::vector<ParameterRow>());
    emit changed();
}

QString WireInspector::source() const
{
    return wire() ? QString::fromStdString(wire()->connection.source) : QString();
}

QString WireInspector::sourcePort() const
{
    return wire() ? QString::fromStdString(wire()->connection.sourcePort) : QString();
}

QString WireInspector::target() const
{
    return wire() ? QString::fromStdString(wire()->connection.target) : QString();
}

QString WireInspector::targetPort() const
{
    return wire() ? QString::fromStdString(wire()->connection.targetPort) : QString();
}

QString WireInspector::itemType() const
{
    return wire() ? wire()->itemType : QString();
}

QString WireInspector::rate() const
{
    return wire() ? rateOf(wire()->connection, m_editor.checkedValues()) : QString();
}

QString WireInspector::deployment() const
{
    return m_editor.deployment();
}

QString WireInspector::waiting() const
{
    const MappingController &mapping = *m_editor.mapping();
    if (!isShown() || mapping.hasPlan())
        return {};
    return mapping.failure().isEmpty() ? tr("The plan is being made …") : mapping.failure();
}

namespace {

QVariantList pairs(const std::vector<Fact> &facts)
{
    QVariantList list;
    for (const Fact &fact : facts)
        list.append(QVariantMap{{QStringLiteral("label"), fact.label}, {QStringLiteral("text"), fact.text}});
    return list;
}

} // namespace

QVariantList WireInspector::buffers() const
{
    const Json *results = m_editor.results()->shown()->results();
    return wire() ? pairs(bufferFacts(wire()->connection, m_editor.mapping()->plan(), results)) : QVariantList();
}

QVariantList WireInspector::measured() const
{
    if (!wire())
        return {};
    const RunLoads &loads = m_editor.results()->heat()->loads();
    const auto load = loads.wires.find(wire()->connection);
    return pairs(measuredFacts(m_editor.scene(), loads, wire()->connection,
                               load == loads.wires.end() ? QString() : HeatMap::wireText(load->second)));
}

QString WireInspector::run() const
{
    const DeploymentRun &run = *m_editor.results()->shown();
    return run.isKnown() ? run.label() : QString();
}

int WireInspector::points() const
{
    return wire() ? static_cast<int>(wire()->via.size()) : 0;
}

void WireInspector::removePoints()
{
    if (points() > 0)
        m_editor.edit(tr("Straighten the wire"), [&](Transaction &t) { decor::setPoints(t, m_key, {}); });
}

QString WireInspector::chip(const QString &key) const
{
    const WireView *view = wireOf(key.toStdString());
    if (!view)
        return {};
    QStringList parts;
    if (!view->itemType.isEmpty())
        parts.append(view->itemType);
    // One to one is what everyone expects.
    const QString rate = rateOf(view->connection, m_editor.checkedValues());
    if (!rate.isEmpty() && rate != QLatin1String("1 : 1"))
        parts.append(rate);
    if (const auto measured = measuredRate(m_editor.scene(), m_editor.results()->heat()->loads(), view->connection))
        parts.append(throughputText(*measured));
    return parts.join(QStringLiteral(" · "));
}

QPointF WireInspector::middle(const QString &key) const
{
    const WireView *view = wireOf(key.toStdString());
    return view ? view->path.pointAtPercent(0.5) : QPointF();
}
