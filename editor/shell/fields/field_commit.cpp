#include "field_commit.h"

#include "value_text.h"

#include <QRegularExpression>

#include <cmath>

namespace weir::editor {
namespace {

Json words(const QString &typed)
{
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    Json result = Json::array();
    for (const QString &word : typed.split(blanks, Qt::SkipEmptyParts))
        result.push_back(word.toStdString());
    return result;
}

Json valueFor(const ParameterRow &row, const QString &typed)
{
    const QString trimmed = typed.trimmed();
    if (row.widget == QLatin1String("switch") && (trimmed == QLatin1String("true") || trimmed == QLatin1String("false")))
        return trimmed == QLatin1String("true");
    if (trimmed == QLatin1String("auto"))
        return "auto";
    if (row.type == QLatin1String("words"))
        return words(typed);
    if (row.type == QLatin1String("numa")) {
        bool isNode = false;
        const int node = trimmed.toInt(&isNode);
        return isNode ? Json(node) : Json(trimmed.toStdString());
    }
    return fieldValue(withoutUnit(typed, row.unit), row.type.toStdString());
}

/// Takes a value away, and the objects that it leaves empty: `parameters`, `memory`, `build`, `trace`, one of `buffers`.
void removeValue(Transaction &transaction, const Pointer &at)
{
    transaction.remove(at);
    const Pointer parent = at.parent_pointer();
    const Json *container = find(transaction.json(), parent);
    if (!container || !container->is_object() || !container->empty() || parent.empty())
        return;
    const std::string name = parent.back();
    const Pointer outer = parent.parent_pointer();
    const bool ofBuffers = name == "buffers" || (!outer.empty() && outer.back() == "buffers");
    if (ofBuffers)
        removeValue(transaction, parent);
    else if (outer.empty() ? name == "run" : name == "parameters" || name == "memory" || name == "build" || name == "trace")
        transaction.remove(parent);
}

void setMember(Transaction &transaction, const Pointer &at, const std::string &member, bool wanted)
{
    Json members = Json::array();
    for (const Json &entry : list(find(transaction.json(), at)))
        if (text(&entry) != member)
            members.push_back(entry);
    if (wanted)
        members.push_back(member);
    if (members.empty())
        removeValue(transaction, at);
    else
        transaction.set(at, std::move(members));
}

} // namespace

QString fieldRefusal(const ParameterRow &row, const QString &typed)
{
    const auto number = literalNumber(withoutUnit(typed, row.unit));
    if (!number || (row.type != QLatin1String("i64") && row.type != QLatin1String("f64") && row.type != QLatin1String("f32")))
        return {};
    if (row.type == QLatin1String("i64") && *number != std::floor(*number))
        return QObject::tr("A whole number is needed here");
    if (row.minimum && *number < *row.minimum)
        return QObject::tr("At least %1").arg(shownNumber(*row.minimum, row.unit));
    if (row.maximum && *number > *row.maximum)
        return QObject::tr("At most %1").arg(shownNumber(*row.maximum, row.unit));
    return {};
}

QString commitField(Document &document, const ParameterRow &row, const QString &typed,
                    const std::function<void(Transaction &)> &first)
{
    // A project parameter is nothing without its value, so an empty field there changes nothing.
    const bool removable = row.pointer.back() != "value" && !row.required;
    const bool empty = typed.trimmed().isEmpty();
    if ((typed == row.value && !(row.mixed && !empty)) || (empty && !removable))
        return {};
    std::vector<Pointer> places = row.others;
    places.insert(places.begin(), row.pointer);
    const QString name = row.others.empty() ? QObject::tr("Set %1").arg(row.name)
                                            : QObject::tr("Set %1 of %n block(s)", nullptr, static_cast<int>(places.size())).arg(row.name);
    return document.edit(name, [&](Transaction &transaction) {
        if (first)
            first(transaction);
        for (const Pointer &place : places) {
            if (!row.member.isEmpty())
                setMember(transaction, place, row.member.toStdString(), typed == QLatin1String("true"));
            else if (empty)
                removeValue(transaction, place);
            else
                transaction.set(place, valueFor(row, typed));
        }
    });
}

} // namespace weir::editor
