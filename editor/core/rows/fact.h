#pragma once

#include "core/rows/row_model.h"

#include <QObject>
#include <QString>

namespace weir::editor {

/// A short line that is only read: what it is about, and what is so.
struct Fact {
    Q_GADGET
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(QString hint MEMBER hint)

  public:
    QString label;
    QString text;
    QString heading = {}; ///< over it and those that follow; empty where there is none
    QString hint = {};    ///< what to do, or why it is so; empty where nothing is to be said

    bool operator==(const Fact&) const = default;
};

using Facts = std::vector<Fact>;
using FactModel = RowModel<Fact>;

} // namespace weir::editor
