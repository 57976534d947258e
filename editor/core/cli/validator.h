#pragma once

#include "checked_values.h"
#include "cli_command.h"
#include "document.h"
#include "problem_model.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace weir::editor {

/// Asks `weir validate` about each state of the document, some time after the last change, and drops late answers.
class Validator : public QObject
{
    Q_OBJECT

public:
    Validator(const CliCommand &command, Document &document, ProblemModel &problems, QObject *parent = nullptr);

    /// Whether the problems shown are those of the present revision.
    bool isUpToDate() const { return m_answeredRevision == m_document.revision(); }
    /// What the expressions of the present revision give; null while that is not known.
    const CheckedValues *values() const { return isUpToDate() ? &m_values : nullptr; }
    /// What runs of this project have in their rows, too, as of the last answer; empty while that is not known.
    QString essence() const { return m_essence; }
    void validateNow();

signals:
    void answered();
    void failed(const QString &why);

private:
    void receive(const CliAnswer &answer, int revision);

    const CliCommand m_command;
    Document &m_document;
    ProblemModel &m_problems;
    QTimer m_delay;
    QPointer<ChildProcess> m_process;
    CheckedValues m_values;
    QString m_essence;
    QString m_folder; ///< where the paths began that were checked last
    int m_answeredRevision = -1;
};

} // namespace weir::editor
