#include "core/document/project_schema.h"

#include "project_schema_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

const Json kNothing = Json::object();

/// Return a rule with its reference ("#/$defs/policy") resolved; its own keys override those of the reference.
Json expanded(const Json& rule, const Json& root) {
    if (rule.is_array()) {
        Json rules = Json::array();
        for (const Json& one : rule) rules.push_back(expanded(one, root));
        return rules;
    }
    if (!rule.is_object()) return rule;
    const Json* reference = member(rule, "$ref");
    Json whole = reference ? expanded(root.at(Pointer(text(reference).substr(1))), root) : Json::object();
    for (const auto& [key, value] : rule.items())
        if (key != "$ref") whole[key] = expanded(value, root);
    return whole;
}

Json& projectSchema() {
    static Json schema = [] {
        const Json parsed = Json::parse(kProjectSchemaText);
        return expanded(parsed, parsed);
    }();
    return schema;
}

/// Return the rules of which a value must match one.
std::vector<const Json*> alternatives(const Json& rule) {
    std::vector<const Json*> found{&rule};
    for (const char* among : {"anyOf", "oneOf"})
        for (const Json& one : list(member(rule, among))) found.push_back(&one);
    return found;
}

/// Return the rule for a member or element of a value that matches `rule`; null: there is none.
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

const Json* ruleAt(Pointer place) {
    std::vector<std::string> keys;
    for (; !place.empty(); place.pop_back()) keys.push_back(place.back());
    const Json* rule = &projectSchema();
    for (auto key = keys.rbegin(); rule && key != keys.rend(); ++key) rule = inner(*rule, *key);
    return rule;
}

QString translated(const Json* words) {
    const std::string english = text(words);
    return english.empty() ? QString() : QCoreApplication::translate("schema", english.c_str());
}

bool hasType(const std::vector<const Json*>& rules, std::string_view type) {
    return std::any_of(rules.begin(), rules.end(),
                       [type](const Json* one) { return text(member(*one, "type")) == type; });
}

/// Return whether a value of this unit is typed and shown in percent.
bool isPercent(const std::string& unit) { return unit == "share" || unit == "portion"; }

std::string typeOf(const Json& rule) {
    const auto rules = alternatives(rule);
    if (const std::string unit = text(member(rule, "x-unit")); isPercent(unit)) return unit;
    if (hasType(rules, "array")) {
        const Json* of = member(rule, "items");
        return of && member(*of, "enum") ? "switches" : of && hasType({of}, "integer") ? "cpus" : "words";
    }
    const bool isChoice =
        std::any_of(rules.begin(), rules.end(), [](const Json* one) { return member(*one, "enum") != nullptr; });
    if (isChoice && !hasType(rules, "integer")) return "enum";
    const bool hasExpression = std::any_of(rules.begin(), rules.end(), [](const Json* one) {
        return object(member(*one, "properties")).contains("expr");
    });
    if (isChoice && !hasExpression) return "number_or_word";
    for (const auto& [type, ours] : {std::pair("boolean", "bool"), {"integer", "i64"}, {"number", "f64"}})
        if (hasType(rules, type)) return ours;
    return "string";
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

bool comesBefore(const Json& order, const std::string& one, const std::string& other) {
    for (const auto& item : order.items())
        if (item.key() == one || item.key() == other) return item.key() == one;
    return false;
}

} // namespace

const Json& projectSchemaRoot() { return projectSchema(); }

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

bool isRequired(const Pointer& place) {
    const Json* outer = place.empty() ? nullptr : ruleAt(place.parent_pointer());
    if (!outer) return false;
    const auto rules = alternatives(*outer);
    return std::any_of(rules.begin(), rules.end(), [&place](const Json* one) {
        const Json& names = list(member(*one, "required"));
        return std::find(names.begin(), names.end(), Json(place.back())) != names.end();
    });
}

Shown shownAt(const Pointer& place) {
    const Json* rule = ruleAt(place);
    if (!rule) return {};
    const auto say = [rule](const char* note) { return member(*rule, note); };
    const std::string name = text(say("x-name")), unit = text(say("x-unit"));
    return {.form = text(say("x-form")),
            .name = name.empty() ? place.back() : name,
            .type = typeOf(*rule),
            .title = translated(say("title")),
            .help = translated(say("description")),
            .unit = isPercent(unit) ? QString() : QString::fromStdString(unit),
            .byDefault = say("default") ? *say("default") : Json(),
            .unset = translated(say("x-unset")),
            .with = object(say("x-with"))};
}

std::vector<std::string> switchesAt(const Pointer& place) {
    std::vector<std::string> words;
    if (const Json* rule = ruleAt(place))
        for (const auto& item : object(member(*rule, "x-switches")).items()) words.push_back(item.key());
    return words;
}

Shown shownOf(const Pointer& place, const std::string& word) {
    const Json* rule = ruleAt(place);
    const Json& own = object(rule ? member(object(member(*rule, "x-switches")), word) : nullptr);
    return {.form = text(member(own, "x-form")),
            .name = place.back() + ":" + word,
            .type = "bool",
            .title = translated(member(own, "title")),
            .help = translated(member(own, "description"))};
}

Json proposedAt(const Pointer& place) {
    const Json* rule = ruleAt(place);
    if (!rule) return {};
    if (const Json* examples = member(*rule, "examples")) return *examples;
    if (hasType({rule}, "boolean")) return {false, true};
    const std::vector<std::string> choices = allowedAt(place).choices;
    return choices.empty() ? Json() : Json(choices);
}

std::vector<NamedSetting> namedSettings(const Pointer& place) {
    std::vector<NamedSetting> found;
    if (const Json* rule = ruleAt(place)) collect(*rule, {}, found);
    return found;
}

Json exchangeProjectSchema(const Json& schema) { return std::exchange(projectSchema(), expanded(schema, schema)); }

std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key) {
    const Json& order = schemaProperties(parent);
    if (!order.contains(key)) return object.size();
    std::size_t position = 0;
    std::size_t after = 0;
    for (const auto& item : object.items()) {
        ++position;
        if (comesBefore(order, item.key(), key)) after = position;
    }
    return after;
}

} // namespace weir::editor
