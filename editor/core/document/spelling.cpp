#include "core/document/spelling.h"

#include "core/document/project_schema.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::editor {
namespace {

/// Keys from the project to a value; empty for every element of a list, and every key without its own rule.
using Steps = std::vector<std::optional<std::string>>;

/// A key of the object at `steps`, the word there, or JSON pointers in the text or the keys there.
struct Renaming {
    enum class Of { Key, Word, Places };
    Of of;
    Steps steps;
    std::string now = {};
    std::string was = {};
};

using Renamings = std::vector<Renaming>;

void collectRenamings(const Json& rule, Steps& steps, Renamings& found) {
    if (!rule.is_object()) return;
    const auto collectBelow = [&](const Json& inner, std::optional<std::string> step) {
        steps.push_back(std::move(step));
        collectRenamings(inner, steps, found);
        steps.pop_back();
    };
    for (const auto& [now, was] : object(member(rule, "x-was")).items())
        found.push_back({Renaming::Of::Word, steps, now, text(&was)});
    if (isTrue(rule, "x-places")) found.push_back({Renaming::Of::Places, steps});
    for (const auto& [key, own] : object(member(rule, "properties")).items()) {
        if (const std::string was = text(member(own, "x-was")); !was.empty())
            found.push_back({Renaming::Of::Key, steps, key, was});
        collectBelow(own, key);
    }
    for (const char* elements : {"items", "additionalProperties"})
        if (const Json* inner = member(rule, elements)) collectBelow(*inner, std::nullopt);
    for (const char* among : {"anyOf", "oneOf"})
        for (const Json& one : list(member(rule, among))) collectRenamings(one, steps, found);
}

/// Spells the values of a project, level by level: each level has the renamings at it and below it.
class Speller {
  public:
    explicit Speller(const Json& schema) {
        Steps steps;
        collectRenamings(schema, steps, m_all);
    }

    void spell(Json& project) const { spell(project, m_all, 0); }

  private:
    static Renamings below(const Renamings& renamings, std::size_t depth, const std::optional<std::string>& key) {
        Renamings found;
        for (const Renaming& one : renamings)
            if (one.steps.size() > depth && (!one.steps[depth] || one.steps[depth] == key)) found.push_back(one);
        return found;
    }

    void spell(Json& value, const Renamings& renamings, std::size_t depth) const {
        if (renamings.empty()) return;
        if (value.is_string()) {
            value = spelled(value.get<std::string>(), renamings, depth, Renaming::Of::Word);
        } else if (value.is_array()) {
            const Renamings inner = below(renamings, depth, std::nullopt);
            for (Json& child : value) spell(child, inner, depth + 1);
        } else if (value.is_object()) {
            Json result = Json::object();
            for (const auto& item : value.items()) {
                std::string key = spelled(item.key(), renamings, depth, Renaming::Of::Key);
                if (key != item.key() && value.contains(key)) key = item.key();
                spell(item.value(), below(renamings, depth, key), depth + 1);
                result[key] = std::move(item.value());
            }
            value = std::move(result);
        }
    }

    /// Return a key or a word in the present spelling.
    std::string spelled(const std::string& name, const Renamings& renamings, std::size_t depth,
                        Renaming::Of kind) const {
        for (const Renaming& one : renamings) {
            if (one.steps.size() != depth) continue;
            if (one.of == kind && one.was == name) return one.now;
            if (one.of == Renaming::Of::Places) return spelledPlace(name);
        }
        return name;
    }

    /// Return a JSON pointer in the present spelling; any other text as it is.
    std::string spelledPlace(const std::string& place) const {
        if (place.empty() || place.front() != '/') return place;
        Renamings renamings = m_all;
        std::string found;
        std::size_t depth = 0;
        for (std::size_t from = 1, to = 0; to != std::string::npos; from = to + 1, ++depth) {
            to = place.find('/', from);
            const std::string key = place.substr(from, to == std::string::npos ? to : to - from);
            const std::string now = spelled(key, renamings, depth, Renaming::Of::Key);
            renamings = below(renamings, depth, now);
            found += '/' + now;
        }
        return found;
    }

    Renamings m_all;
};

} // namespace

void usePresentSpelling(Json& project) { Speller(projectSchemaRoot()).spell(project); }

} // namespace weir::editor
