#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace weir::editor {

/// Axis of a sweep in the form.
struct SweepAxisRow {
    Q_GADGET
    Q_PROPERTY(QString key MEMBER key)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString values MEMBER values)
    Q_PROPERTY(QString problem MEMBER problem)
    Q_PROPERTY(QStringList whose MEMBER whose)
    Q_PROPERTY(int of MEMBER of)

  public:
    QString key;
    QString title;
    QString values;         ///< text as the user typed it
    QString problem = {};   ///< why the values are invalid or were refused; empty: valid
    QStringList whose =
        {}; ///< choices of the sustained rate that loads are shares of: each contender's own, or one deployment's;
            ///< empty: no loads
    int of = 0;             ///< index of the chosen entry of `whose`

    bool operator==(const SweepAxisRow&) const = default;
};

/// Property that a sweep can require to be equal among its contenders.
struct SweepHoldRow {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(bool held MEMBER held)

  public:
    QString name;
    QString title;
    bool held = false;

    bool operator==(const SweepHoldRow&) const = default;
};

/// Run behind a point.
struct SweepRunRow {
    Q_GADGET
    Q_PROPERTY(QString path MEMBER path)
    Q_PROPERTY(QString round MEMBER round)
    Q_PROPERTY(QString value MEMBER value)
    Q_PROPERTY(QString status MEMBER status)
    Q_PROPERTY(QString remark MEMBER remark)

  public:
    QString path;
    QString round;
    QString value; ///< value of the shown quantity
    QString status;
    QString remark; ///< warning about the run; empty: none

    bool operator==(const SweepRunRow&) const = default;
};

} // namespace weir::editor
