#pragma once

#include "core/document/part_names.h"
#include "core/problems/problem.h"
#include "core/rows/row_model.h"

#include <vector>

namespace weir::editor {

class ProblemModel : public RowModel<Problem> {
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

  public:
    using RowModel::RowModel;

    /// `project`: what the problems are about.
    void setProblems(std::vector<Problem> problems, const Json& project);
    /// Sets the problems of the last build or run of `project`. Each stays until the next build or run, or until its
    /// value changes.
    void setBuildProblems(std::vector<Problem> problems, const Json& project);
    /// Both, as people are told.
    const std::vector<Problem>& problems() const { return rows(); }
    std::vector<Problem> buildProblems() const;
    int count(const QString& severity) const;
    /// The project was edited: pointers and names follow their parts, and what is said of a part goes with it. So what is
    /// chosen before the next answer is about what is shown.
    void follow(const Json& project, const ChangedPaths& changed = ChangedPaths::everything());

  signals:
    void countChanged();

  private:
    struct Built {
        Problem problem;
        Json subject;  ///< what it is about, as it was then
        bool told;  ///< the checker said it, too
    };

    void update();

    std::vector<Problem> m_checked;
    std::vector<Built> m_built;
    // Names of the projects that their pointers lead into.
    PartNames m_checkedNames;
    PartNames m_builtNames;
};

}  // namespace weir::editor
