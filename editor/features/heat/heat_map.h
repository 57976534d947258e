#pragma once

#include "run_loads.h"

#include <QObject>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

class DeploymentRun;

/// The numbers of the chosen deployment's run as the canvas shows them.
class HeatMap : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(bool available READ isAvailable NOTIFY changed)
    Q_PROPERTY(bool enabled READ isEnabled WRITE setEnabled NOTIFY changed)
    Q_PROPERTY(bool stale READ isStale NOTIFY changed)
    Q_PROPERTY(QString run READ run NOTIFY changed)
    Q_PROPERTY(QString remark READ remark NOTIFY changed)
    Q_PROPERTY(QVariantMap blocks READ blocks NOTIFY changed)
    Q_PROPERTY(QVariantMap wires READ wires NOTIFY changed)

public:
    HeatMap(DeploymentRun &run, QObject *parent);

    /// There is something to show, or to take away.
    bool isAvailable() const { return m_wanted || m_loads.hasWork() || m_loads.hasFill(); }
    /// Shown on the canvas, and be it that there is no run of this deployment yet.
    bool isEnabled() const { return m_wanted; }
    void setEnabled(bool enabled);
    bool isStale() const;
    QString run() const;
    /// What the colours of this run cannot say, and why.
    QString remark() const;
    /// Block -> {pill, status, hint, step, bottleneck}; empty while it is not shown. Step -1: not measured.
    QVariantMap blocks() const { return m_blocks; }
    const weir::editor::RunLoads &loads() const { return m_loads; }
    /// "src.out->dst.in" -> {step, width, text} of connections whose fill was measured; empty while it is not shown.
    QVariantMap wires() const { return m_wires; }
    /// How full the buffer behind a wire was.
    static QString wireText(const weir::editor::WireLoad &load);
    Q_INVOKABLE void toggle() { setEnabled(!isEnabled()); }

signals:
    void changed();

private:
    void follow();
    void describe(const QString &block, const weir::editor::BlockLoad &load);

    DeploymentRun &m_run;
    weir::editor::RunLoads m_loads;
    QVariantMap m_blocks, m_wires;
    bool m_wanted = false;
    QString m_path;
};
