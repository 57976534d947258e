#include "project_schema.h"

#include "project_schema_text.h"

#include <algorithm>

namespace weir::editor {
namespace {

const Json kNothing = Json::object();

const Json& projectSchema() {
    static const Json schema = Json::parse(kProjectSchemaText);
    return schema;
}

/// What a rule says, or what it refers to ("#/$defs/policy") says.
const Json& resolved(const Json& rule) {
    const Json* reference = member(rule, "$ref");
    return reference ? projectSchema().at(Pointer(text(reference).substr(1))) : rule;
}

/// The rules of which a value follows one.
std::vector<const Json*> alternatives(const Json& rule) {
    std::vector<const Json*> found{&resolved(rule)};
    for (const char* among : {"anyOf", "oneOf"})
        for (const Json& one : list(member(*found.front(), among))) found.push_back(&resolved(one));
    return found;
}

/// The rule for a member, or an element, of what follows `rule`; null: it has none.
const Json* inner(const Json& rule, const std::string& key) {
    for (const Json* one : alternatives(rule)) {
        if (const Json* properties = member(*one, "properties"))
            if (const Json* found = member(*properties, key)) return found;
        for (const char* elements : {"items", "additionalProperties"})
            if (const Json* found = member(*one, elements); found && found->is_object()) return found;
    }
    return nullptr;
}

const Json& propertiesOf(const Json& rule) {
    for (const Json* one : alternatives(rule))
        if (const Json* properties = member(*one, "properties")) return *properties;
    return kNothing;
}

const Json* ruleAt(const Pointer& place) {
    if (place.empty()) return &projectSchema();
    const Json* outer = ruleAt(place.parent_pointer());
    return outer ? inner(*outer, place.back()) : nullptr;
}

bool isText(const Json* rule) {
    const Json& choices = list(member(*rule, "enum"));
    return text(member(*rule, "type")) == "string" || (!choices.empty() && choices.front().is_string());
}

void collect(const Json& rule, const std::string& at, std::vector<NamedSetting>& found) {
    for (const auto& [key, own] : propertiesOf(rule).items()) {
        const std::string place = at + "/" + key;
        if (const Json* name = member(own, "x-axis")) {
            const auto rules = alternatives(own);
            found.push_back({text(name), place, std::any_of(rules.begin(), rules.end(), isText)});
        }
        collect(own, place, found);
    }
}

} // namespace

const Json& schemaProperties(const Pointer& place) {
    const Json* rule = ruleAt(place);
    return rule ? propertiesOf(*rule) : kNothing;
}

Allowed allowedAt(const Pointer& place) {
    Allowed allowed;
    const Json* rule = ruleAt(place);
    if (!rule) return allowed;
    const auto rules = alternatives(*rule);
    for (const Json* one : rules)
        for (const Json& choice : list(member(*one, "enum")))
            if (choice.is_string()) allowed.choices.push_back(text(&choice));
    const Json *least = member(*rules.front(), "minimum"), *most = member(*rules.front(), "maximum");
    if (least && most) allowed.range = {least->get<double>(), most->get<double>()};
    return allowed;
}

std::vector<NamedSetting> namedSettings(const Pointer& place) {
    std::vector<NamedSetting> found;
    if (const Json* rule = ruleAt(place)) collect(*rule, {}, found);
    return found;
}

} // namespace weir::editor
