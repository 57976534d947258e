#include "core/json/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template struct nlohmann::ordered_map<std::string, nlohmann::ordered_json>;
template class std::vector<nlohmann::ordered_json>;

namespace weir::editor {

const Json* member(const Json& value, std::string_view key) {
    if (!value.is_object()) return nullptr;
    const auto it = value.find(key);
    return it == value.end() ? nullptr : &*it;
}

const Json* find(const Json& root, const Pointer& pointer) {
    return root.contains(pointer) ? &root.at(pointer) : nullptr;
}

std::string text(const Json* value) { return value && value->is_string() ? value->get<std::string>() : std::string(); }

QString string(const Json& value, std::string_view key) { return QString::fromStdString(text(member(value, key))); }

bool isTrue(const Json& value, std::string_view key) {
    const Json* found = member(value, key);
    return found && *found == true;
}

double numberIn(const Json& value, std::string_view key, double otherwise) {
    const Json* found = member(value, key);
    return found && found->is_number() ? found->get<double>() : otherwise;
}

QStringList strings(const Json* value) {
    QStringList found;
    for (const Json& entry : list(value)) found.append(QString::fromStdString(text(&entry)));
    return found;
}

const Json& list(const Json* value) {
    static const Json empty = Json::array();
    return value && value->is_array() ? *value : empty;
}

const Json& object(const Json* value) {
    static const Json empty = Json::object();
    return value && value->is_object() ? *value : empty;
}

} // namespace weir::editor
