#pragma once

#include <nlohmann/json.hpp>

#include <QString>
#include <QStringList>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Compiled once, in json.cpp: in each file that uses it, it would be a seventh of the time.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template struct nlohmann::ordered_map<std::string, nlohmann::ordered_json>;
extern template class std::vector<nlohmann::ordered_json>;

namespace weir::editor {

/// Key order is part of a project file, so that saving it changes nothing that the user did not change.
using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// The member `key` of an object, or null when `value` is not an object or lacks it.
const Json* member(const Json& value, std::string_view key);

/// The value at `pointer`, or null.
const Json* find(const Json& root, const Pointer& pointer);

/// Text of a string value, empty for anything else.
std::string text(const Json* value);

/// Text of the member `key`, empty for anything else.
QString string(const Json& value, std::string_view key);

/// Return whether the member `key` is exactly true.
bool isTrue(const Json& value, std::string_view key);

/// The member `key` where that is a number.
double numberIn(const Json& value, std::string_view key, double otherwise = std::numeric_limits<double>::quiet_NaN());

/// The entries of a list as texts; none of anything else.
QStringList strings(const Json* value);

/// A member that is a list, or an empty list: files that the schema rejects are still drawn as far as possible.
const Json& list(const Json* value);
const Json& object(const Json* value);

} // namespace weir::editor
