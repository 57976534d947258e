#pragma once

#include "json.h"

#include <QAbstractListModel>
#include <QString>

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

    bool operator==(const Problem &) const = default;
};

/// Diagnostics of `weir validate --json`, their pointers resolved to blocks of `project`.
std::vector<Problem> problemsFrom(const Json &answer, const Json &project);

class ProblemModel : public QAbstractListModel
{
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

public:
    enum Role { CodeRole = Qt::UserRole + 1, SeverityRole, MessageRole, HintRole, PointerRole, BlockRole };

    explicit ProblemModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `project`: what the problems are about.
    void setProblems(std::vector<Problem> problems, const Json &project);
    const std::vector<Problem> &problems() const { return m_problems; }
    /// Finds the blocks anew after an edit that left every block at its index, such as a rename: marks must not flicker
    /// until the next answer. Other edits change nothing here.
    void followRename(const Json &project);
    /// The first message at `pointer` or below it.
    QString messageAt(const QString &pointer) const;

signals:
    void countChanged();

private:
    std::vector<Problem> m_problems;
    std::size_t m_blockCount = 0;
};

} // namespace weir::editor
