#pragma once

#include <nlohmann/json.hpp>

#include <QString>
#include <QStringList>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Compiled once, in json.cpp: compiling it in each file would take a seventh of the build time.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template struct nlohmann::ordered_map<std::string, nlohmann::ordered_json>;
extern template class std::vector<nlohmann::ordered_json>;

namespace weir::editor {

/// Ordered JSON: key order is part of a project file, and saving it changes nothing that the user did not change.
using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// Return the member `key` of an object; null if `value` is no object or lacks it.
const Json* member(const Json& value, std::string_view key);

/// Return the value at `pointer`, or null.
const Json* find(const Json& root, const Pointer& pointer);

/// Return the text of a string value; empty for anything else.
std::string text(const Json* value);

/// Return the text of the member `key`; empty for anything else.
QString string(const Json& value, std::string_view key);

/// Return whether the member `key` is exactly true.
bool isTrue(const Json& value, std::string_view key);

/// Return the member `key` if it is a number, else `otherwise`.
double numberIn(const Json& value, std::string_view key, double otherwise = std::numeric_limits<double>::quiet_NaN());

/// Return the entries of a list as texts; empty for anything else.
QStringList strings(const Json* value);

/// Return a member that is a list, or an empty list: files that the schema rejects are still drawn as far as possible.
const Json& list(const Json* value);
const Json& object(const Json* value);

} // namespace weir::editor
