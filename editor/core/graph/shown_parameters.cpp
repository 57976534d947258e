#include "core/graph/shown_parameters.h"

#include "core/look/look.h"
#include "core/text/value_text.h"

#include <algorithm>

namespace weir::editor {
namespace {

ParameterView row(const ParameterType& parameter, const Json& value) {
    return {QString::fromStdString(parameter.id), shortText(value, QString::fromStdString(parameter.unit))};
}

ParameterView defaultRow(const ParameterType& parameter) {
    ParameterView view =
        row(parameter, parameter.defaultText.empty() ? parameter.defaultValue : Json(parameter.defaultText));
    view.isDefault = true;
    return view;
}

} // namespace

void showParameters(BlockView& view, const Json& set, const BlockType* type) {
    QList<ParameterView> rows;
    QList<ParameterView> asByDefault;
    QList<ParameterView> unset;
    if (type) {
        for (const ParameterType& parameter : type->parameters) {
            if (const Json* value = member(set, parameter.id))
                (*value == parameter.defaultValue ? asByDefault : rows).append(row(parameter, *value));
            else if (parameter.isRequired()) rows.append({QString::fromStdString(parameter.id), QStringLiteral("—")});
            else unset.append(defaultRow(parameter));
        }
    }
    for (const auto& item : set.items())
        if (item.key() != "item_type" && !(type && type->parameter(item.key())))
            rows.append({QString::fromStdString(item.key()), shortText(item.value())});
    rows += asByDefault;
    const qsizetype limit = look().rows.shown;
    view.moreParameters = static_cast<int>(std::max(rows.size() - limit, qsizetype{0}));
    view.parameters = (rows + unset).mid(0, limit);
}

} // namespace weir::editor
