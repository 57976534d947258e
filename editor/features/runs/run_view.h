#pragma once

#include "core/rows/fact.h"
#include "core/runs/run_loads.h"
#include "core/runs/run_record.h"
#include "features/plots/curve_set.h"
#include "shell/tables/table_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>

namespace weir::editor {

class RunLibrary;

/// One run in full: headline, curves, tables.
class RunView : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(QString path READ path WRITE show NOTIFY changed)
    Q_PROPERTY(bool shown READ isShown NOTIFY changed)
    Q_PROPERTY(QString runId READ runId NOTIFY changed)
    Q_PROPERTY(QString deployment READ deployment NOTIFY changed)
    Q_PROPERTY(QString title READ title NOTIFY noteChanged)
    /// Time of the run, with the number of its repetition: it distinguishes runs with the same title.
    Q_PROPERTY(QString moment READ moment NOTIFY noteChanged)
    Q_PROPERTY(QString status READ status NOTIFY changed)
    Q_PROPERTY(QStringList reasons READ reasons NOTIFY changed)
    Q_PROPERTY(QStringList warnings READ warnings NOTIFY changed)
    Q_PROPERTY(QStringList notes READ notes NOTIFY changed)
    /// True if its workers spun on CPUs that its other workers needed.
    Q_PROPERTY(bool spinning READ isSpinning NOTIFY changed)
    Q_PROPERTY(QString throughput READ throughput NOTIFY changed)
    Q_PROPERTY(QString throughputUnit READ throughputUnit NOTIFY changed)
    /// `3 sources together`, if the throughput is the sum of several.
    Q_PROPERTY(QString together READ together NOTIFY changed)
    /// Part of the run in which the throughput was measured, in a sentence.
    Q_PROPERTY(QString window READ window NOTIFY changed)
    Q_PROPERTY(QString spread READ spread NOTIFY changed)
    Q_PROPERTY(QString shortWindow READ shortWindow NOTIFY changed)
    /// True if more items would make an uncertain number certain, or give a missing percentile.
    Q_PROPERTY(bool tooShort READ isTooShort NOTIFY changed)
    Q_PROPERTY(QString finding READ finding NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* facts READ facts CONSTANT)
    Q_PROPERTY(QString note READ note NOTIFY noteChanged)
    /// Changes in the project since the run: `graph, parameters changed since`; empty: none.
    Q_PROPERTY(QString differs READ differs NOTIFY noteChanged)
    /// True if the time of each call was measured, which costs throughput.
    Q_PROPERTY(bool profiled READ isProfiled NOTIFY changed)
    Q_PROPERTY(bool unverified READ isUnverified NOTIFY changed)
    Q_PROPERTY(QString curveFault READ curveFault NOTIFY changed)
    Q_PROPERTY(weir::editor::CurveSet* curves READ curves CONSTANT)
    Q_PROPERTY(QAbstractItemModel* latency READ latency CONSTANT)
    Q_PROPERTY(QAbstractItemModel* blocks READ blocks CONSTANT)
    Q_PROPERTY(QAbstractItemModel* threads READ threads CONSTANT)
    Q_PROPERTY(QAbstractItemModel* edges READ edges CONSTANT)
    Q_PROPERTY(QAbstractItemModel* hops READ hops CONSTANT)
    Q_PROPERTY(QAbstractItemModel* environment READ environment CONSTANT)
    // Empty, without a remark, if the run has no such values:
    Q_PROPERTY(QAbstractItemModel* late READ late CONSTANT)
    Q_PROPERTY(QAbstractItemModel* granted READ granted CONSTANT)
    Q_PROPERTY(QAbstractItemModel* machine READ machine CONSTANT)

  public:
    RunView(RunLibrary& library, QObject* parent);

    QString path() const { return m_record.path; }
    void show(const QString& path);
    bool isShown() const { return !m_record.path.isEmpty(); }
    QString runId() const;
    QString deployment() const;
    /// Return the name that distinguishes it from other runs in the list.
    QString title() const;
    QString moment() const;
    QString status() const { return isShown() ? statusOf(m_record) : QString(); }
    QStringList reasons() const;
    /// Return warnings about the numbers of a valid run.
    QStringList warnings() const { return warningsOf(m_record.results); }
    /// Return the first notes about the numbers; the table of the environment has all of them.
    QStringList notes() const { return notesOf(m_record.results).mid(0, 4); }
    bool isSpinning() const { return weir::editor::isSpinning(m_record.results); }
    QString throughput() const;
    QString throughputUnit() const;
    QString together() const;
    QString window() const;
    /// Return the spread over the valid repetitions of the same point.
    QString spread() const;
    QString shortWindow() const { return shortWindowOf(m_record.results); }
    bool isTooShort() const;
    /// Name the slow block, or say how to find it.
    QString finding() const;
    /// Return the texts beside the throughput.
    QAbstractItemModel* facts() { return &m_facts; }
    QString note() const;
    QString differs() const;
    bool isProfiled() const { return field("metrics") == QLatin1String("profile"); }
    bool isUnverified() const { return weir::editor::isUnverified(m_record.results); }
    QString curveFault() const { return m_record.curveFault; }
    CurveSet* curves() { return &m_curves; }
    QAbstractItemModel* latency() { return &m_latency; }
    QAbstractItemModel* blocks() { return &m_blocks; }
    QAbstractItemModel* threads() { return &m_threads; }
    QAbstractItemModel* edges() { return &m_edges; }
    QAbstractItemModel* hops() { return &m_hops; }
    QAbstractItemModel* environment() { return &m_environment; }
    QAbstractItemModel* late() { return &m_late; }
    QAbstractItemModel* granted() { return &m_granted; }
    QAbstractItemModel* machine() { return &m_machine; }
    const RunRecord& record() const { return m_record; }

  signals:
    void changed();
    void noteChanged();

  private:
    Facts readFacts() const;
    QString field(const char* key) const;

    RunLibrary& m_library;
    RunRecord m_record;
    CurveSet m_curves;
    FactModel m_facts;
    TableModel m_latency, m_blocks, m_threads, m_edges, m_hops, m_environment, m_late, m_granted, m_machine;
};

} // namespace weir::editor
