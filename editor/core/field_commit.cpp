#include "field_commit.h"

#include "value_text.h"

namespace weir::editor {
namespace {

Json valueFor(const ParameterRow &row, const QString &typed)
{
    if (row.widget == QLatin1String("switch") && (typed == QLatin1String("true") || typed == QLatin1String("false")))
        return typed == QLatin1String("true");
    if (typed.trimmed() == QLatin1String("auto"))
        return "auto";
    return fieldValue(typed, row.type.toStdString());
}

} // namespace

QString commitField(Document &document, const ParameterRow &row, const QString &typed)
{
    // A project parameter is nothing without its value, so an empty field there changes nothing.
    const bool removable = row.pointer.back() != "value";
    if (typed == row.value || (typed.trimmed().isEmpty() && !removable))
        return {};
    return document.edit(QObject::tr("Set %1").arg(row.name), [&](Transaction &transaction) {
        if (!typed.trimmed().isEmpty()) {
            transaction.set(row.pointer, valueFor(row, typed));
            return;
        }
        transaction.remove(row.pointer);
        const Pointer parent = row.pointer.parent_pointer();
        const Json *container = find(transaction.json(), parent);
        if (container && container->empty() && parent.back() == "parameters" && !parent.parent_pointer().empty())
            transaction.remove(parent);
    });
}

} // namespace weir::editor
