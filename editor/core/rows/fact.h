#pragma once

#include "row_model.h"

#include <QObject>
#include <QString>

namespace weir::editor {

/// A short line that is only read: what it is about, and what is so.
struct Fact
{
    Q_GADGET
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QString heading MEMBER heading)

public:
    QString label;
    QString text;
    QString heading = {}; ///< over it and those that follow; empty where there is none

    bool operator==(const Fact &) const = default;
};

using Facts = std::vector<Fact>;
using FactModel = RowModel<Fact>;

} // namespace weir::editor
