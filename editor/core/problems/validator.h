#pragma once

#include "core/ask/ask.h"
#include "core/document/document.h"
#include "core/problems/checked_values.h"
#include "core/problems/problem.h"
#include "core/problems/problem_model.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace weir::editor {

/// Blocks that were complete at some time. A block that never was complete is unfinished, not wrong.
class Completeness {
  public:
    /// Judges an answer about the whole graph, after `steps` steps. Missing connections and values of new blocks become
    /// `unfinished`. Undoing the step that completed a block makes it new again.
    void judge(std::vector<Problem>& problems, const Json& project, int steps);
    void forget() { m_complete.clear(); }

  private:
    QHash<QString, int> m_complete;  ///< block -> number of steps after which it was complete
};

/// Runs `weir validate` for each state of the document, some time after the last change.
class Validator : public QObject {
    Q_OBJECT

  public:
    Validator(const CliCommand& command, Document& document, ProblemModel& problems, QObject* parent = nullptr);

    /// Return whether the problems shown are those of the present revision.
    bool isUpToDate() const { return m_ask.isUpToDate(); }
    /// Return the values of the expressions of the present revision; null while they are unknown.
    const CheckedValues* values() const { return isUpToDate() ? &m_values : nullptr; }
    /// Return the essence of the project as of the last answer, to match its runs; empty while unknown.
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

}  // namespace weir::editor
