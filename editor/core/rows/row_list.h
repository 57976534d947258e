#pragma once

#include <QVariantList>

namespace weir::editor {

/// Gadgets as a list that QML reads, for rows within a row; a list of its own is a RowModel.
template <class Rows> QVariantList rowList(const Rows& rows) {
    QVariantList list;
    for (const auto& row : rows) list.append(QVariant::fromValue(row));
    return list;
}

} // namespace weir::editor
