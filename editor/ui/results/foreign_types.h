#pragma once

#include "table_model.h"

#include <QtQml/qqmlregistration.h>

/// Names of the core's types in QML, which the core itself does not know.
struct TableModelForeign
{
    Q_GADGET
    QML_FOREIGN(weir::editor::TableModel)
    QML_NAMED_ELEMENT(TableModel)
    QML_UNCREATABLE("made by what was measured")
};
