#pragma once

#include "core/ask/ask.h"
#include "core/document/document.h"
#include "core/problems/checked_values.h"
#include "core/problems/completeness.h"
#include "core/problems/problem_model.h"

#include <QObject>

namespace weir::editor {

/// Asks `weir validate` about each state of the document, some time after the last change.
class Validator : public QObject {
    Q_OBJECT

  public:
    Validator(const CliCommand& command, Document& document, ProblemModel& problems, QObject* parent = nullptr);

    /// Whether the problems shown are those of the present revision.
    bool isUpToDate() const { return m_ask.isUpToDate(); }
    /// What the expressions of the present revision give; null while that is not known.
    const CheckedValues* values() const { return isUpToDate() ? &m_values : nullptr; }
    /// What runs of this project have in their rows, too, as of the last answer; empty while that is not known.
    QString essence() const { return m_essence; }
    void validateNow() { m_ask.now(); }

  signals:
    void answered();
    void failed(const QString& why);

  private:
    QString key() const;
    CliRequest request() const;
    void receive(const CliAnswer& answer);

    Document& m_document;
    ProblemModel& m_problems;
    Ask m_ask;
    CheckedValues m_values;
    Completeness m_completeness;
    QString m_essence;
};

} // namespace weir::editor
