#pragma once

#include "core/ask/ask.h"
#include "core/json/json.h"
#include "core/problems/problem.h"
#include "core/rows/row_model.h"
#include "features/sweeping/sweep_axis_row.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>

#include <optional>

namespace weir::editor {

class Fields;
class Session;

/// Sweeps of the project: the varied settings, their values, and the size of the measurement.
class SweepDesign : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QStringList names READ names NOTIFY changed)
    Q_PROPERTY(int current READ current WRITE choose NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* axes READ axes CONSTANT)
    /// Names that can be varied, but are not yet.
    Q_PROPERTY(QStringList addable READ addable NOTIFY changed)
    Q_PROPERTY(QString repetitions READ repetitions NOTIFY changed)
    Q_PROPERTY(QString repetitionsProblem READ repetitionsProblem NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* holds READ holds CONSTANT)
    /// True to measure with `--quick`; not stored.
    Q_PROPERTY(bool quick READ isQuick WRITE setQuick NOTIFY changed)
    /// Number of points and runs, and their estimated time.
    Q_PROPERTY(QString plan READ plan NOTIFY planned)
    /// Reason why the sweep cannot be measured, unless an axis shows the reason.
    Q_PROPERTY(QString problem READ problem NOTIFY planned)
    /// True if the sweep can be measured now.
    Q_PROPERTY(bool ready READ isReady NOTIFY planned)

  public:
    SweepDesign(Session& session, Fields& fields, QObject* parent = nullptr);

    QStringList names() const;
    int current() const { return m_current; }
    void choose(int sweep);
    QString name() const { return names().value(m_current); }
    QAbstractItemModel* axes() { return &m_axes; }
    QStringList addable() const;
    QString repetitions() const;
    QString repetitionsProblem() const { return m_repetitionsProblem; }
    QAbstractItemModel* holds() { return &m_holds; }
    bool isQuick() const { return m_quick; }
    void setQuick(bool quick);
    QString plan() const;
    QString problem() const { return m_problem; }
    bool isPlanning() const { return m_ask.isBusy(); }
    bool isReady() const { return m_points > 0 && m_ask.isUpToDate(); }
    int points() const { return m_points; }
    /// Return the runs of a round: one for each point, or two if the sweep also uses each contender's own best sizes.
    int runsInRound() const { return m_rounds > 0 ? m_runs / m_rounds : m_points; }
    int rounds() const { return m_rounds; }

    /// Add a new sweep and choose it.
    Q_INVOKABLE void add();
    Q_INVOKABLE bool rename(const QString& name);
    Q_INVOKABLE void remove();
    /// Vary this setting, over its proposed values.
    Q_INVOKABLE void vary(const QString& key);
    Q_INVOKABLE void unvary(int axis);
    Q_INVOKABLE void commit(int axis, const QString& typed);
    /// Choose the entry of the row's `whose` to which the shares refer.
    Q_INVOKABLE void setWhose(int axis, int of);
    Q_INVOKABLE void commitRepetitions(const QString& typed);
    Q_INVOKABLE void hold(int kind, bool held);
    /// Vary a project parameter, or stop varying it.
    Q_INVOKABLE void toggleParameter(const QString& name);
    /// Vary the deployment, or stop varying it.
    Q_INVOKABLE void toggleDeployment();

  signals:
    void changed();
    void planned();
    /// Emitted to give the keyboard to the values of this axis.
    void valuesWanted(int axis);

  private:
    void registerActions();
    void update();
    void follow();
    void toggleField(QAbstractItemModel* model, int row);
    void toggle(const std::string& key, const Json& values);
    /// Return the proposed names without a field that `--vary` knows.
    Json proposed(const std::string& key) const;
    Pointer sweepPlace() const;
    bool isVaried(const std::string& key) const;
    /// Return the pointers to what an axis sets, in the current deployment if it belongs to one.
    std::vector<Pointer> placesOf(const SweepAxisRow& axis) const;
    /// Return the problem at that pointer or below; empty: none.
    QString faultAt(const Pointer& at) const;
    std::optional<SweepAxisRow> loadsRow() const;
    /// Return the deployment whose sustained rate the loads refer to; empty: each contender's own.
    std::string whoseLoads() const;
    /// Return the measured deployments.
    QStringList contenders() const;
    void receive(const CliAnswer& answer);

    Session& m_session;
    Fields& m_fields;
    Ask m_ask;
    int m_current = 0;
    bool m_quick = false;
    RowModel<SweepAxisRow> m_axes;
    RowModel<SweepHoldRow> m_holds;
    QString m_repetitionsProblem;
    std::optional<SweepAxisRow> m_refused;  ///< last typed values, if they were refused
    // Reported by the command line.
    std::vector<Problem> m_faults;
    QString m_problem;
    int m_points = 0;
    int m_rounds = 0;
    int m_runs = 0;
    double m_seconds = -1;  ///< negative: partly unknown
    double m_searchSeconds = 0;  ///< upper bound for the search of sustained rates, before any measurement
};

}  // namespace weir::editor
