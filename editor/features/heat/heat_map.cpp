#include "heat_map.h"

#include "decor.h"
#include "deployment_run.h"
#include "ticks.h"
#include "value_text.h"

#include <cmath>

using namespace weir::editor;

namespace {

QString percent(double share)
{
    const double value = share * 100;
    return value > 0 && value < 1 ? QStringLiteral("< 1 %") : QStringLiteral("%1 %").arg(qRound(value));
}

constexpr qreal kThinnest = 2, kWidest = 6; ///< of wires, for buffers that are empty and full

} // namespace

QString HeatMap::wireText(const WireLoad &load)
{
    const QString buffer = siText(load.bufferItems, QString());
    return load.streams > 1 ? HeatMap::tr("%1 full in the mean, the fullest of %3 streams %2 · %4 items each")
                                   .arg(percent(load.fill), percent(load.fullest))
                                   .arg(load.streams)
                                   .arg(buffer)
                             : HeatMap::tr("%1 full in the mean · %2 items").arg(percent(load.fill), buffer);
}

HeatMap::HeatMap(DeploymentRun &run, QObject *parent) : QObject(parent), m_run(run)
{
    connect(&run, &DeploymentRun::changed, this, &HeatMap::follow);
}

void HeatMap::setEnabled(bool enabled)
{
    if (m_wanted == enabled)
        return;
    m_wanted = enabled;
    m_path.clear();
    follow();
}

bool HeatMap::isStale() const
{
    return m_run.isStale();
}

QString HeatMap::run() const
{
    return m_run.label();
}

QString HeatMap::remark() const
{
    if (!m_run.isKnown())
        return tr("no run of this deployment yet");
    if (!m_loads.hasWork())
        return tr("work time was not measured (metrics: profile)");
    return m_run.status() == QLatin1String("ok") ? QString() : tr("this run is %1").arg(m_run.status());
}

void HeatMap::follow()
{
    // Only whether it is of an earlier version may have changed.
    if (m_path == m_run.path() && !m_path.isEmpty()) {
        emit changed();
        return;
    }
    m_path = m_run.path();
    m_loads = m_run.isKnown() ? loadsOf(*m_run.results()) : RunLoads{};
    m_blocks.clear();
    m_wires.clear();
    if (isEnabled()) {
        for (auto it = m_loads.blocks.constBegin(); it != m_loads.blocks.constEnd(); ++it)
            describe(it.key(), it.value());
        for (const auto &[connection, load] : m_loads.wires)
            m_wires.insert(QString::fromStdString(decor::wireKey(connection)),
                           QVariantMap{{QStringLiteral("step"), heatStep(load.fill, 1)},
                                       {QStringLiteral("width"), kThinnest + (kWidest - kThinnest) * load.fill},
                                       {QStringLiteral("text"), wireText(load)}});
    }
    emit changed();
}

void HeatMap::describe(const QString &block, const BlockLoad &load)
{
    const bool bottleneck = block == m_loads.bottleneck;
    const bool measured = load.share >= 0;
    QStringList status;
    if (load.itemsPerSecond >= 0)
        status.append(
            siText(load.itemsPerSecond, QStringLiteral("S/s")).replace(QLatin1String(" S/s"), QLatin1String("S/s")));
    if (measured)
        status.append(percent(load.share));
    if (bottleneck)
        status.append(tr("bottleneck"));
    QStringList hint;
    if (measured)
        hint.append(
            load.instances > 1
                ? tr("%1 of all work time, its %2 instances together").arg(percent(load.share)).arg(load.instances)
                : tr("%1 of all work time").arg(percent(load.share)));
    if (load.busiest >= 0)
        hint.append(load.instances > 1
                        ? tr("the busiest, %1, worked %2 of the run").arg(load.busiestInstance, percent(load.busiest))
                        : tr("it worked %1 of the run").arg(percent(load.busiest)));
    if (load.nsPerItem >= 0)
        hint.append(tr("%1 per item").arg(siText(load.nsPerItem * 1e-9, QStringLiteral("s"))));
    if (load.itemsPerSecond >= 0)
        hint.append(tr("%1 through it").arg(siText(load.itemsPerSecond, QStringLiteral("items/s"))));
    if (bottleneck)
        hint.append(tr("The bottleneck: it takes most of the time of the busiest worker."));
    m_blocks.insert(block, QVariantMap{{QStringLiteral("pill"), measured ? percent(load.share) : QString()},
                                          {QStringLiteral("status"), status.join(QStringLiteral(" · "))},
                                          {QStringLiteral("hint"), hint.join(u'\n')},
                                          {QStringLiteral("step"), measured ? load.heat : -1},
                                          {QStringLiteral("bottleneck"), bottleneck}});
}
