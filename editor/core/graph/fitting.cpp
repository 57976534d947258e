#include "core/graph/fitting.h"

#include "core/document/project_places.h"
#include "core/graph/type_inference.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Ports of GNU Radio's blocks may be of type `any`, or vectors of it.
ItemTypes typesOf(const PortType& port, const ItemTypes& own) {
    return port.type == "T" ? own : port.type.starts_with("any") ? ItemTypes() : ItemTypes{port.type};
}

const std::vector<BlockType>& blocksFor(const Json& project, const Catalog& catalog) {
    return member(project, "gnuradio") ? catalog.gnuradioBlocks() : catalog.blocks();
}

Json withoutWires(Json project, const std::set<Connection>& wires) {
    Json kept = Json::array();
    for (const Json& value : list(find(project, kGraph.connections))) {
        const auto connection = toConnection(value);
        if (!connection || !wires.contains(*connection)) kept.push_back(value);
    }
    project.at(kGraph.connections) = std::move(kept);
    return project;
}

} // namespace

bool haveCommonType(const ItemTypes& a, const ItemTypes& b) {
    // A port for any items passes no messages.
    const ItemTypes messages{"message"};
    if (a.empty() || b.empty()) return a != messages && b != messages;
    return std::any_of(a.begin(), a.end(),
                       [&b](const std::string& t) { return std::find(b.begin(), b.end(), t) != b.end(); });
}

Fitting::Fitting(const Json& project, const Catalog& catalog, const std::set<Connection>& without)
    : m_itemTypes(inferItemTypes(
          without.empty() || !find(project, kGraph.connections) ? project : withoutWires(project, without), catalog)) {
    for (const Json& block : list(find(project, kGraph.blocks))) {
        m_blockTypes[text(member(block, "id"))] = catalog.typeOf(block);
        if (const Json* gnuradio = member(block, "gnuradio")) m_gnuradio[text(member(block, "id"))] = *gnuradio;
    }
}

const BlockType* Fitting::typeOf(const std::string& block) const {
    const auto it = m_blockTypes.find(block);
    return it == m_blockTypes.end() ? nullptr : it->second;
}

ItemTypes Fitting::ownTypes(const std::string& block) const {
    const auto known = m_itemTypes.find(block);
    if (known != m_itemTypes.end()) return {known->second};
    const BlockType* type = typeOf(block);
    return type ? type->itemTypes : ItemTypes();
}

ItemTypes Fitting::typesAt(const std::string& block, const std::string& port, bool output) const {
    if (const auto it = m_gnuradio.find(block); it != m_gnuradio.end()) {
        for (const Json& entry : list(member(it->second, output ? "outputs" : "inputs")))
            if (text(member(entry, "id")) == port) return typesOf({port, text(member(entry, "type"))}, {});
        return {};
    }
    const BlockType* type = typeOf(block);
    const PortType* found = !type ? nullptr : output ? type->output(port) : type->input(port);
    return found ? typesOf(*found, ownTypes(block)) : ItemTypes();
}

std::optional<std::string> portThatTakes(const BlockType& type, const ItemTypes& own, const ItemTypes& wanted,
                                         bool output) {
    for (const PortType& port : output ? type.outputs : type.inputs)
        if (haveCommonType(typesOf(port, own), wanted)) return port.id;
    return {};
}

std::optional<Passage> passageThrough(const BlockType& type, const ItemTypes& own, const ItemTypes& from,
                                      const ItemTypes& to) {
    // A template block has one item type: it cannot convert a wire of c64 to f32.
    const std::vector<ItemTypes> choices = [&own] {
        std::vector<ItemTypes> each;
        for (const std::string& chosen : own) each.push_back({chosen});
        return each.empty() ? std::vector<ItemTypes>{{}} : each;
    }();
    for (const ItemTypes& choice : choices) {
        const auto input = portThatTakes(type, choice, from, false);
        const auto output = portThatTakes(type, choice, to, true);
        if (input && output) return Passage{*input, *output};
    }
    return {};
}

std::set<std::string> typesThatFitPort(const Json& project, const Catalog& catalog, const std::string& block,
                                       const std::string& port, bool output, const std::set<Connection>& without) {
    const ItemTypes wanted = Fitting(project, catalog, without).typesAt(block, port, output);
    std::set<std::string> fitting;
    for (const BlockType& type : blocksFor(project, catalog))
        if (portThatTakes(type, type.itemTypes, wanted, !output)) fitting.insert(type.id);
    return fitting;
}

std::set<std::string> typesThatFitWire(const Json& project, const Catalog& catalog, const Connection& wire) {
    const Fitting ends(project, catalog, {wire});
    const ItemTypes from = ends.typesAt(wire.source, wire.sourcePort, true);
    const ItemTypes to = ends.typesAt(wire.target, wire.targetPort, false);
    std::set<std::string> fitting;
    for (const BlockType& type : blocksFor(project, catalog))
        if (passageThrough(type, type.itemTypes, from, to)) fitting.insert(type.id);
    return fitting;
}

} // namespace weir::editor
