#pragma once

#include "core/rows/row_model.h"

#include <QObject>
#include <QString>

namespace weir::editor {

/// Read-only line: a name and its value.
struct Fact {
    Q_GADGET
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(QString hint MEMBER hint)

  public:
    QString label;
    QString text;
    QString heading = {}; ///< above this row and those that follow; empty: none
    QString hint = {};    ///< what to do, or the reason; may be empty

    bool operator==(const Fact&) const = default;
};

using Facts = std::vector<Fact>;
using FactModel = RowModel<Fact>;

} // namespace weir::editor
