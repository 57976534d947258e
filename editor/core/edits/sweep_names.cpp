#include "sweep_names.h"

#include "expression_text.h"
#include "project_places.h"
#include "rename_keys.h"
#include "sweep_axes.h"

#include <algorithm>
#include <array>

namespace weir::editor {
namespace {

/// Objects of a sweep whose keys are axes, and texts of it that are one.
constexpr std::array kKeys{"/vary", "/quick/vary", "/plot/against", "/plot/overlay/columns"};
constexpr std::array kTexts{"/plot/x", "/plot/by"};

Pointer placeIn(std::size_t sweep, const char *place)
{
    return kSweeps / sweep / Pointer(place);
}

std::size_t countOf(const Transaction &transaction)
{
    return list(find(transaction.json(), kSweeps)).size();
}

void removeEmpty(Transaction &transaction, const Pointer &at)
{
    const Json *value = find(transaction.json(), at);
    if (value && value->is_structured() && value->empty())
        transaction.remove(at);
}

/// The entries of the list at `at` for which `goes` is false; the list goes with the last one.
template <class Goes>
void removeEntries(Transaction &transaction, const Pointer &at, Goes goes)
{
    const Json before = list(find(transaction.json(), at));
    Json after = Json::array();
    for (const Json &entry : before)
        if (!goes(entry))
            after.push_back(entry);
    if (after.empty() && !before.empty())
        transaction.remove(at);
    else if (after != before)
        transaction.set(at, std::move(after));
}

/// The expressions of a sweep: its conditions, and the lines that its figure is held against.
template <class Visit>
void eachText(const Transaction &transaction, std::size_t sweep, Visit visit)
{
    for (const auto &[list_, key] : {std::pair(placeIn(sweep, "/where"), std::string()),
                                     std::pair(placeIn(sweep, "/plot/reference"), std::string("value"))}) {
        const std::size_t count = list(find(transaction.json(), list_)).size();
        for (std::size_t index = 0; index < count; ++index)
            visit(key.empty() ? list_ / index : list_ / index / key);
    }
}

bool uses(const Json *expression, const std::string &name)
{
    return expression && expression->is_string()
           && usesName(QString::fromStdString(expression->get<std::string>()), QString::fromStdString(name));
}

} // namespace

void renameAxis(Transaction &transaction, const std::string &from, const std::string &to)
{
    const auto whole = [&](const std::string &name) { return name == from ? to : name; };
    for (std::size_t sweep = 0; sweep < countOf(transaction); ++sweep) {
        for (const char *place : kKeys)
            renameKeys(transaction, placeIn(sweep, place), whole);
        for (const char *place : kTexts)
            if (const Pointer at = placeIn(sweep, place); text(find(transaction.json(), at)) == from)
                transaction.set(at, to);
        eachText(transaction, sweep, [&](const Pointer &at) {
            if (const Json *expression = find(transaction.json(), at); uses(expression, from))
                transaction.set(at, withNameReplaced(QString::fromStdString(expression->get<std::string>()),
                                                     QString::fromStdString(from), QString::fromStdString(to))
                                        .toStdString());
        });
    }
}

void renameContender(Transaction &transaction, const std::string &from, const std::string &to)
{
    const auto whole = [&](const std::string &name) { return name == from ? to : name; };
    for (std::size_t sweep = 0; sweep < countOf(transaction); ++sweep) {
        for (const char *place : {"/items", "/quick/items"})
            renameKeys(transaction, placeIn(sweep, place), whole);
        for (const char *place : {"/vary/deployment", "/quick/vary/deployment"}) {
            const Pointer values = placeIn(sweep, place);
            const std::size_t count = list(find(transaction.json(), values)).size();
            for (std::size_t index = 0; index < count; ++index)
                if (text(find(transaction.json(), values / index)) == from)
                    transaction.set(values / index, to);
        }
        if (const Pointer at = placeIn(sweep, "/plot/against/deployment"); text(find(transaction.json(), at)) == from)
            transaction.set(at, to);
    }
}

void forgetAxis(Transaction &transaction, std::size_t sweep, const std::string &axis)
{
    for (const char *place : kKeys)
        if (const Pointer keys = placeIn(sweep, place); keys != placeIn(sweep, "/vary")) {
            transaction.remove(keys / axis);
            removeEmpty(transaction, keys);
        }
    removeEmpty(transaction, placeIn(sweep, "/quick"));
    for (const char *place : kTexts)
        if (const Pointer at = placeIn(sweep, place); text(find(transaction.json(), at)) == axis)
            transaction.remove(at);
    removeEntries(transaction, placeIn(sweep, "/where"), [&](const Json &entry) { return uses(&entry, axis); });
    removeEntries(transaction, placeIn(sweep, "/plot/reference"),
                  [&](const Json &entry) { return uses(member(entry, "value"), axis); });
    removeEmpty(transaction, placeIn(sweep, "/plot"));
}

void forgetValues(Transaction &transaction, std::size_t sweep, const std::string &axis)
{
    const Json values = list(find(transaction.json(), placeIn(sweep, "/vary") / axis));
    const auto isGone = [&values](const Json &value) { return std::find(values.begin(), values.end(), value) == values.end(); };
    removeEntries(transaction, placeIn(sweep, "/quick/vary") / axis, isGone);
    removeEmpty(transaction, placeIn(sweep, "/quick/vary"));
    removeEmpty(transaction, placeIn(sweep, "/quick"));
    const Pointer against = placeIn(sweep, "/plot/against");
    if (const Json *value = find(transaction.json(), against / axis); value && isGone(*value)) {
        transaction.remove(against / axis);
        removeEmpty(transaction, against);
        removeEmpty(transaction, placeIn(sweep, "/plot"));
    }
}

} // namespace weir::editor
