#include "shell/fields/schema_rows.h"

#include "core/deployment/scheduling_text.h"
#include "core/document/project_schema.h"
#include "core/text/value_text.h"
#include "shell/fields/row_builder.h"

#include <QObject>

#include <algorithm>

namespace weir::editor {
namespace {

using Rows = std::vector<ParameterRow>;

bool holds(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Return the word at `place`, even if an object gives its details: {"isolate": {"cpus": [0]}}.
std::string wordAt(const Json& project, const Pointer& place) {
    const Json* value = find(project, place);
    if (!value || !value->is_object()) return text(value);
    for (const std::string& word : allowedAt(place).choices)
        if (value->contains(word)) return word;
    return {};
}

/// Return whether a neighbour's value makes this one necessary.
bool isNeeded(const Json& project, const Pointer& place, const Json& with, const Json& usual) {
    return std::any_of(with.items().begin(), with.items().end(), [&](const auto& item) {
        const Pointer neighbour = place.parent_pointer() / item.key();
        const Json byDefault = shownAt(neighbour).byDefault;
        const Json* stated = find(project, neighbour);
        const Json* value = stated ? stated : member(usual, item.key());
        return std::count(item.value().begin(), item.value().end(), value ? *value : byDefault) > 0;
    });
}

ParameterRow rowFor(const Json& project, const Pointer& place, const Shown& shown, const Json* usual, bool needed) {
    const QString placeholder = usual                       ? shownText(*usual)
                                : needed                    ? QObject::tr("needed")
                                : shown.byDefault.is_null() ? shown.unset
                                                            : shownText(shown.byDefault);
    ParameterRow row =
        documented(fieldRow(project, place, shown.type.c_str(), shown.title, placeholder), shown.help, shown.unit);
    row.name = qt(shown.name);
    if (row.widget == QLatin1String("choice") && row.set) row.value = row.shown = qt(wordAt(project, place));
    return row;
}

void addSwitches(Rows& rows, const Json& project, const Pointer& place, const std::string& form) {
    for (const std::string& word : switchesAt(place))
        if (const Shown shown = shownOf(place, word); shown.form == form)
            rows.push_back(documented(memberRow(project, place, word.c_str(), shown.title), shown.help));
}

/// `bare`: the object does not exist yet, so only its required members are shown, which create it.
void addRows(Rows& rows, const Json& project, const Pointer& owner, const std::string& form, const Json& usual,
             bool bare) {
    const std::vector<std::string> words = allowedAt(owner).choices;
    for (const auto& item : schemaProperties(owner).items()) {
        const Pointer place = owner / item.key();
        if ((bare && !isRequired(place)) || (holds(words, item.key()) && wordAt(project, owner) != item.key()))
            continue;
        const Shown shown = shownAt(place);
        const Json* own = member(usual, item.key());
        const bool needed = isNeeded(project, place, shown.with, usual);
        const bool means = shown.with.empty() || needed || !shown.byDefault.is_null() || find(project, place);
        if (shown.form == form && means) rows.push_back(rowFor(project, place, shown, own, needed));
        if (shown.type == "switches") addSwitches(rows, project, place, form);
        const Json& inner = schemaProperties(place);
        if (inner.empty()) continue;
        const bool asks = std::any_of(inner.items().begin(), inner.items().end(),
                                      [&](const auto& one) { return isRequired(place / one.key()); });
        addRows(rows, project, place, form, object(own), asks && !find(project, place));
    }
}

} // namespace

ParameterRow schemaRow(const Json& project, const Pointer& place, const Json* usual) {
    return rowFor(project, place, shownAt(place), usual, false);
}

Rows formRows(const Json& project, const Pointer& place, const std::string& form, const Json& usual) {
    Rows rows;
    addRows(rows, project, place, form, usual, false);
    return rows;
}

std::vector<ParameterRow> threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name,
                                       const char* whose) {
    const Pointer place = deployment / "threads" / name;
    const bool hasPolicy = find(project, place / "policy");
    Json usual = Json::object();
    for (const auto& item : schemaProperties(place).items())
        if (const Json* value = find(project, deployment / item.key()))
            if (!hasPolicy || shownAt(place / item.key()).with.empty()) usual[item.key()] = *value;
    std::vector<ParameterRow> rows = formRows(project, place, "threads", usual);
    for (ParameterRow& row : rows) row.name = QLatin1String(whose) + u':' + row.name;
    return rows;
}

QString threadText(const Json& project, const Pointer& deployment, const std::string& name) {
    return schedulingText(object(find(project, deployment / "threads" / name)));
}

} // namespace weir::editor
