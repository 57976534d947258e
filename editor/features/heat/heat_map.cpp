#include "features/heat/heat_map.h"

#include "core/decor/decor.h"
#include "core/text/value_text.h"
#include "features/heat/load_text.h"
#include "features/runs/deployment_run.h"
#include "features/runs/run_finding.h"
#include "shell/session/memory.h"
#include "shell/session/session.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr qreal kThinnest = 8, kWidest = 12; ///< of the band along a wire, for an empty and a full buffer
const QString kMemoryKey = QStringLiteral("heat");

} // namespace

QString HeatMap::wireText(const WireLoad& load) {
    const QString buffer = groupedDigits(QString::number(load.bufferItems, 'f', 0));
    if (!load.hasFill()) return HeatMap::tr("%1 · %2 items").arg(withinWorkerText(), buffer);
    return load.streams > 1 ? HeatMap::tr("mean fill %1, %2 in the fullest of %3 streams · %4 items each")
                                  .arg(shareText(load.fill), shareText(load.fullest))
                                  .arg(load.streams)
                                  .arg(buffer)
                            : HeatMap::tr("mean fill %1 · %2 items").arg(shareText(load.fill), buffer);
}

QString HeatMap::hoverText(const WireLoad& load) {
    const QString text = (load.hasFill() ? tr("Band along the wire: %1") : tr("No band: %1")).arg(wireText(load));
    return isFull(load.fill) ? text + QStringLiteral(" · ") + backPressureText() : text;
}

HeatMap::HeatMap(Session& session, DeploymentRun& run, QObject* parent)
    : QObject(parent), m_session(session), m_role(session.blockModel().addRole("load")), m_run(run) {
    connect(&session.scene(), &GraphScene::changed, this, &HeatMap::bandsChanged);
    connect(this, &HeatMap::loadsChanged, this, &HeatMap::bandsChanged);
    connect(&run, &DeploymentRun::changed, this, &HeatMap::follow);
}

bool HeatMap::isEnabled() const { return !m_givesWay && m_session.memory()->value(kMemoryKey, true).toBool(); }

void HeatMap::setEnabled(bool enabled) {
    if (isEnabled() == enabled) return;
    m_givesWay = false;
    m_session.memory()->setValue(kMemoryKey, enabled);
    show();
}

void HeatMap::giveWay(bool gives) {
    const bool was = isEnabled();
    m_givesWay = gives;
    if (was != isEnabled()) show();
}

bool HeatMap::isMoving() const {
    return std::all_of(m_loads.blocks.begin(), m_loads.blocks.end(),
                       [](const BlockLoad& load) { return load.workers.isEmpty(); });
}

bool HeatMap::isBetween() const {
    const std::vector<WireView>& wires = m_session.scene().wires();
    return std::any_of(wires.begin(), wires.end(), [this](const WireView& wire) {
        const auto load = m_loads.wires.find(wire.connection);
        return load != m_loads.wires.end() && load->second.hasFill();
    });
}

QString HeatMap::figures() const {
    const Json* results = m_run.results();
    QStringList figures;
    const QString together = togetherText(m_loads);
    if (const double rate = results ? numberOf(*results, "throughput_items_per_s") : std::nan(""); !std::isnan(rate))
        figures.append(throughputText(rate) + (together.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(together)));
    const Json& latency = object(results ? member(*results, "latency") : nullptr);
    for (const auto& [key, name] : {std::pair("p50_ns", "p50"), std::pair("p99_ns", "p99")}) {
        const double time = numberOf(latency, key);
        if (!std::isnan(time))
            figures.append(tr("latency %1 %2").arg(QLatin1String(name), siText(time * 1e-9, QStringLiteral("s"))));
        else if (!lackingFor(percentileOf(QLatin1String(key)), numberOf(latency, "count")).isEmpty())
            figures.append(tr("%1: %2").arg(QLatin1String(name), tooFewWords()));
    }
    return figures.join(QStringLiteral(" · "));
}

QString HeatMap::finding() const { return findingOf(m_loads); }

QString HeatMap::busiestWorker() const { return busiestWorkerText(m_loads); }

QStringList HeatMap::warnings() const { return m_run.results() ? warningsOf(*m_run.results()) : QStringList(); }

QStringList HeatMap::notes() const { return m_run.results() ? notesOf(*m_run.results()) : QStringList(); }

QString HeatMap::remark() const {
    if (!m_run.isKnown()) return tr("no run of this deployment yet");
    return m_run.status() == QLatin1String("ok") ? QString() : tr("this run is %1").arg(m_run.status());
}

void HeatMap::follow() {
    // Same run: only its staleness may have changed, or the deployment that has no run.
    if (m_path == m_run.path()) {
        emit changed();
        return;
    }
    m_path = m_run.path();
    m_loads = m_run.isKnown() ? loadsOf(*m_run.results()) : RunLoads{};
    m_pills.setRows(pillKinds(m_loads));
    show();
}

void HeatMap::show() {
    m_blocks.clear();
    m_wires.clear();
    if (isEnabled()) {
        const bool isAlone = haveOneWorker(m_loads);
        for (auto it = m_loads.blocks.constBegin(); it != m_loads.blocks.constEnd(); ++it)
            m_blocks.insert(it.key(), shownLoad(m_loads, it.key(), it.value(), isAlone));
        for (const auto& [connection, load] : m_loads.wires) {
            const bool between = load.hasFill();
            m_wires.insert(
                QString::fromStdString(decor::wireKey(connection)),
                QVariantMap{{QStringLiteral("step"), between ? heatStep(load.fill, 1) : -1},
                            {QStringLiteral("width"), between ? kThinnest + (kWidest - kThinnest) * load.fill : 0},
                            {QStringLiteral("text"), hoverText(load)}});
        }
    }
    BlockModel::Said said;
    for (auto it = m_blocks.constBegin(); it != m_blocks.constEnd(); ++it) said.insert(it.key(), it->said());
    m_session.blockModel().say(m_role, said);
    emit loadsChanged();
    emit changed();
}

QVariantMap HeatMap::steps() const {
    QVariantMap steps;
    for (auto it = m_blocks.constBegin(); it != m_blocks.constEnd(); ++it)
        if (it->heat >= 0) steps.insert(it.key(), it->heat);
    return steps;
}

} // namespace weir::editor
