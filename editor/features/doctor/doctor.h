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

/// Finding about the machine that spoils a measurement, and its remedy.
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
    QString severity; ///< broken: what is asked for does not work; noisy: numbers vary by it
    QString message;
    QString why; ///< for this deployment, else in general
    QStringList commands;
    QString remedy; ///< what else there is to say of that

    bool operator==(const DoctorFinding&) const = default;
};

/// Return the findings of `weir doctor --json` for a deployment, worst first; nothing if the answer is another one.
std::optional<std::vector<DoctorFinding>> findingsFor(const Json& answer, const QString& deployment);

/// Findings about noise on this machine, for the chosen deployment. Asks `weir doctor` about the project once it can
/// run, some time after its last change, and never while something is measured.
class Doctor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    /// `3 things make this measurement noisy`; empty where nothing does, or nothing is known.
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Short summary for a place with little room.
    Q_PROPERTY(QString brief READ brief NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    /// Something that is asked for will not work.
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

    /// While something is measured, nothing else computes.
    void setQuiet(bool quiet);
    /// The machine may have been mended meanwhile: it is asked again, unless that was just done.
    Q_INVOKABLE void look();
    /// It is asked again at once.
    Q_INVOKABLE void again();
    Q_INVOKABLE void copy(const QString& command) const;

  signals:
    void changed();
    /// The findings should be shown.
    void opened();

  private:
    bool mayAsk() const;
    int countOf(const char* severity) const;
    void consider();
    void receive(const CliAnswer& answer);
    void update();

    Session& m_session;
    Ask m_ask;
    QTimer m_settled;  ///< since the last change
    QElapsedTimer m_age;
    Json m_answer;
    RowModel<DoctorFinding> m_findings;
    QString m_failure;
    bool m_quiet = false;
};

}  // namespace weir::editor
