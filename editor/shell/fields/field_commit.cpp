#include "shell/fields/field_commit.h"

#include "core/document/project_schema.h"
#include "core/text/value_text.h"
#include "shell/fields/field_text.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

Json valueFor(const ParameterRow& row, const QString& typed) {
    const QString trimmed = typed.trimmed();
    if (row.widget == QLatin1String("switch") &&
        (trimmed == QLatin1String("true") || trimmed == QLatin1String("false")))
        return trimmed == QLatin1String("true");
    if (trimmed == QLatin1String("auto")) return "auto";
    if (row.type == QLatin1String("i64"))
        for (const std::string& word : allowedAt(row.pointer).choices)
            if (trimmed == QLatin1String(word)) return word;
    if (const auto own = ownValue(row.type, typed); own && !own->is_discarded()) return *own;
    if (const auto number = row.literal ? literalNumber(typed) : std::nullopt)
        return *number == std::floor(*number) ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
    if (row.type == QLatin1String("number_or_word")) {
        bool isNumber = false;
        const int number = trimmed.toInt(&isNumber);
        return isNumber ? Json(number) : Json(trimmed.toStdString());
    }
    return fieldValue(withoutUnit(typed, row.unit), row.type.toStdString());
}

/// Removes a value, and parent objects that this leaves empty or without a required member: the settings of disturbing
/// programs mean nothing without their number.
void removeValue(Transaction& transaction, const Pointer& at) {
    const Pointer parent = at.parent_pointer();
    const Json* outer = parent.empty() ? nullptr : find(transaction.json(), parent.parent_pointer());
    const bool canGo = outer && outer->is_object();
    if (canGo && isRequired(at)) return removeValue(transaction, parent);
    transaction.remove(at);
    const Json* left = find(transaction.json(), parent);
    if (!canGo || !left || !left->is_object() || !left->empty()) return;
    // If an object replaces a word, as for "isolate", the word returns when the object's members are gone.
    const std::vector<std::string> words = allowedAt(parent.parent_pointer()).choices;
    if (std::find(words.begin(), words.end(), parent.back()) != words.end())
        transaction.set(parent.parent_pointer(), parent.back());
    else removeValue(transaction, parent);
}

void setValue(Transaction& transaction, const Pointer& at, Json value) {
    // A plain word cannot hold the details.
    const Pointer parent = at.parent_pointer(), outer = parent.parent_pointer();
    const Json* word = parent.empty() ? nullptr : find(transaction.json(), outer);
    if (word && *word == Json(parent.back())) transaction.set(outer, Json::object({{parent.back(), Json::object()}}));
    transaction.set(at, std::move(value));
}

void setMember(Transaction& transaction, const Pointer& at, const std::string& member, bool wanted) {
    Json members = Json::array();
    for (const Json& entry : list(find(transaction.json(), at)))
        if (text(&entry) != member) members.push_back(entry);
    if (wanted) members.push_back(member);
    if (members.empty()) removeValue(transaction, at);
    else transaction.set(at, std::move(members));
}

}  // namespace

QString fieldRefusal(const ParameterRow& row, const QString& typed) {
    if (const auto own = ownValue(row.type, typed); own && own->is_discarded() && !typed.trimmed().isEmpty())
        return ownForm(row.type);
    const auto number = literalNumber(withoutUnit(typed, row.unit));
    if (!number)
        if (const QString meant = valueMeant(typed, row.unit); !meant.isEmpty())
            return QObject::tr("%1: did you mean %2?").arg(typed.trimmed(), meant);
    if (row.literal && !number && !typed.trimmed().isEmpty())
        return row.unit.isEmpty() ? QObject::tr("Enter a number, not an expression")
                                  : QObject::tr("Enter a number in %1, not an expression").arg(row.unit);
    if (!number ||
        (row.type != QLatin1String("i64") && row.type != QLatin1String("f64") && row.type != QLatin1String("f32")))
        return {};
    if (row.type == QLatin1String("i64") && *number != std::floor(*number))
        return row.unit.isEmpty() ? QObject::tr("Enter a whole number")
                                  : QObject::tr("Enter a whole number of %1").arg(row.unit);
    if (row.minimum && *number < *row.minimum)
        return QObject::tr("At least %1").arg(shownNumber(*row.minimum, row.unit));
    if (row.maximum && *number > *row.maximum)
        return QObject::tr("At most %1").arg(shownNumber(*row.maximum, row.unit));
    return {};
}

QString commitField(Document& document, const ParameterRow& row, const QString& typed,
                    const std::function<void(Transaction&)>& first) {
    // A project parameter needs a value, so clearing its field changes nothing.
    const bool removable = row.pointer.back() != "value" && !row.required;
    const bool empty = typed.trimmed().isEmpty();
    if ((typed == row.value && !(row.mixed && !empty)) || (empty && !removable)) return {};
    std::vector<Pointer> places = row.others;
    places.insert(places.begin(), row.pointer);
    const QString name =
        row.others.empty()
            ? QObject::tr("Set %1").arg(row.name)
            : QObject::tr("Set %1 of %n block(s)", nullptr, static_cast<int>(places.size())).arg(row.name);
    return document.edit(name, [&](Transaction& transaction) {
        if (first) first(transaction);
        for (const Pointer& place : places) {
            if (!row.member.isEmpty())
                setMember(transaction, place, row.member.toStdString(), typed == QLatin1String("true"));
            else if (empty) removeValue(transaction, place);
            else setValue(transaction, place, valueFor(row, typed));
        }
    });
}

}  // namespace weir::editor
