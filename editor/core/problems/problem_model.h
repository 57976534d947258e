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

    /// `project`: the project that the pointers lead into.
    void setProblems(std::vector<Problem> problems, const Json& project);
    /// Sets the problems of the last build or run of `project`. Each stays until the next build or run, or until its
    /// value changes.
    void setBuildProblems(std::vector<Problem> problems, const Json& project);
    /// Return both kinds of problems, as shown.
    const std::vector<Problem>& problems() const { return rows(); }
    std::vector<Problem> buildProblems() const;
    int count(const QString& severity) const;
    /// Follows an edit: pointers and names follow their parts, and problems of removed parts are removed. Rows then
    /// match the project before the next answer arrives.
    void follow(const Json& project, const ChangedPaths& changed = ChangedPaths::everything());

  signals:
    void countChanged();

  private:
    struct Built {
        Problem problem;
        Json subject;  ///< the value that it is about, at the time of the run
        bool reported;  ///< the checker reported it, too
    };

    void update();

    std::vector<Problem> m_checked;
    std::vector<Built> m_built;
    // Names of the parts of the projects that the pointers lead into.
    PartNames m_checkedNames;
    PartNames m_builtNames;
};

}  // namespace weir::editor
