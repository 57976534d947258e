#pragma once

#include "core/rows/fact.h"
#include "core/runs/run_loads.h"
#include "features/heat/load_text.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QVariantMap>

namespace weir::editor {

class DeploymentRun;
class Session;

/// Numbers of the chosen deployment's run for the canvas. Those of blocks are roles of the block model.
class HeatMap : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(bool enabled READ isEnabled WRITE setEnabled NOTIFY changed)
    Q_PROPERTY(bool known READ isKnown NOTIFY changed)
    Q_PROPERTY(bool profiled READ isProfiled NOTIFY changed)
    Q_PROPERTY(bool loaded READ isLoaded NOTIFY loadsChanged)
    Q_PROPERTY(QAbstractListModel* pills READ pills CONSTANT)
    Q_PROPERTY(bool moves READ isMoving NOTIFY loadsChanged)
    Q_PROPERTY(bool between READ isBetween NOTIFY bandsChanged)
    Q_PROPERTY(QString figures READ figures NOTIFY changed)
    Q_PROPERTY(QString finding READ finding NOTIFY loadsChanged)
    Q_PROPERTY(QString busiestWorker READ busiestWorker NOTIFY loadsChanged)
    Q_PROPERTY(QStringList warnings READ warnings NOTIFY changed)
    Q_PROPERTY(QStringList notes READ notes NOTIFY changed)
    Q_PROPERTY(QString remark READ remark NOTIFY changed)
    Q_PROPERTY(QVariantMap steps READ steps NOTIFY loadsChanged)
    Q_PROPERTY(QVariantMap wires READ wires NOTIFY loadsChanged)

  public:
    HeatMap(Session& session, DeploymentRun& run, QObject* parent);

    /// Return whether numbers are shown on the canvas, even if this deployment has no run yet. The setting is stored;
    /// it is on by default.
    bool isEnabled() const;
    void setEnabled(bool enabled);
    /// Hide the colours while another overlay colours the blocks.
    void giveWay(bool gives);
    /// Return whether a run of the deployment counted anything in its blocks.
    bool isKnown() const { return m_loads.hasWork() || m_loads.hasFill() || m_loads.hasCalls(); }
    /// Return whether the work time was measured.
    bool isProfiled() const { return m_loads.hasWork(); }
    /// Return whether a pill describes a worker.
    bool isLoaded() const { return !m_pills.rows().empty(); }
    /// Return the kinds of texts about workers in the pills on blocks.
    QAbstractListModel* pills() { return &m_pills; }
    /// Return true if no block has a fixed worker: blocks move between workers.
    bool isMoving() const;
    /// Return whether a wire of the graph has a band, because its buffer is between workers. Buffers between copies of
    /// a block, and of removed wires, are invisible.
    bool isBetween() const;
    /// Return the results of the whole run: throughput and latency.
    QString figures() const;
    /// Name the slow block, or say how to find it.
    QString finding() const;
    /// Name the busiest worker, if a profile shows it.
    QString busiestWorker() const;
    /// Return warnings about the numbers of a valid run.
    QStringList warnings() const;
    /// Return what the numbers depend on, such as a throttle.
    QStringList notes() const;
    /// Return the numbers for colours that this run lacks, and why.
    QString remark() const;
    /// Return block -> step of its colour, for coloured blocks; empty while hidden.
    QVariantMap steps() const;
    const RunLoads& loads() const { return m_loads; }
    /// Return the numbers of blocks; empty while hidden.
    const QHash<QString, ShownLoad>& blocks() const { return m_blocks; }
    /// Return "src.out->dst.in" -> {step, width, text} of connections with a buffer; empty while hidden. Step -1: all
    /// within a worker.
    QVariantMap wires() const { return m_wires; }
    /// Return the fill of the buffer behind a wire.
    static QString wireText(const WireLoad& load);
    /// Return the fill for the pointer, with the meaning of its colour and of a full buffer.
    static QString hoverText(const WireLoad& load);
    Q_INVOKABLE void toggle() { setEnabled(!isEnabled()); }

  signals:
    void changed();
    /// Emitted when other numbers, or none, are to be shown.
    void loadsChanged();
    void bandsChanged();

  private:
    void follow();
    void show();

    Session& m_session;
    const int m_role;  ///< of the block model
    DeploymentRun& m_run;
    RunLoads m_loads;
    QHash<QString, ShownLoad> m_blocks;
    FactModel m_pills;
    QVariantMap m_wires;
    bool m_givesWay = false;
    QString m_path;
};

}  // namespace weir::editor
