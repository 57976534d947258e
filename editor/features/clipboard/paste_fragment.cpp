#include "features/clipboard/fragment.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace weir::editor {
namespace {

using Names = std::map<std::string, std::string>;

std::set<std::string> namesIn(const Json& project) {
    std::set<std::string> names;
    for (const Pointer& kind : {kGraph.blocks, kGraph.groups})
        for (const Json& entry : list(find(project, kind))) names.insert(text(member(entry, "id")));
    return names;
}

Json moved(const Json& coordinates, QPointF offset) {
    Json result = coordinates;
    for (std::size_t axis = 0; axis < 2 && axis < result.size(); ++axis)
        result[axis] = static_cast<std::int64_t>(
            std::lround(coordinates[axis].get<double>() + (axis == 0 ? offset.x() : offset.y())));
    return result;
}

std::string renamed(const Names& names, const std::string& name) {
    const auto it = names.find(name);
    return it == names.end() ? name : it->second;
}

/// Rename the block in "block.port".
std::string renamedEnd(const Names& names, const std::string& end) {
    const auto dot = end.find('.');
    return dot == std::string::npos ? end : renamed(names, end.substr(0, dot)) + end.substr(dot);
}

/// Rename both blocks in "src.out->dst.in".
std::string renamedWire(const Names& names, const std::string& wire) {
    const auto arrow = wire.find("->");
    if (arrow == std::string::npos) return wire;
    return renamedEnd(names, wire.substr(0, arrow)) + "->" + renamedEnd(names, wire.substr(arrow + 2));
}

Names pasteBlocks(Transaction& transaction, const Json& graph, std::vector<std::string>& added) {
    std::set<std::string> taken = namesIn(transaction.json());
    Names names;
    for (Json block : graph["blocks"]) {
        const std::string id = block["id"];
        const std::string name = freeName(id, taken);
        taken.insert(name);
        names.emplace(id, name); // if two blocks have one name, connections refer to the first
        block["id"] = name;
        if (Json* gnuradio = block.contains("gnuradio") ? &block["gnuradio"] : nullptr;
            gnuradio && gnuradio->is_object() && hasGnuradioName(transaction.json(), text(member(*gnuradio, "name"))))
            (*gnuradio)["name"] = freeGnuradioName(transaction.json(), text(member(*gnuradio, "type")));
        transaction.append(kGraph.blocks, std::move(block));
        added.push_back(name);
    }
    for (Json group : graph["groups"]) {
        const std::string name = freeName(group["id"], taken);
        taken.insert(name);
        group["id"] = name;
        Json members = Json::array();
        for (const Json& id : group["blocks"])
            if (id.is_string() && names.contains(id)) members.push_back(names.at(id));
        if (members.empty()) continue;
        group["blocks"] = std::move(members);
        transaction.append(kGraph.groups, std::move(group));
    }
    for (const Json& value : graph["connections"])
        if (const auto wire = toConnection(value); names.contains(wire->source) && names.contains(wire->target))
            addConnection(transaction,
                          {names.at(wire->source), wire->sourcePort, names.at(wire->target), wire->targetPort});
    return names;
}

std::vector<std::string> pasteParts(Transaction& transaction, const Json& parts, const std::string& kind,
                                    QPointF offset) {
    std::vector<std::string> added;
    const Pointer place = Pointer("/ui") / kind;
    std::set<std::string> taken;
    for (const auto& item : object(find(transaction.json(), place)).items()) taken.insert(item.key());
    for (const auto& item : parts.items()) {
        const std::string key = freeName(item.key(), taken);
        taken.insert(key);
        Json part = item.value();
        part["rect"] = moved(part["rect"], offset);
        transaction.set(place / key, std::move(part));
        added.push_back(key);
    }
    return added;
}

void pastePicture(Transaction& transaction, const Json& picture, const Names& names, QPointF offset, Pasted& added) {
    for (const auto& item : picture["positions"].items())
        if (names.contains(item.key())) transaction.set(kPositions / names.at(item.key()), moved(item.value(), offset));
    for (const auto& item : picture["colours"].items())
        if (names.contains(item.key())) transaction.set(Pointer("/ui/colours") / names.at(item.key()), item.value());
    for (const auto& item : picture["designs"].items())
        if (names.contains(item.key().substr(0, item.key().find('.'))))
            transaction.set(kDesigns / renamedEnd(names, item.key()), item.value());
    added.notes = pasteParts(transaction, picture["notes"], "notes", offset);
    added.frames = pasteParts(transaction, picture["frames"], "frames", offset);
    for (const auto& item : picture["reroutes"].items()) {
        Json points = Json::array();
        for (const Json& point : item.value()) points.push_back(moved(point, offset));
        transaction.set(Pointer("/ui/reroutes") / renamedWire(names, item.key()), std::move(points));
    }
}

constexpr std::size_t kLongestName = 64;

std::string nameLike(const std::string& wanted) {
    std::string name;
    for (const char c : wanted) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) name += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
    }
    name.erase(0, name.find_first_not_of('_'));
    if (name.empty()) return "block";
    return std::isalpha(static_cast<unsigned char>(name.front())) ? name : "b" + name;
}

} // namespace

Pasted pasteFragment(Transaction& transaction, const Json& fragment, QPointF offset) {
    Pasted added;
    const Names names = pasteBlocks(transaction, fragment["graph"], added.blocks);
    // Paste only the parameters that the blocks need, and never overwrite one.
    const Json needed = parametersFor({fragment["graph"], fragment["ui"]["designs"]}, fragment["parameters"]);
    for (const auto& item : needed.items())
        if (const Pointer place = Pointer("/parameters") / item.key(); !find(transaction.json(), place))
            transaction.set(place, item.value());
    pastePicture(transaction, fragment["ui"], names, offset, added);
    return added;
}

std::string freeName(const std::string& wanted, const std::set<std::string>& taken) {
    std::string name = nameLike(wanted).substr(0, kLongestName);
    if (!taken.contains(name)) return name;
    // Continue from the number at the end of the name.
    long number = 1;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits < name.size() && name.size() - digits < 7 && digits > 1 && name[digits - 1] == '_') {
        number = std::stol(name.substr(digits));
        name.erase(digits - 1);
    }
    for (;;) {
        const std::string suffix = "_" + std::to_string(++number);
        const std::string candidate = name.substr(0, kLongestName - suffix.size()) + suffix;
        if (!taken.contains(candidate)) return candidate;
    }
}

} // namespace weir::editor
