#include "core/document/sweep_axes.h"

#include "core/document/patch.h"
#include "core/document/project_places.h"

#include <algorithm>
#include <set>

namespace weir::editor {
namespace {

constexpr const char* kBufferBytes = "buffer_bytes"; ///< of all buffers of a deployment
const Pointer kCases{"/cases"};

std::vector<NamedSetting> ofDeployments() { return namedSettings(kDeployments / 0); }

std::vector<NamedSetting> ofRun() { return namedSettings(kRun); }

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

/// Return the setting whose `member` has this value.
std::optional<NamedSetting> settingWith(const std::vector<NamedSetting>& settings, std::string NamedSetting::* member,
                                        const std::string& value) {
    const auto found =
        std::find_if(settings.begin(), settings.end(), [&](const NamedSetting& one) { return one.*member == value; });
    return found == settings.end() ? std::nullopt : std::optional(*found);
}

/// Return the name of a setting, unless a parameter of the project has the same name.
std::string nameOr(const Json& project, const std::string& name, const Pointer& place) {
    return find(project, Pointer("/parameters") / name) ? place.to_string() : name;
}

/// Return the index into the list at `array` in an axis' key, and the rest of the key.
std::optional<std::pair<std::size_t, std::string>> placeIn(const std::string& key, const Pointer& array) {
    const std::string head = array.to_string() + "/";
    if (key.rfind(head, 0) != 0) return {};
    const std::size_t end = key.find('/', head.size());
    const auto number = numberOf(key.substr(head.size(), end == std::string::npos ? end : end - head.size()));
    return number ? std::optional(std::pair(*number, end == std::string::npos ? std::string() : key.substr(end)))
                  : std::nullopt;
}

template <class Change> void renumberAxes(Transaction& transaction, const Pointer& array, Change change) {
    std::set<std::string> gone; // axes without any case left
    const auto changed = [&](const std::string& key) -> std::optional<std::string> {
        if (gone.count(key)) return {};
        const auto at = placeIn(key, array);
        const std::optional<std::size_t> number = at ? change(at->first) : std::nullopt;
        return !at      ? std::optional(key)
               : number ? std::optional((array / *number).to_string() + at->second)
                        : std::nullopt;
    };
    const auto renumber = [&](const Pointer& keys) {
        const Json before = object(find(transaction.json(), keys));
        Json after = Json::object();
        for (const auto& [key, value] : before.items())
            if (const auto now = changed(key)) after[*now] = value;
        if (after.empty() && !before.empty()) transaction.remove(keys);
        else if (after != before) transaction.set(keys, std::move(after));
    };
    const Json cases = object(find(transaction.json(), kCases));
    for (const auto& [axis, values] : cases.items()) {
        for (const auto& value : values.items()) renumber(kCases / axis / value.key());
        if (!object(find(transaction.json(), kCases / axis)).empty()) continue;
        transaction.remove(kCases / axis);
        gone.insert(axis);
    }
    if (!cases.empty() && gone.size() == cases.size()) transaction.remove(kCases);
    for (std::size_t sweep = list(find(transaction.json(), kSweeps)).size(); sweep-- > 0;) {
        const bool varies = !object(find(transaction.json(), kSweeps / sweep / "vary")).empty();
        for (const char* place : kAxisKeys) renumber(kSweeps / sweep / Pointer(place));
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
    const bool isOfDeployment = words.size() >= 3 && words[0] == "deployments";
    if (isOfDeployment || (words.size() >= 2 && words[0] == "run" && words[1] != "repetitions")) {
        const Pointer owner = isOfDeployment ? kDeployments / words[1] : kRun;
        const auto setting = settingWith(isOfDeployment ? ofDeployments() : ofRun(), &NamedSetting::place,
                                         place.to_string().substr(owner.to_string().size()));
        return setting ? nameOr(project, setting->name, place) : place.to_string();
    }
    const bool isOfBlock = words.size() == 5 && words[0] == "graph" && words[1] == "blocks" && words[3] == "parameters";
    return isOfBlock ? place.to_string() : std::string();
}

const Json& casesOf(const Json& project, const std::string& key) {
    return object(find(project, Pointer("/parameters") / key) ? nullptr : find(project, kCases / key));
}

std::vector<Pointer> placesOfAxis(const Json& project, const std::string& key, std::size_t deployment) {
    if (isPlace(key)) return {Pointer(key)};
    if (find(project, Pointer("/parameters") / key)) return {Pointer("/parameters") / key / "value"};
    std::set<std::string> places;
    for (const Json& sets : casesOf(project, key))
        for (const auto& set : object(&sets).items()) places.insert(set.key());
    if (!places.empty()) return {places.begin(), places.end()};
    if (key == "deployment") return {kDeployments / deployment / "name"};
    if (key == kBufferBytes) return {kDeployments / deployment / "buffers"};
    if (const auto setting = settingWith(ofRun(), &NamedSetting::name, key)) return {kRun / Pointer(setting->place)};
    if (const auto setting = settingWith(ofDeployments(), &NamedSetting::name, key))
        return {kDeployments / deployment / Pointer(setting->place)};
    return {};
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

std::optional<Shown> shownSetting(const std::string& key) {
    for (const auto& [owner, settings] : {std::pair(kRun, ofRun()), std::pair(kDeployments / 0, ofDeployments())})
        if (const auto setting = settingWith(settings, &NamedSetting::name, key))
            if (Shown shown = shownAt(owner / Pointer(setting->place)); !shown.title.isEmpty()) return shown;
    return {};
}

std::vector<std::string> settingsByName() {
    std::vector<std::string> names;
    for (const NamedSetting& setting : ofDeployments()) names.push_back(setting.name);
    names.push_back(kBufferBytes);
    for (const NamedSetting& setting : ofRun()) names.push_back(setting.name);
    return names;
}

bool hasNames(const Json& project, const std::string& key) {
    if (find(project, Pointer("/parameters") / key)) return false;
    if (!casesOf(project, key).empty()) return true;
    const auto named = [&key](const auto& settings) {
        const auto setting = settingWith(settings, &NamedSetting::name, key);
        return setting && setting->hasNames;
    };
    return key == "deployment" || named(ofRun()) || named(ofDeployments());
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
