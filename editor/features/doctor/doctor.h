#pragma once

#include "core/ask/ask.h"
#include "core/json/json.h"
#include "core/rows/row_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace weir::editor {

class Session;

/// Finding about the machine that spoils measurements, and its remedy.
struct DoctorFinding {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString severity MEMBER severity)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(QString why MEMBER why)
    Q_PROPERTY(QStringList commands MEMBER commands)
    Q_PROPERTY(QString remedy MEMBER remedy)

  public:
    QString title;
    QString severity; ///< broken: a requested setting does not work; noisy: results vary because of it
    QString message;
    QString why; ///< for this deployment if it is concerned, else in general
    QStringList commands;
    QString remedy; ///< advice beyond the commands

    bool operator==(const DoctorFinding&) const = default;
};

/// Return the findings of `weir doctor --json` for a deployment, worst first; none if the answer has another form.
std::optional<std::vector<DoctorFinding>> findingsFor(const Json& answer, const QString& deployment);

/// Findings about noise on this machine, for the chosen deployment. Asks `weir doctor` a while after the last change of
/// the project, if the project can run. Never asks during a measurement.
class Doctor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    /// `3 sources of noise in this measurement`; empty if nothing does, or if nothing is known.
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Short summary for narrow places.
    Q_PROPERTY(QString brief READ brief NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    /// True if something that the project requests will not work.
    Q_PROPERTY(bool broken READ isBroken NOTIFY changed)
    Q_PROPERTY(bool asking READ isAsking NOTIFY changed)
    /// Reason why there are no findings.
    Q_PROPERTY(QString failure READ failure NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* findings READ findings CONSTANT)

  public:
    explicit Doctor(Session& session, QObject* parent = nullptr);

    QString summary() const;
    QString brief() const;
    int count() const { return m_findings.rowCount(); }
    bool isBroken() const;
    bool isAsking() const { return m_ask.isAsking(); }
    QString failure() const { return m_failure; }
    QAbstractItemModel* findings() { return &m_findings; }
    const std::vector<DoctorFinding>& rows() const { return m_findings.rows(); }

    /// Keep the doctor silent during measurements, which it would disturb.
    void setQuiet(bool quiet);
    /// Ask again, since the user may have fixed the machine. An answer of a moment ago is kept.
    Q_INVOKABLE void look();
    /// Ask again at once.
    Q_INVOKABLE void again();
    Q_INVOKABLE void copy(const QString& command) const;

  signals:
    void changed();
    /// Emitted to show the findings.
    void opened();

  private:
    bool mayAsk() const;
    int countOf(const char* severity) const;
    void consider();
    void receive(const CliAnswer& answer);
    void update();

    Session& m_session;
    Ask m_ask;
    QTimer m_settled;  ///< runs since the last change
    QElapsedTimer m_age;
    Json m_answer;
    RowModel<DoctorFinding> m_findings;
    QString m_failure;
    bool m_quiet = false;
};

}  // namespace weir::editor
