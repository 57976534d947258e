#include "sweep_axes.h"

#include "patch.h"
#include "project_places.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weir::editor {
namespace {

/// A setting of the deployment that a sweep knows by its name, and its place there.
struct Setting {
    const char* name;
    const char* place;
};
constexpr std::array kOfDeployment{Setting{"scheduler", "/scheduler"},
                                   Setting{"blocks", "/blocks"},
                                   Setting{"workers", "/workers"},
                                   Setting{"chunk_items", "/chunk_items"},
                                   Setting{"wait", "/wait"},
                                   Setting{"policy", "/policy"},
                                   Setting{"priority", "/priority"},
                                   Setting{"timer_slack_ns", "/timer_slack_ns"},
                                   Setting{"alignment", "/alignment"},
                                   Setting{"environment", "/environment"},
                                   Setting{"target", "/target"},
                                   Setting{"volk", "/volk/implementation"},
                                   Setting{"loops", "/disturb/loops"},
                                   Setting{"cpu_limit", "/disturb/cpu_limit"},
                                   Setting{"slice_us", "/disturb/slice_us"}};
constexpr std::array kOfRun{"items", "seed", "warmup_items", "metrics"};
constexpr std::array kNamed{"deployment", "trace",       "scheduler", "blocks", "wait",
                            "policy",     "environment", "volk",      "target", "metrics"};

template <class Names> bool holds(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> wordsOf(Pointer place) {
    std::vector<std::string> words;
    for (; !place.empty(); place.pop_back()) words.insert(words.begin(), place.back());
    return words;
}

std::optional<std::size_t> numberOf(const std::string& word) {
    if (word.empty() || word.size() > 6 || word.find_first_not_of("0123456789") != std::string::npos) return {};
    return std::stoul(word);
}

bool isPlace(const std::string& key) { return !key.empty() && key.front() == '/'; }

/// The one that `is` so; null: none is.
template <class Is> const Setting* settingWhere(Is is) {
    const auto found = std::find_if(kOfDeployment.begin(), kOfDeployment.end(), is);
    return found == kOfDeployment.end() ? nullptr : &*found;
}

/// A setting by its name, unless a parameter of the project has it.
std::string nameOr(const Json& project, const std::string& name, const Pointer& place) {
    return find(project, Pointer("/parameters") / name) ? place.to_string() : name;
}

/// The number in an axis' key that is a place in the list at `array`, and what follows it.
std::optional<std::pair<std::size_t, std::string>> placeIn(const std::string& key, const Pointer& array) {
    const std::string head = array.to_string() + "/";
    if (key.rfind(head, 0) != 0) return {};
    const std::size_t end = key.find('/', head.size());
    const auto number = numberOf(key.substr(head.size(), end == std::string::npos ? end : end - head.size()));
    return number ? std::optional(std::pair(*number, end == std::string::npos ? std::string() : key.substr(end)))
                  : std::nullopt;
}

template <class Change> void renumberAxes(Transaction& transaction, const Pointer& array, Change change) {
    for (std::size_t sweep = list(find(transaction.json(), kSweeps)).size(); sweep-- > 0;) {
        const auto changed = [&](const std::string& key) -> std::optional<std::string> {
            const auto at = placeIn(key, array);
            const std::optional<std::size_t> number = at ? change(at->first) : std::nullopt;
            return !at      ? std::optional(key)
                   : number ? std::optional((array / *number).to_string() + at->second)
                            : std::nullopt;
        };
        const bool varies = !object(find(transaction.json(), kSweeps / sweep / "vary")).empty();
        for (const char* place : kAxisKeys) {
            const Pointer keys = kSweeps / sweep / Pointer(place);
            const Json before = object(find(transaction.json(), keys));
            Json after = Json::object();
            for (const auto& [key, value] : before.items())
                if (const auto now = changed(key)) after[*now] = value;
            if (after.empty() && !before.empty()) transaction.remove(keys);
            else if (after != before) transaction.set(keys, std::move(after));
        }
        for (const char* place : kAxisTexts) {
            const Pointer at = kSweeps / sweep / Pointer(place);
            const std::string before = text(find(transaction.json(), at));
            if (const auto now = changed(before); !now) transaction.remove(at);
            else if (*now != before) transaction.set(at, *now);
        }
        for (const char* part : {"quick", "plot"})
            if (const Json* left = find(transaction.json(), kSweeps / sweep / part);
                left && left->is_object() && left->empty())
                transaction.remove(kSweeps / sweep / part);
        if (varies && !find(transaction.json(), kSweeps / sweep / "vary")) transaction.remove(kSweeps / sweep);
    }
    if (const Json* left = find(transaction.json(), kSweeps); left && left->is_array() && left->empty())
        transaction.remove(kSweeps);
}

} // namespace

std::string axisKeyOf(const Json& project, const Pointer& place) {
    const std::vector<std::string> words = wordsOf(place);
    if (words.size() == 3 && words[0] == "parameters" && words[2] == "value") return words[1];
    if (words.size() == 3 && words[0] == "deployments" && words[2] == "name") return "deployment";
    if (words.size() >= 3 && words[0] == "deployments") {
        const std::string below = place.to_string().substr((kDeployments / words[1]).to_string().size());
        const Setting* setting = settingWhere([&below](const Setting& one) { return below == one.place; });
        return setting ? nameOr(project, setting->name, place) : place.to_string();
    }
    if (place == Pointer("/run/trace/backend")) return nameOr(project, "trace", place);
    if (words.size() >= 2 && words[0] == "run" && words[1] != "repetitions")
        return words.size() == 2 && holds(kOfRun, words[1]) ? nameOr(project, words[1], place) : place.to_string();
    const bool isOfBlock = words.size() == 5 && words[0] == "graph" && words[1] == "blocks" && words[3] == "parameters";
    return isOfBlock ? place.to_string() : std::string();
}

std::optional<Pointer> placeOfAxis(const Json& project, const std::string& key, std::size_t deployment) {
    if (isPlace(key)) return Pointer(key);
    if (find(project, Pointer("/parameters") / key)) return Pointer("/parameters") / key / "value";
    if (key == "deployment") return kDeployments / deployment / "name";
    if (key == "trace") return Pointer("/run/trace/backend");
    if (key == "buffer_bytes") return kDeployments / deployment / "buffers";
    if (holds(kOfRun, key)) return Pointer("/run") / key;
    const Setting* setting = settingWhere([&key](const Setting& one) { return key == one.name; });
    return setting ? std::optional(kDeployments / deployment / Pointer(setting->place)) : std::nullopt;
}

QString axisTitle(const Json& project, const std::string& key) {
    if (!isPlace(key)) return QString::fromStdString(key);
    const std::vector<std::string> words = wordsOf(Pointer(key));
    for (const auto& [array, named] : {std::pair(kGraph.blocks, "id"), std::pair(kDeployments, "name")})
        if (const auto at = placeIn(key, array))
            if (const std::string name = text(find(project, array / at->first / named)); !name.empty())
                return QString::fromStdString(name + " · " + words.back());
    return QString::fromStdString(key.substr(1));
}

bool hasNames(const Json& project, const std::string& key) {
    return holds(kNamed, key) && !find(project, Pointer("/parameters") / key);
}

void followRemoval(Transaction& transaction, const Pointer& array, std::size_t index) {
    renumberAxes(transaction, array, [index](std::size_t number) {
        return number == index ? std::nullopt : std::optional(number > index ? number - 1 : number);
    });
}

void followInsertion(Transaction& transaction, const Pointer& array, std::size_t index) {
    renumberAxes(transaction, array,
                 [index](std::size_t number) { return std::optional(number >= index ? number + 1 : number); });
}

} // namespace weir::editor
