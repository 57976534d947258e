#include "core/edits/sweep_names.h"

#include "core/document/project_places.h"
#include "core/document/sweep_axes.h"
#include "core/edits/project_edits.h"
#include "core/text/expression_text.h"

#include <algorithm>
#include <iterator>

namespace weir::editor {
namespace {

Pointer placeIn(std::size_t sweep, const char* place) { return kSweeps / sweep / Pointer(place); }

/// Return the other axis key of a project parameter: its pointer.
std::string placeOf(const std::string& parameter) { return (Pointer("/parameters") / parameter / "value").to_string(); }

std::size_t countOf(const Transaction& transaction) { return list(find(transaction.json(), kSweeps)).size(); }

void removeEmpty(Transaction& transaction, const Pointer& at) {
    const Json* value = find(transaction.json(), at);
    if (value && value->is_structured() && value->empty()) transaction.remove(at);
}

/// Removes the entries of the list at `at` for which `goes` is true, and the list when it is empty.
template <class Goes> void removeEntries(Transaction& transaction, const Pointer& at, Goes goes) {
    const Json before = list(find(transaction.json(), at));
    Json after = Json::array();
    for (const Json& entry : before)
        if (!goes(entry)) after.push_back(entry);
    if (after.empty() && !before.empty()) transaction.remove(at);
    else if (after != before) transaction.set(at, std::move(after));
}

/// Calls `visit` for the expressions of a sweep: its conditions, and the reference lines of its plot.
template <class Visit> void eachText(const Transaction& transaction, std::size_t sweep, Visit visit) {
    for (const auto& [list_, key] : {std::pair(placeIn(sweep, "/where"), std::string()),
                                     std::pair(placeIn(sweep, "/plot/reference"), std::string("value"))}) {
        const std::size_t count = list(find(transaction.json(), list_)).size();
        for (std::size_t index = 0; index < count; ++index) visit(key.empty() ? list_ / index : list_ / index / key);
    }
}

bool uses(const Json* expression, const std::string& name) {
    return expression && expression->is_string() &&
           usesName(QString::fromStdString(expression->get<std::string>()), QString::fromStdString(name));
}

/// Removes the uses of an axis that the sweep no longer has.
void forgetAxis(Transaction& transaction, std::size_t sweep, const std::string& axis) {
    for (const char* place : kAxisKeys)
        if (const Pointer keys = placeIn(sweep, place); keys != placeIn(sweep, "/vary")) {
            transaction.remove(keys / axis);
            removeEmpty(transaction, keys);
        }
    removeEmpty(transaction, placeIn(sweep, "/quick"));
    for (const char* place : kAxisTexts)
        if (const Pointer at = placeIn(sweep, place); text(find(transaction.json(), at)) == axis)
            transaction.remove(at);
    removeEntries(transaction, placeIn(sweep, "/where"), [&](const Json& entry) { return uses(&entry, axis); });
    removeEntries(transaction, placeIn(sweep, "/plot/reference"),
                  [&](const Json& entry) { return uses(member(entry, "value"), axis); });
    removeEmpty(transaction, placeIn(sweep, "/plot"));
}

void forgetLoads(Transaction& transaction, std::size_t sweep, const char* key, const std::string& name) {
    if (text(find(transaction.json(), placeIn(sweep, "/loads") / key)) == name)
        transaction.remove(placeIn(sweep, "/loads"));
}

} // namespace

void renameAxis(Transaction& transaction, const std::string& from, const std::string& to) {
    const auto whole = [&](const std::string& name) {
        return name == from ? to : name == placeOf(from) ? placeOf(to) : name;
    };
    for (std::size_t sweep = 0; sweep < countOf(transaction); ++sweep) {
        for (const char* place : kAxisKeys) renameKeys(transaction, placeIn(sweep, place), whole);
        for (const char* place : kAxisTexts)
            if (const Pointer at = placeIn(sweep, place); find(transaction.json(), at)) {
                const std::string before = text(find(transaction.json(), at));
                if (const std::string now = whole(before); now != before) transaction.set(at, now);
            }
        if (const Pointer at = placeIn(sweep, "/loads/parameter"); text(find(transaction.json(), at)) == from)
            transaction.set(at, to);
        eachText(transaction, sweep, [&](const Pointer& at) {
            if (const Json* expression = find(transaction.json(), at); uses(expression, from))
                transaction.set(at, withNameReplaced(QString::fromStdString(expression->get<std::string>()),
                                                     QString::fromStdString(from), QString::fromStdString(to))
                                        .toStdString());
        });
    }
}

void renameContender(Transaction& transaction, const std::string& from, const std::string& to) {
    const auto whole = [&](const std::string& name) { return name == from ? to : name; };
    for (std::size_t sweep = 0; sweep < countOf(transaction); ++sweep) {
        for (const char* place : {"/items", "/quick/items"}) renameKeys(transaction, placeIn(sweep, place), whole);
        for (const char* place : {"/vary/deployment", "/quick/vary/deployment"}) {
            const Pointer values = placeIn(sweep, place);
            const std::size_t count = list(find(transaction.json(), values)).size();
            for (std::size_t index = 0; index < count; ++index)
                if (text(find(transaction.json(), values / index)) == from) transaction.set(values / index, to);
        }
        for (const char* place : {"/plot/against/deployment", "/loads/of"})
            if (const Pointer at = placeIn(sweep, place); text(find(transaction.json(), at)) == from)
                transaction.set(at, to);
    }
}

bool isOfLoads(const Json& project, std::size_t sweep, const std::string& parameter) {
    const Json* own = find(project, placeIn(sweep, "/loads/parameter"));
    return own && text(own) == parameter;
}

void removeAxis(Transaction& transaction, std::size_t sweep, const std::string& axis) {
    if (isOfLoads(transaction.json(), sweep, axis)) {
        transaction.remove(placeIn(sweep, "/loads"));
        return forgetAxis(transaction, sweep, axis);
    }
    const Pointer vary = placeIn(sweep, "/vary");
    transaction.remove(vary / axis);
    if (!object(find(transaction.json(), vary)).empty()) return forgetAxis(transaction, sweep, axis);
    transaction.remove(kSweeps / sweep);
    removeEmpty(transaction, kSweeps);
}

void forgetValues(Transaction& transaction, std::size_t sweep, const std::string& axis) {
    const Json values = list(find(transaction.json(), placeIn(sweep, "/vary") / axis));
    const auto isGone = [&values](const Json& value) {
        return std::find(values.begin(), values.end(), value) == values.end();
    };
    removeEntries(transaction, placeIn(sweep, "/quick/vary") / axis, isGone);
    removeEmpty(transaction, placeIn(sweep, "/quick/vary"));
    removeEmpty(transaction, placeIn(sweep, "/quick"));
    const Pointer against = placeIn(sweep, "/plot/against");
    if (const Json* value = find(transaction.json(), against / axis); value && isGone(*value)) {
        transaction.remove(against / axis);
        removeEmpty(transaction, against);
        removeEmpty(transaction, placeIn(sweep, "/plot"));
    }
}

void forgetParameter(Transaction& transaction, const std::string& name) {
    for (std::size_t sweep = countOf(transaction); sweep-- > 0;) {
        forgetLoads(transaction, sweep, "parameter", name);
        const std::size_t count = countOf(transaction);
        for (const std::string& axis : {name, placeOf(name)})
            if (countOf(transaction) == count && find(transaction.json(), placeIn(sweep, "/vary") / axis))
                removeAxis(transaction, sweep, axis); // removes the sweep with its last axis
    }
}

void forgetContender(Transaction& transaction, const std::string& name) {
    for (std::size_t sweep = countOf(transaction); sweep-- > 0;) {
        forgetLoads(transaction, sweep, "of", name);
        for (const char* place : {"/quick/items", "/items"}) {
            transaction.remove(placeIn(sweep, place) / name);
            removeEmpty(transaction, placeIn(sweep, place));
        }
        removeEmpty(transaction, placeIn(sweep, "/quick"));
        const Pointer values = placeIn(sweep, "/vary/deployment");
        const Json before = list(find(transaction.json(), values));
        Json after = Json::array();
        std::copy_if(before.begin(), before.end(), std::back_inserter(after),
                     [&](const Json& value) { return text(&value) != name; });
        if (after == before) continue;
        if (after.empty()) {
            removeAxis(transaction, sweep, "deployment");
        } else {
            transaction.set(values, std::move(after));
            forgetValues(transaction, sweep, "deployment");
        }
    }
}

} // namespace weir::editor
