#include "core/graph/graph_scene.h"

#include "core/document/project_places.h"
#include "core/graph/node_geometry.h"
#include "core/graph/shown_parameters.h"
#include "core/graph/type_inference.h"
#include "core/text/value_text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace weir::editor {
namespace {

QString qt(const std::string& utf8) { return QString::fromStdString(utf8); }

constexpr qsizetype kShownComment = 1000; ///< characters; the block has room for eight lines

BlockState stateOf(const Json& block) {
    const std::string state = text(member(block, "state"));
    return state == "disabled"   ? BlockState::Disabled
           : state == "bypassed" ? BlockState::Bypassed
                                 : BlockState::Enabled;
}

QStringList typesOf(const PortType& port, const BlockType& type) {
    if (port.type != "T") return {qt(port.type)};
    QStringList types;
    for (const std::string& allowed : type.itemTypes) types.append(qt(allowed));
    return types;
}

QList<PortView> portsOf(const std::vector<PortType>& ports, const BlockType& type, const std::string& itemType) {
    QList<PortView> views;
    for (const PortType& port : ports)
        views.append({qt(port.id), qt(portItemType(port, itemType)), typesOf(port, type), false});
    return views;
}

/// Return the ports of a block that only GNU Radio has. `any` takes every item, so it is like a type not yet decided.
QList<PortView> gnuradioPorts(const Json* ports) {
    QList<PortView> views;
    for (const Json& port : list(ports)) {
        const QString type = qt(text(member(port, "type")));
        views.append(
            {qt(text(member(port, "id"))), type.startsWith(QLatin1String("any")) ? QString() : type, {}, false});
    }
    return views;
}

int portIndex(const QList<PortView>& ports, const std::string& id) {
    const auto it =
        std::find_if(ports.begin(), ports.end(), [name = qt(id)](const PortView& p) { return p.id == name; });
    return it == ports.end() ? -1 : static_cast<int>(it - ports.begin());
}

/// Return the block with the value at `place`, if no port and no other block depends on it.
std::optional<std::size_t> blockValueAt(std::string_view place) {
    static const std::string blocks = kGraph.blocks.to_string() + '/';
    if (!place.starts_with(blocks)) return std::nullopt;
    std::size_t index = 0;
    const char* const end = place.data() + place.size();
    const auto [rest, error] = std::from_chars(place.data() + blocks.size(), end, index);
    const std::string_view value(rest, static_cast<std::size_t>(end - rest));
    const bool plain =
        isBelow(value, "/comment") || isBelow(value, "/probe") || isBelow(value, "/repeat") ||
        (isBelow(value, "/parameters") && value != "/parameters" && !isBelow(value, "/parameters/item_type"));
    return error == std::errc() && plain ? std::optional(index) : std::nullopt;
}

} // namespace

QString stateName(BlockState state) {
    switch (state) {
        case BlockState::Disabled: return QStringLiteral("disabled");
        case BlockState::Bypassed: return QStringLiteral("bypassed");
        case BlockState::Enabled: break;
    }
    return QStringLiteral("enabled");
}

GraphScene::GraphScene(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &Document::changed, this, &GraphScene::follow);
    connect(&document, &Document::replaced, this, [this] {
        m_automatic.clear();
        rebuild();
    });
    rebuild();
}

void GraphScene::setCatalog(const Catalog& catalog) {
    m_catalog = catalog;
    m_automatic.clear();
    rebuild();
}

/// Most edits change a value or a position: keep the rest of a large graph.
void GraphScene::follow(const ChangedPaths& paths) {
    if (paths.isWithin({"/run", "/deployments", "/sweeps", "/name", "/title", "/description"})) return;
    if (paths.isWithin({"/ui"})) m_reroutes = decor::reroutes(m_document.json());
    else if (!followValues(paths)) return rebuild();
    findHomes();
    placeAll();
    emit changed();
}

bool GraphScene::followValues(const ChangedPaths& paths) {
    const Json& blocks = list(find(m_document.json(), kGraph.blocks));
    // Of several blocks with one name, only the first is drawn, so indices in the file differ from those in the scene.
    if (blocks.size() != m_blocks.size()) return false;
    std::set<std::size_t> changed;
    for (const std::string& place : paths.places()) {
        const auto value = blockValueAt(place);
        if (!value || *value >= blocks.size()) return false;
        changed.insert(*value);
    }
    for (const std::size_t index : changed) readValues(m_blocks[index], blocks[index]);
    return true;
}

void GraphScene::rebuild() {
    buildBlocks();
    buildWires();
    markDeadWires();
    findHomes();
    m_reroutes = decor::reroutes(m_document.json());
    placeAll();
    emit changed();
}

QString GraphScene::repeatBadge(const Json* repeat) const {
    if (!repeat) return {};
    const std::string source = text(member(*repeat, "expr"));
    const Json* parameter = member(object(member(m_document.json(), "parameters")), source);
    const Json* value = parameter ? member(*parameter, "value") : nullptr;
    QString count = fieldText(value ? *value : *repeat);
    if (count.startsWith(u'=')) count = count.mid(1).trimmed();
    return count == QLatin1String("1") ? QString() : QStringLiteral("× ") + count;
}

void GraphScene::buildBlocks() {
    const auto itemTypes = inferItemTypes(m_document.json(), m_catalog);
    m_blocks.clear();
    m_index.clear();
    for (const Json& block : list(find(m_document.json(), kGraph.blocks))) {
        const std::string id = text(member(block, "id"));
        if (id.empty() || m_index.contains(qt(id))) continue;
        BlockView view;
        view.id = qt(id);
        view.type = qt(text(member(block, "type")));
        view.state = stateOf(block);
        const Json* gnuradio = member(block, "gnuradio");
        const BlockType* type = gnuradio ? nullptr : m_catalog.block(view.type.toStdString());
        view.ghost = !type && !gnuradio && m_catalog.isLoaded();
        const QString title = qt(gnuradio ? text(member(*gnuradio, "title")) : type ? type->title : std::string());
        view.title = title.isEmpty() ? view.type : title;
        view.category = type ? qt(type->category) : QStringLiteral("control");
        if (gnuradio) {
            view.inputs = gnuradioPorts(member(*gnuradio, "inputs"));
            view.outputs = gnuradioPorts(member(*gnuradio, "outputs"));
            view.category = view.inputs.isEmpty()    ? QStringLiteral("source")
                            : view.outputs.isEmpty() ? QStringLiteral("sink")
                                                     : QStringLiteral("filter");
        }
        if (type) {
            const auto itemType = itemTypes.find(id);
            const std::string known = itemType == itemTypes.end() ? std::string() : itemType->second;
            view.inputs = portsOf(type->inputs, *type, known);
            view.outputs = portsOf(type->outputs, *type, known);
        }
        readValues(view, block);
        m_index.insert(view.id, static_cast<int>(m_blocks.size()));
        m_blocks.push_back(std::move(view));
    }
    const QString pipes = repeatBadge(find(m_document.json(), kGraph.pipes));
    m_pipesBadge = pipes.isEmpty() ? pipes : tr("%1 pipes").arg(pipes);
}

void GraphScene::readValues(BlockView& view, const Json& block) const {
    view.badge = repeatBadge(member(block, "repeat"));
    view.probe = isTrue(block, "probe");
    view.comment = qt(text(member(block, "comment"))).left(kShownComment);
    // Whether GNU Radio is installed must not change the sizes of blocks.
    const BlockType* type = member(block, "gnuradio") ? nullptr : m_catalog.block(view.type.toStdString());
    showParameters(view, object(member(block, "parameters")), type);
}

void GraphScene::buildWires() {
    m_wires.clear();
    int fileIndex = -1;
    for (const Json& value : list(find(m_document.json(), kGraph.connections))) {
        ++fileIndex;
        const auto connection = toConnection(value);
        if (!connection) continue;
        const int source = m_index.value(qt(connection->source), -1);
        const int target = m_index.value(qt(connection->target), -1);
        if (source < 0 || target < 0) continue;
        const auto attach = [](QList<PortView>& ports, const std::string& id) {
            int index = portIndex(ports, id);
            if (index < 0) {
                // A port that the descriptor lacks, or of an unknown type: drawn, so that its wire stays visible.
                ports.append({qt(id), {}, {}, false});
                index = static_cast<int>(ports.size()) - 1;
            }
            ports[index].connected = true;
            return index;
        };
        const int out = attach(m_blocks[source].outputs, connection->sourcePort);
        const int in = attach(m_blocks[target].inputs, connection->targetPort);
        const QString from = m_blocks[source].outputs[out].itemType;
        WireView wire;
        wire.connection = *connection;
        wire.source = source;
        wire.target = target;
        wire.sourcePort = out;
        wire.targetPort = in;
        wire.fileIndex = fileIndex;
        wire.itemType = from.isEmpty() ? m_blocks[target].inputs[in].itemType : from;
        m_wires.push_back(std::move(wire));
    }
}

void GraphScene::markDeadWires() {
    std::vector<std::vector<std::size_t>> out(m_blocks.size());
    QHash<std::pair<int, int>, std::size_t> first;
    for (std::size_t index = 0; index < m_wires.size(); ++index) {
        WireView& wire = m_wires[index];
        out[static_cast<std::size_t>(wire.source)].push_back(index);
        const auto sibling = first.constFind({wire.source, wire.sourcePort});
        if (sibling == first.constEnd()) first.insert({wire.source, wire.sourcePort}, index);
        else wire.shared = m_wires[*sibling].shared = true;
        wire.dead = m_blocks[static_cast<std::size_t>(wire.target)].state == BlockState::Disabled;
    }
    // Blocks downstream of a disabled block get no items, either.
    std::vector<int> open;
    std::vector<bool> dry(m_blocks.size(), false);
    for (std::size_t index = 0; index < m_blocks.size(); ++index)
        if (m_blocks[index].state == BlockState::Disabled) open.push_back(static_cast<int>(index));
    while (!open.empty()) {
        const auto block = static_cast<std::size_t>(open.back());
        open.pop_back();
        if (dry[block]) continue;
        dry[block] = true;
        for (const std::size_t index : out[block]) {
            m_wires[index].dead = true;
            open.push_back(m_wires[index].target);
        }
    }
}

void GraphScene::buildGroups() {
    m_groups.clear();
    const Json& groups = list(find(m_document.json(), kGraph.groups));
    for (std::size_t index = 0; index < groups.size(); ++index) {
        GroupView group{
            .id = qt(text(member(groups[index], "id"))), .label = {}, .blocks = {}, .fileIndex = index, .rect = {}};
        for (const Json& id : list(member(groups[index], "blocks"))) {
            if (const BlockView* view = block(qt(text(&id)))) {
                group.blocks.insert(view->id);
                group.rect |= view->rect;
            }
        }
        if (group.blocks.isEmpty()) continue;
        group.label = QStringLiteral("%1 %2").arg(group.id, repeatBadge(member(groups[index], "repeat"))).trimmed();
        const auto& [side, above] = std::pair(look().group.side, look().group.above);
        group.rect.adjust(-side, -above, side, side);
        m_groups.push_back(std::move(group));
    }
}

QRectF GraphScene::bounds() const {
    QRectF all;
    for (const BlockView& block : m_blocks) all |= block.rect;
    for (const GroupView& group : m_groups) all |= group.rect;
    for (const FrameView& frame : m_frames) all |= frame.rect;
    for (const NoteView& note : m_notes) all |= note.rect;
    return all;
}

}  // namespace weir::editor
