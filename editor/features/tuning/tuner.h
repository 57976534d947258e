#pragma once

#include "core/ask/run_process.h"
#include "core/rows/row_model.h"
#include "core/tuning/tune_answer.h"
#include "features/tuning/tune_words.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QTemporaryDir>
#include <QTimer>
#include <QVariantMap>

#include <memory>
#include <optional>

namespace weir::editor {

class Session;

/// Search by `weir tune`: its candidates, the changes that each would make, and their way into the project.
class Tuner : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool open READ isOpen WRITE setOpen NOTIFY openChanged)
    /// 0: throughput, 1: p99.
    Q_PROPERTY(int goal READ goal WRITE setGoal NOTIFY changed)
    /// Time limit as typed, in seconds.
    Q_PROPERTY(QString budget READ budget WRITE setBudget NOTIFY changed)
    Q_PROPERTY(bool canStart READ canStart NOTIFY changed)
    /// The deployment that the next search starts from, or that the last one started from.
    Q_PROPERTY(QString start READ startName NOTIFY changed)
    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY changed)
    Q_PROPERTY(QString status READ status NOTIFY changed)
    Q_PROPERTY(QString remaining READ remaining NOTIFY timeChanged)
    /// Elapsed share of the time, 0 to 1.
    Q_PROPERTY(qreal progress READ progress NOTIFY timeChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY changed)
    Q_PROPERTY(QString hint READ hint NOTIFY changed)
    Q_PROPERTY(bool answered READ isAnswered NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* candidates READ candidates CONSTANT)
    Q_PROPERTY(int chosen READ chosen WRITE choose NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* changes READ changes CONSTANT)
    /// Result of the deployment that the search started from.
    Q_PROPERTY(QString before READ before NOTIFY changed)
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Name that Apply will give the deployment.
    Q_PROPERTY(QString wantedName READ wantedName NOTIFY changed)
    Q_PROPERTY(bool canApply READ canApply NOTIFY changed)
    /// Reason why the chosen candidate cannot be applied; empty if it can.
    Q_PROPERTY(QString refusal READ refusal NOTIFY changed)
    /// True if the answer belongs to another version of the project.
    Q_PROPERTY(bool stale READ isStale NOTIFY changed)
    /// True if the graph marks blocks that would move.
    Q_PROPERTY(bool onGraph READ isOnGraph WRITE setOnGraph NOTIFY previewChanged)
    Q_PROPERTY(bool previewing READ isPreviewing NOTIFY previewChanged)
    /// Block -> number of the worker that the preview gives it; empty without a preview.
    Q_PROPERTY(QVariantMap blockColours READ blockColours NOTIFY previewChanged)

  public:
    explicit Tuner(Session& session, QObject* parent = nullptr);

    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    int goal() const { return m_goal; }
    void setGoal(int goal);
    QString budget() const { return m_budget; }
    void setBudget(const QString& budget);
    bool canStart() const;
    QString startName() const;
    bool isRunning() const { return m_process.isRunning(); }
    bool isStopping() const { return m_stopping; }
    QString status() const;
    QString remaining() const;
    qreal progress() const;
    QString failure() const { return m_failure; }
    QString hint() const { return m_hint; }
    bool isAnswered() const { return m_answer.has_value(); }
    const std::optional<TuneAnswer>& answer() const { return m_answer; }
    QAbstractItemModel* candidates() { return &m_rows; }
    int chosen() const { return m_chosen; }
    void choose(int row);
    QAbstractItemModel* changes() { return &m_changes; }
    QString before() const;
    QString summary() const;
    QString wantedName() const;
    bool canApply() const { return candidate() && refusal().isEmpty(); }
    QString refusal() const;
    bool isStale() const { return !differs().isEmpty(); }
    bool isOnGraph() const { return m_onGraph; }
    void setOnGraph(bool on);
    bool isPreviewing() const { return m_previewing; }
    QVariantMap blockColours() const { return m_blockColours; }

    Q_INVOKABLE void begin();
    /// Stop, and keep the measurements so far. A second call kills the search.
    Q_INVOKABLE void stop();
    /// Add the chosen candidate to the project as a deployment, in one step.
    Q_INVOKABLE bool apply();
    /// Forget the answer. The project does not change.
    Q_INVOKABLE void discard();

  signals:
    void openChanged();
    void changed();
    void timeChanged();
    void previewChanged();
    /// Emitted when the pane should take the keyboard focus.
    void keysWanted();

  private:
    void registerActions();
    /// `options`: further ones of `weir tune`.
    void start(const QStringList& options);
    void leaveProject();
    void receive(const Json& results, const QString& failure);
    void fail(const QString& failure);
    void follow();
    void listRows();
    void showPreview();
    double budgetSeconds() const;
    const TunedCandidate* candidate() const;
    /// Return the name of the project's deployment that equals the candidate; empty if none.
    QString ownNameOf(const TunedCandidate& candidate) const;
    /// Return the relevant changes of the project since the search began; empty if none.
    QString differs() const;
    bool isKnown() const; ///< whether `differs` describes the current project

    Session& m_session;
    const int m_role; ///< role of the block model
    RunProcess m_process;
    RunProgress m_now;
    QElapsedTimer m_elapsed;
    QTimer m_tick;
    std::unique_ptr<QTemporaryDir> m_folder; ///< the command line writes a copy there, which nothing reads
    bool m_open = false;
    int m_goal = 0;
    QString m_budget = QStringLiteral("60");
    bool m_stopping = false;
    bool m_isOfOther = false; ///< the running search belongs to a document that has been replaced
    QString m_said;           ///< the last output line that was not progress
    QString m_failure;
    QString m_hint;
    // State of the project that the answer belongs to.
    Json m_startProject;
    QString m_essence;
    QString m_deployment;
    int m_meaning = 0;
    double m_budgetOfRun = 0;
    std::optional<TuneAnswer> m_answer;
    RowModel<TuneRow> m_rows;
    RowModel<TuneChange> m_changes;
    int m_chosen = -1;
    bool m_onGraph = true;
    bool m_previewing = false;
    QVariantMap m_blockColours;
};

} // namespace weir::editor
