#pragma once

#include "core/json/json.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::editor {

/// What of the machine spoils a measurement, and what mends it.
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

/// Of an answer of `weir doctor --json`, what counts for a deployment, the worst first. Nothing: it is no such answer.
std::optional<std::vector<DoctorFinding>> findingsFor(const Json& answer, const QString& deployment);

} // namespace weir::editor
