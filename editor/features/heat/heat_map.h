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

/// The numbers of the chosen deployment's run as the canvas shows them. What they say of blocks are roles of the blocks.
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
    Q_PROPERTY(QString remark READ remark NOTIFY changed)
    Q_PROPERTY(QVariantMap steps READ steps NOTIFY loadsChanged)
    Q_PROPERTY(QVariantMap wires READ wires NOTIFY loadsChanged)

  public:
    HeatMap(Session& session, DeploymentRun& run, QObject* parent);

    /// Shown on the canvas, and be it that there is no run of this deployment yet. Remembered; on where it was never said.
    bool isEnabled() const;
    void setEnabled(bool enabled);
    /// Something else colours the blocks for the time being.
    void giveWay(bool gives);
    /// A run of the deployment counted something of its blocks.
    bool isKnown() const { return m_loads.hasWork() || m_loads.hasFill() || m_loads.hasCalls(); }
    /// Work time was measured.
    bool isProfiled() const { return m_loads.hasWork(); }
    /// Some pill says something of a worker.
    bool isLoaded() const { return !m_pills.rows().empty(); }
    /// Kinds of texts that the pills on the blocks show about workers.
    QAbstractListModel* pills() { return &m_pills; }
    /// No block has a worker of its own: they move between them.
    bool isMoving() const;
    /// Some wire of the graph has a band: the buffer behind it is between workers. Of those between copies of a block, or
    /// of wires that are gone, there is nothing to see.
    bool isBetween() const;
    /// Results of the whole run: throughput and latency.
    QString figures() const;
    /// Slow block, or how to find it.
    QString finding() const;
    /// Busiest worker, if a profile shows it.
    QString busiestWorker() const;
    /// Warnings about its numbers, though the run counts.
    QStringList warnings() const;
    /// Numbers that this run lacks for the colours, and why.
    QString remark() const;
    /// Block -> step of its colour, of those that have one; empty while it is not shown.
    QVariantMap steps() const;
    const RunLoads& loads() const { return m_loads; }
    /// Numbers of blocks; empty while they are not shown.
    const QHash<QString, ShownLoad>& blocks() const { return m_blocks; }
    /// "src.out->dst.in" -> {step, width, text} of connections with a buffer; empty while it is not shown. Step -1: all
    /// within a worker.
    QVariantMap wires() const { return m_wires; }
    /// Return the fill of the buffer behind a wire.
    static QString wireText(const WireLoad& load);
    /// Return the fill for the pointer, with the meaning of its colour and of a full buffer.
    static QString hoverText(const WireLoad& load);
    Q_INVOKABLE void toggle() { setEnabled(!isEnabled()); }

  signals:
    void changed();
    /// Other numbers are to be shown, or none.
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
