#pragma once

#include "core/json/json.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A mend that the command line offers: `what` is {"rename": …}, {"set": …}, {"remove": true} or {"insert": …} at `pointer`.
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
    QString severity;  ///< error, unfinished, warning or note
    QString pointer;
    QString message;
    QString hint;
    QString block;  ///< the block that the pointer leads to, if any
    QString place = {};  ///< where that is, for people: a block, `run`, `deployment flow`
    std::vector<ProblemFix> fixes = {};
    QStringList others = {};  ///< further blocks that it marks
    // Place in the generated code, for faults of a build.
    QString file = {};  ///< relative to the generated project
    QString source = {};  ///< the file that it was copied from
    QString said = {};  ///< by the compiler
    int line = 0;  ///< from 1; 0: not known
    int column = 0;

    QStringList fixTitles() const;

    bool operator==(const Problem&) const = default;
};

/// Something that was not done yet, rather than done wrongly.
inline const QString kUnfinished = QStringLiteral("unfinished");

/// Diagnostics of `weir validate --json` or of a verb that failed, their pointers resolved to blocks of `project`.
std::vector<Problem> problemsFrom(const Json& answer, const Json& project);

/// Block and place of the problem's pointer, as they are in `project`.
void locate(Problem& problem, const Json& project);

/// Errors first, then what is to be finished, then warnings. What several checks say of one place in the same words is said
/// once; findings of one kind at one place are one, and so is all that is unfinished of one block.
std::vector<Problem> toldOnce(std::vector<Problem> problems);

}  // namespace weir::editor
