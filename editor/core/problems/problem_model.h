#pragma once

#include "part_names.h"

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

struct Problem
{
    QString code;
    QString severity; ///< error, warning or note
    QString pointer;
    QString message;
    QString hint;
    QString block; ///< the block that the pointer leads to, if any
    QString place = {}; ///< where that is, for people: a block, `run`, `deployment flow`
    Json fix = {}; ///< what the command line offers instead: {"key": …} or {"value": …}
    QStringList others = {}; ///< further blocks that it marks
    // Where in the generated code, for faults of a build.
    QString file = {};   ///< relative to the generated project
    QString source = {}; ///< the file that it was copied from
    QString said = {};   ///< by the compiler
    int line = 0;        ///< from 1; 0: not known
    int column = 0;

    /// The word or expression that `fix` would put there.
    QString fixText() const;

    bool operator==(const Problem &) const = default;
};

/// Diagnostics of `weir validate --json` or of a verb that failed, their pointers resolved to blocks of `project`.
std::vector<Problem> problemsFrom(const Json &answer, const Json &project);

class ProblemModel : public QAbstractListModel
{
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

public:
    enum Role { CodeRole = Qt::UserRole + 1, SeverityRole, MessageRole, HintRole, PointerRole, BlockRole, PlaceRole, FixRole,
                FileRole, LineRole, SourceRole };

    explicit ProblemModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `project`: what the problems are about.
    void setProblems(std::vector<Problem> problems, const Json &project);
    /// What the last build or run of `project` said; it stays beside the former until the next one.
    void setBuildProblems(std::vector<Problem> problems, const Json &project);
    const std::vector<Problem> &problems() const { return m_problems; }
    const std::vector<Problem> &buildProblems() const { return m_built; }
    /// The project was edited: pointers and names follow their parts, and what is said of a part goes with it. So what is
    /// chosen before the next answer is about what is shown.
    void follow(const Json &project, const ChangedPaths &changed = ChangedPaths::everything());

signals:
    void countChanged();

private:
    void update();

    std::vector<Problem> m_checked;
    std::vector<Problem> m_built;
    std::vector<Problem> m_problems; ///< both, those of the build first
    // Of the projects that their pointers lead into.
    PartNames m_checkedNames;
    PartNames m_builtNames;
};

} // namespace weir::editor
