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

/// Which blocks were complete at some time. What a block lacks that never was is not wrong: it is not finished yet.
class Completeness {
  public:
    /// Of an answer that is about the whole graph, after `steps` steps. Missing connections and values of new blocks become
    /// `unfinished`; a block that a later step completed is new again once that is undone.
    void judge(std::vector<Problem>& problems, const Json& project, int steps);
    void forget() { m_complete.clear(); }

  private:
    QHash<QString, int> m_complete;  ///< after how many steps
};

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

}  // namespace weir::editor
