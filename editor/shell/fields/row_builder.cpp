#include "shell/fields/row_builder.h"

#include "core/document/project_schema.h"
#include "core/text/value_text.h"
#include "shell/fields/field_text.h"

#include <QObject>

#include <algorithm>
#include <tuple>

namespace weir::editor {
namespace {

QString widgetFor(const std::string& type) {
    if (type == "bool") return QStringLiteral("switch");
    if (type == "path") return QStringLiteral("file");
    return type == "enum" ? QStringLiteral("choice") : QStringLiteral("text");
}

QString rangeText(const std::optional<double>& minimum, const std::optional<double>& maximum, const QString& unit) {
    if (minimum && maximum)
        return QObject::tr("%1 to %2").arg(shownNumber(*minimum, unit), shownNumber(*maximum, unit));
    if (minimum) return QObject::tr("at least %1").arg(shownNumber(*minimum, unit));
    return maximum ? QObject::tr("at most %1").arg(shownNumber(*maximum, unit)) : QString();
}

} // namespace

QString qt(const std::string& utf8) { return QString::fromStdString(utf8); }

QStringList qtList(const std::vector<std::string>& texts) {
    QStringList result;
    for (const std::string& text : texts) result.append(qt(text));
    return result;
}

ParameterRow valueRow(const Json& object, const Pointer& pointer, const char* type, const QString& title,
                      const QString& placeholder) {
    ParameterRow row;
    row.name = qt(pointer.back());
    row.title = title;
    row.type = QString::fromLatin1(type);
    row.widget = widgetFor(type);
    row.placeholder = placeholder;
    row.pointer = pointer;
    if (const Json* value = find(object, pointer)) {
        row.set = true;
        const std::optional<QString> own = ownText(row.type, *value);
        row.value = own.value_or(fieldText(*value));
        row.shown = own || row.value.isEmpty() ? row.value : shownText(*value);
        constexpr std::size_t kCountableAtAGlance = 4;
        if (!own && value->is_array() && value->size() > kCountableAtAGlance)
            row.evaluated = QObject::tr("%n number(s)", nullptr, static_cast<int>(value->size()));
    }
    return row;
}

ParameterRow fieldRow(const Json& project, const Pointer& pointer, const char* type, const QString& title,
                      const QString& placeholder) {
    ParameterRow row = valueRow(project, pointer, type, title, placeholder);
    const Allowed allowed = allowedAt(pointer);
    if (row.widget == QLatin1String("choice")) row.options = qtList(allowed.choices);
    if (allowed.range) {
        std::tie(row.minimum, row.maximum) = *allowed.range;
        row.range = rangeText(row.minimum, row.maximum, row.unit);
        row.literal = true;
    }
    return row;
}

ParameterRow describedRow(const Json& project, const Pointer& pointer, const ParameterType& type) {
    ParameterRow row = valueRow(project, pointer, type.type.c_str(), qt(type.title),
                                type.isRequired() ? QObject::tr("required") : shownText(type.defaultValue));
    row = documented(row, qt(type.documentation), qt(type.unit));
    if (!type.defaultText.empty()) row.placeholder = qt(type.defaultText);
    row.options = qtList(type.options);
    row.optionTitles = qtList(type.optionTitles);
    row.minimum = type.minimum;
    row.maximum = type.maximum;
    row.range = rangeText(type.minimum, type.maximum, row.unit);
    row.required = type.isRequired();
    return row;
}

ParameterRow asChoice(ParameterRow row, const QStringList& options) {
    row.widget = QStringLiteral("choice");
    row.options = options;
    return row;
}

ParameterRow asNote(ParameterRow row) {
    row.widget = QStringLiteral("note");
    return row;
}

ParameterRow documented(ParameterRow row, const QString& documentation, const QString& unit) {
    row.documentation = documentation;
    row.unit = unit;
    row.shown = withUnit(row.shown, unit);
    row.placeholder = withUnit(row.placeholder, unit);
    return row;
}

ParameterRow memberRow(const Json& project, const Pointer& pointer, const char* member, const QString& title) {
    ParameterRow row = fieldRow(project, pointer, "bool", title, QStringLiteral("false"));
    const Json& members = list(find(project, pointer));
    row.name += u':' + QString::fromLatin1(member);
    row.member = QString::fromLatin1(member);
    row.set =
        std::any_of(members.begin(), members.end(), [member](const Json& entry) { return text(&entry) == member; });
    row.value = row.shown = row.set ? QStringLiteral("true") : QString();
    return row;
}

void addUnknown(std::vector<ParameterRow>& rows, const Json& project, const Pointer& container) {
    for (const auto& item : object(find(project, container)).items()) {
        const QString name = qt(item.key());
        const bool known =
            std::any_of(rows.begin(), rows.end(), [&name](const ParameterRow& r) { return r.name == name; });
        if (!known)
            rows.push_back(fieldRow(project, container / item.key(), item.value().is_string() ? "string" : "", name));
    }
}

} // namespace weir::editor
