#pragma once

#include "core/ask/ask.h"
#include "core/runs/run_list.h"
#include "features/compare/comparison.h"
#include "features/plots/curve_set.h"
#include "shell/tables/table_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>

namespace weir::editor {

class Session;
class RunLibrary;
class RunView;

/// Two sides, each a run or the repetitions of one point, and the answer of `weir compare`.
class RunComparison : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(QStringList choices READ choices NOTIFY choicesChanged)
    Q_PROPERTY(int a READ a WRITE setA NOTIFY chosen)
    Q_PROPERTY(int b READ b WRITE setB NOTIFY chosen)
    Q_PROPERTY(bool working READ isWorking NOTIFY answered)
    Q_PROPERTY(QString verdict READ verdict NOTIFY answered)
    Q_PROPERTY(QString verdictName READ verdictName NOTIFY answered)
    /// Verdict with its subject.
    Q_PROPERTY(QString says READ says NOTIFY answered)
    /// True if another metric changed in the opposite direction to the gate.
    Q_PROPERTY(bool mixed READ isMixed NOTIFY answered)
    /// True if runs were too short for a certain verdict.
    Q_PROPERTY(bool doubtful READ isDoubtful NOTIFY answered)
    Q_PROPERTY(QString because READ because NOTIFY answered)
    Q_PROPERTY(QString summary READ summary NOTIFY answered)
    Q_PROPERTY(QString method READ method NOTIFY answered)
    Q_PROPERTY(QString failure READ failure NOTIFY answered)
    Q_PROPERTY(QString headline READ headline NOTIFY answered)
    Q_PROPERTY(bool fromPairs READ isFromPairs NOTIFY answered)
    Q_PROPERTY(bool uncertain READ isUncertain NOTIFY answered)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY answered)
    Q_PROPERTY(QString advice READ advice NOTIFY adviceChanged)
    Q_PROPERTY(bool repeatable READ isRepeatable NOTIFY adviceChanged)
    /// True if more runs, measured in turns, would make the answer more certain.
    Q_PROPERTY(bool helpedByRuns READ isHelpedByRuns NOTIFY answered)
    /// A run of each side, and whether the time of each call was measured in it.
    Q_PROPERTY(QString runOfA READ runOfA NOTIFY chosen)
    Q_PROPERTY(QString runOfB READ runOfB NOTIFY chosen)
    Q_PROPERTY(bool profiledA READ isProfiledA NOTIFY chosen)
    Q_PROPERTY(bool profiledB READ isProfiledB NOTIFY chosen)
    /// Deployment of each side, and whether workers in its runs spun on CPUs that its other workers needed.
    Q_PROPERTY(QString deploymentA READ deploymentA NOTIFY chosen)
    Q_PROPERTY(QString deploymentB READ deploymentB NOTIFY chosen)
    Q_PROPERTY(bool spinningA READ isSpinningA NOTIFY answered)
    Q_PROPERTY(bool spinningB READ isSpinningB NOTIFY answered)
    Q_PROPERTY(weir::editor::CurveSet* curves READ curves CONSTANT)
    Q_PROPERTY(QAbstractItemModel* metrics READ metrics CONSTANT)
    Q_PROPERTY(QAbstractItemModel* blocks READ blocks CONSTANT)
    Q_PROPERTY(QAbstractItemModel* differences READ differences CONSTANT)

  public:
    RunComparison(Session& session, RunLibrary& library, RunView& run, QObject* parent = nullptr);

    QStringList choices() const;
    int a() const { return m_a; }
    void setA(int index) { choose(m_a, index); }
    int b() const { return m_b; }
    void setB(int index) { choose(m_b, index); }
    bool isWorking() const { return m_ask.isBusy(); }
    QString verdict() const { return m_view.verdict; }
    QString verdictName() const { return verdictText(m_view.verdict); }
    QString says() const { return m_view.says.isEmpty() ? verdictName() : m_view.says; }
    bool isMixed() const { return m_view.mixed; }
    bool isDoubtful() const { return m_view.doubtful; }
    QString because() const { return m_view.because; }
    QString summary() const { return m_view.summary; }
    bool isFromPairs() const { return m_view.fromPairs && !m_view.intervals.empty(); }
    bool isUncertain() const { return m_view.uncertain; }
    /// Return how the sides were measured and computed.
    QString method() const;
    QString failure() const { return m_failure; }
    bool isHelpedByRuns() const;
    QString runOfA() const { return runOf(m_a); }
    QString runOfB() const { return runOf(m_b); }
    QString deploymentA() const { return deploymentOf(m_a); }
    QString deploymentB() const { return deploymentOf(m_b); }
    bool isSpinningA() const { return m_spinning[0]; }
    bool isSpinningB() const { return m_spinning[1]; }
    bool isProfiledA() const { return isProfiled(m_a); }
    bool isProfiledB() const { return isProfiled(m_b); }
    /// Return the other differences of the sides.
    QString headline() const;
    QStringList remarks() const { return m_view.remarks; }
    /// Return advice for a better answer; empty if there is none.
    QString advice() const;
    /// Return whether running the project's deployments again gives runs of both sides.
    bool isRepeatable() const { return goneDeployment().isEmpty(); }
    CurveSet* curves() { return &m_curves; }
    QAbstractItemModel* metrics() { return &m_metrics; }
    QAbstractItemModel* blocks() { return &m_blocks; }
    QAbstractItemModel* differences() { return &m_differences; }
    const ComparisonView& view() const { return m_view; }

    /// Make a run one of the sides, alone or with its repetitions.
    Q_INVOKABLE void setSide(const QString& path, bool first);
    /// Make a run side A, and the baseline in the list of runs.
    Q_INVOKABLE void startFrom(const QString& path);
    Q_INVOKABLE void swap();
    /// Add the deployment that a project without one runs with, so that it can run again. Returns false if refused.
    Q_INVOKABLE bool addMissing();
    /// Let each side follow the newest runs of its deployment until the user chooses another side. If both sides have
    /// the same deployment, the next runs form both sides.
    Q_INVOKABLE void followNewest() {
        m_newest = deploymentOf(m_a) != deploymentOf(m_b);
        m_byUser = m_byUser && m_newest;
    }
    Q_INVOKABLE void copyMarkdown();

  signals:
    void choicesChanged();
    void chosen();
    void answered();
    void adviceChanged();

  private:
    struct Side {
        QString label;
        QString key;  ///< stays the same when the list is read again
        QList<RunRow> runs;
        QString set;  ///< empty: a single run
    };

    void registerActions(RunView& run);
    void rebuild();
    bool isMissing(int index) const;
    bool lacksNone() const;
    QString goneDeployment() const;
    void chooseThemselves();
    void choose(int& side, int index);
    void sayMoved(const QStringList& before);
    /// Return the path of the side's newest run; empty: there is no such side.
    QString newestRun(int index) const;
    void sayWhich(bool first);
    QString deploymentOf(int index) const { return side(index) ? side(index)->runs.first().deployment : QString(); }
    QString runOf(int index) const { return side(index) ? side(index)->runs.last().path : QString(); }
    bool isProfiled(int index) const { return side(index) && side(index)->runs.first().profiled; }
    void compare();
    void read();
    void setShown(bool shown);
    bool hasSides() const { return side(m_a) && side(m_b) && m_a != m_b; }
    CliRequest request(const QString& form) const;
    void receive(const CliAnswer& answer);
    void readRuns();
    QStringList arguments(const QString& form) const;
    const Side* side(int index) const;
    int find(const QString& key) const;
    /// Return the newest side of a deployment, without separated runs. `orProfiled`: accept a profiled one if there is
    /// no other. -1: none.
    int newestOf(const QString& deployment, bool orProfiled) const;

    Session& m_session;
    RunLibrary& m_library;
    std::vector<Side> m_sides;
    QStringList m_alone;  ///< runs that the user made a separate side
    bool m_byUser = false;  ///< the user chose the sides; they stay as long as they exist
    bool m_newest = false;  ///< the sides follow the newest runs of their deployments
    bool m_shown = false;
    bool m_due = false;  ///< a comparison is pending until the page is shown
    bool m_spinning[2] = {};
    int m_a = -1;
    int m_b = -1;
    ComparisonView m_view;
    QString m_failure;
    CurveSet m_curves;
    TableModel m_metrics;
    TableModel m_blocks;
    TableModel m_differences;
    Ask m_ask;
};

}  // namespace weir::editor
