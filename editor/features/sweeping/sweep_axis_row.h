#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace weir::editor {

/// An axis of a sweep, as it is edited.
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
    QString values;         ///< as they are typed
    QString problem = {};   ///< why they cannot be measured, or were not taken; empty where nothing is said
    QStringList whose =
        {}; ///< of loads, what the shares may be of: each one's own, or a deployment's; empty: no loads
    int of = 0;             ///< which of these it is

    bool operator==(const SweepAxisRow&) const = default;
};

/// Something that a sweep may promise to hold equal among its contenders.
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

/// A run behind a point.
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
    QString value; ///< of the quantity that is shown
    QString status;
    QString remark; ///< what speaks against it; empty: nothing does

    bool operator==(const SweepRunRow&) const = default;
};

} // namespace weir::editor
