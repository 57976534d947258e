#pragma once

#include "core/json/json.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// Fix that the command line offers: `what` is {"rename": …}, {"set": …}, {"remove": true} or {"insert": …} at
/// `pointer`.
struct ProblemFix {
    QString title;
    QString pointer;
    Json what = {};

    bool operator==(const ProblemFix&) const = default;
};

struct Problem {
    Q_GADGET
    Q_PROPERTY(QString code MEMBER code)
    Q_PROPERTY(QString severity MEMBER severity)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(QString hint MEMBER hint)
    Q_PROPERTY(QString pointer MEMBER pointer)
    Q_PROPERTY(QString block MEMBER block)
    Q_PROPERTY(QString place MEMBER place)
    Q_PROPERTY(QStringList fixes READ fixTitles)
    Q_PROPERTY(QString file MEMBER file)
    Q_PROPERTY(int line MEMBER line)
    Q_PROPERTY(QString source MEMBER source)

  public:
    QString code;
    QString severity;  ///< `error`, `unfinished`, `warning` or `note`
    QString pointer;
    QString message;
    QString hint;
    QString block;  ///< block that the pointer leads to, if any
    QString place = {};  ///< place of the pointer in words: a block, `run`, `deployment flow`
    std::vector<ProblemFix> fixes = {};
    QStringList others = {};  ///< further blocks that it marks
    // Place in the generated code, for errors of a build.
    QString file = {};  ///< relative to the generated project
    QString source = {};  ///< original of a copied file
    QString said = {};  ///< message of the compiler
    int line = 0;  ///< from 1; 0: unknown
    int column = 0;

    QStringList fixTitles() const;

    bool operator==(const Problem&) const = default;
};

/// Severity of a step that is not done yet, rather than done wrongly.
inline const QString kUnfinished = QStringLiteral("unfinished");

/// Return diagnostics of `weir validate --json` or of a failed verb, their pointers resolved to blocks of `project`.
std::vector<Problem> problemsFrom(const Json& answer, const Json& project);

/// Sets block and place from the problem's pointer into `project`.
void locate(Problem& problem, const Json& project);

/// Return the problems without duplicates: errors first, then unfinished steps, then warnings. Merges equal messages
/// about one place, findings of one kind at one place, and all unfinished steps of one block.
std::vector<Problem> withoutDuplicates(std::vector<Problem> problems);

}  // namespace weir::editor
