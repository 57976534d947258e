#include "graph_scene.h"

#include "layered_layout.h"
#include "node_geometry.h"
#include "type_inference.h"
#include "value_text.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

QString qt(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

BlockState stateOf(const Json &block)
{
    const std::string state = text(member(block, "state"));
    return state == "disabled" ? BlockState::Disabled : state == "bypassed" ? BlockState::Bypassed : BlockState::Enabled;
}

std::optional<QPointF> storedPosition(const Json &positions, const std::string &id)
{
    const Json *value = member(positions, id);
    if (!value || !value->is_array() || value->size() != 2 || !(*value)[0].is_number() || !(*value)[1].is_number())
        return {};
    return QPointF((*value)[0].get<double>(), (*value)[1].get<double>());
}

/// What the node shows: the parameters that the file sets, in the descriptor's order, and required ones that it does not.
void addParameters(BlockView &view, const Json &block, const BlockType *type)
{
    const Json &set = object(member(block, "parameters"));
    QList<ParameterView> rows;
    if (type) {
        for (const ParameterType &parameter : type->parameters) {
            if (const Json *value = member(set, parameter.id))
                rows.append({qt(parameter.id), fieldText(*value)});
            else if (parameter.isRequired())
                rows.append({qt(parameter.id), QStringLiteral("—")});
        }
    }
    for (const auto &item : set.items())
        if (item.key() != "item_type" && !(type && type->parameter(item.key())))
            rows.append({qt(item.key()), fieldText(item.value())});
    const qsizetype limit = geometry::kShownParameters;
    view.moreParameters = static_cast<int>(std::max(rows.size() - limit, qsizetype{0}));
    view.parameters = rows.mid(0, limit);
}

QStringList typesOf(const PortType &port, const BlockType &type)
{
    if (port.type != "T")
        return {qt(port.type)};
    QStringList types;
    for (const std::string &allowed : type.itemTypes)
        types.append(qt(allowed));
    return types;
}

QList<PortView> portsOf(const std::vector<PortType> &ports, const BlockType &type, const std::string &itemType)
{
    QList<PortView> views;
    for (const PortType &port : ports)
        views.append({qt(port.id), qt(portItemType(port, itemType)), typesOf(port, type), false});
    return views;
}

int portIndex(const QList<PortView> &ports, const std::string &id)
{
    const auto it = std::find_if(ports.begin(), ports.end(), [name = qt(id)](const PortView &p) { return p.id == name; });
    return it == ports.end() ? -1 : static_cast<int>(it - ports.begin());
}

} // namespace

GraphScene::GraphScene(Document &document, QObject *parent) : QObject(parent), m_document(document)
{
    connect(&document, &Document::changed, this, &GraphScene::rebuild);
    connect(&document, &Document::replaced, this, [this] {
        m_automatic.clear();
        rebuild();
    });
    rebuild();
}

void GraphScene::setCatalog(const Catalog &catalog)
{
    m_catalog = catalog;
    m_automatic.clear();
    rebuild();
}

void GraphScene::rebuild()
{
    buildBlocks();
    buildWires();
    placeBlocks();
    buildGroups();
    emit changed();
}

QString GraphScene::repeatBadge(const Json *repeat) const
{
    if (!repeat)
        return {};
    const std::string source = text(member(*repeat, "expr"));
    const Json *parameter = member(object(member(m_document.json(), "parameters")), source);
    const Json *value = parameter ? member(*parameter, "value") : nullptr;
    QString count = fieldText(value ? *value : *repeat);
    if (count.startsWith(u'='))
        count = count.mid(1).trimmed();
    return count == QLatin1String("1") ? QString() : QStringLiteral("× ") + count;
}

void GraphScene::buildBlocks()
{
    const auto itemTypes = inferItemTypes(m_document.json(), m_catalog);
    m_blocks.clear();
    m_index.clear();
    for (const Json &block : list(find(m_document.json(), Pointer("/graph/blocks")))) {
        const std::string id = text(member(block, "id"));
        if (id.empty() || m_index.contains(qt(id)))
            continue;
        BlockView view;
        view.id = qt(id);
        view.type = qt(text(member(block, "type")));
        view.state = stateOf(block);
        view.badge = repeatBadge(member(block, "repeat"));
        const Json *probe = member(block, "probe");
        view.probe = probe && probe->is_boolean() && probe->get<bool>();
        const BlockType *type = m_catalog.block(view.type.toStdString());
        view.ghost = !type && m_catalog.isLoaded();
        view.title = type && !type->title.empty() ? qt(type->title) : view.type;
        view.category = type ? qt(type->category) : QStringLiteral("control");
        if (type) {
            const auto itemType = itemTypes.find(id);
            const std::string known = itemType == itemTypes.end() ? std::string() : itemType->second;
            view.inputs = portsOf(type->inputs, *type, known);
            view.outputs = portsOf(type->outputs, *type, known);
        }
        addParameters(view, block, type);
        m_index.insert(view.id, static_cast<int>(m_blocks.size()));
        m_blocks.push_back(std::move(view));
    }
    const QString pipes = repeatBadge(find(m_document.json(), Pointer("/graph/pipes")));
    m_pipesBadge = pipes.isEmpty() ? pipes : tr("%1 pipes").arg(pipes);
}

void GraphScene::buildWires()
{
    m_wires.clear();
    for (const Json &value : list(find(m_document.json(), Pointer("/graph/connections")))) {
        const auto connection = toConnection(value);
        if (!connection)
            continue;
        const int source = m_index.value(qt(connection->source), -1);
        const int target = m_index.value(qt(connection->target), -1);
        if (source < 0 || target < 0)
            continue;
        const auto attach = [](QList<PortView> &ports, const std::string &id) {
            int index = portIndex(ports, id);
            if (index < 0) {
                // A port that the descriptor lacks, or a block without one: drawn, so that the wire is not lost.
                ports.append({qt(id), {}, {}, false});
                index = static_cast<int>(ports.size()) - 1;
            }
            ports[index].connected = true;
            return index;
        };
        const int out = attach(m_blocks[source].outputs, connection->sourcePort);
        const int in = attach(m_blocks[target].inputs, connection->targetPort);
        const QString from = m_blocks[source].outputs[out].itemType;
        m_wires.push_back({*connection, source, target, {}, {}, from.isEmpty() ? m_blocks[target].inputs[in].itemType : from});
    }
}

void GraphScene::placeBlocks()
{
    const Json &positions = object(find(m_document.json(), Pointer("/ui/positions")));
    for (BlockView &block : m_blocks)
        block.rect.setSize(geometry::blockSize(block));

    const bool missing = std::any_of(m_blocks.begin(), m_blocks.end(), [&](const BlockView &block) {
        return !storedPosition(positions, block.id.toStdString()) && !m_automatic.contains(block.id);
    });
    if (missing) {
        std::vector<LayoutBlock> boxes;
        std::vector<LayoutEdge> edges;
        for (const BlockView &block : m_blocks)
            boxes.push_back({block.rect.size()});
        for (const WireView &wire : m_wires)
            edges.push_back({wire.source, wire.target,
                             geometry::portY(portIndex(m_blocks[wire.source].outputs, wire.connection.sourcePort)),
                             geometry::portY(portIndex(m_blocks[wire.target].inputs, wire.connection.targetPort))});
        const auto corners = layeredLayout(boxes, edges);
        for (std::size_t index = 0; index < m_blocks.size(); ++index)
            if (!m_automatic.contains(m_blocks[index].id))
                m_automatic.insert(m_blocks[index].id, corners[index]);
    }

    QHash<QString, QPointF> stored;
    for (const auto &item : positions.items())
        if (const auto position = storedPosition(positions, item.key()))
            stored.insert(qt(item.key()), *position);
    for (BlockView &block : m_blocks) {
        const auto position = stored.constFind(block.id);
        block.rect.moveTopLeft(position != stored.constEnd() ? *position : m_automatic.value(block.id));
        if (m_dragged.contains(block.id))
            block.rect.translate(m_dragOffset);
    }
    for (WireView &wire : m_wires) {
        wire.from = portPosition({m_blocks[wire.source].id, qt(wire.connection.sourcePort), true});
        wire.to = portPosition({m_blocks[wire.target].id, qt(wire.connection.targetPort), false});
    }
}

void GraphScene::buildGroups()
{
    m_groups.clear();
    for (const Json &group : list(find(m_document.json(), Pointer("/graph/groups")))) {
        QRectF rect;
        for (const Json &id : list(member(group, "blocks")))
            if (const BlockView *view = block(qt(text(&id))))
                rect |= view->rect;
        const QString badge = repeatBadge(member(group, "repeat"));
        if (!rect.isNull())
            m_groups.push_back({QStringLiteral("%1 %2").arg(qt(text(member(group, "id"))), badge).trimmed(),
                                rect.adjusted(-20, -36, 20, 20)});
    }
}

const BlockView *GraphScene::block(const QString &id) const
{
    const int index = m_index.value(id, -1);
    return index < 0 ? nullptr : &m_blocks[static_cast<std::size_t>(index)];
}

QRectF GraphScene::bounds() const
{
    QRectF all;
    for (const BlockView &block : m_blocks)
        all |= block.rect;
    for (const GroupView &group : m_groups)
        all |= group.rect;
    return all;
}

QPointF GraphScene::portPosition(const PortRef &port) const
{
    const BlockView *view = block(port.block);
    if (!view)
        return {};
    const int index = portIndex(port.output ? view->outputs : view->inputs, port.port.toStdString());
    return view->rect.topLeft() + geometry::portOffset(*view, std::max(index, 0), port.output);
}

std::optional<PortRef> GraphScene::portAt(QPointF point, double radius) const
{
    std::optional<PortRef> nearest;
    double best = radius;
    for (const BlockView &block : m_blocks) {
        if (!block.rect.adjusted(-radius, -radius, radius, radius).contains(point))
            continue;
        for (const bool output : {false, true}) {
            const auto &ports = output ? block.outputs : block.inputs;
            for (int index = 0; index < ports.size(); ++index) {
                const QPointF d = block.rect.topLeft() + geometry::portOffset(block, index, output) - point;
                const double distance = std::hypot(d.x(), d.y());
                if (distance <= best) {
                    best = distance;
                    nearest = PortRef{block.id, ports[index].id, output};
                }
            }
        }
    }
    return nearest;
}

const BlockView *GraphScene::blockAt(QPointF point) const
{
    const auto it = std::find_if(m_blocks.rbegin(), m_blocks.rend(), [&](const BlockView &b) { return b.rect.contains(point); });
    return it == m_blocks.rend() ? nullptr : &*it;
}

const WireView *GraphScene::wireAt(QPointF point, double distance) const
{
    const WireView *nearest = nullptr;
    for (const WireView &wire : m_wires) {
        const double d = geometry::distanceToWire(point, wire.from, wire.to);
        if (d <= distance) {
            distance = d;
            nearest = &wire;
        }
    }
    return nearest;
}

void GraphScene::setDragOffset(const QSet<QString> &blocks, QPointF offset)
{
    m_dragged = blocks;
    m_dragOffset = offset;
    placeBlocks();
    buildGroups();
    emit changed();
}

QPointF GraphScene::freePosition(QPointF wanted) const
{
    const QSizeF size(200, 120);
    const auto covered = [&](QPointF corner) {
        return std::any_of(m_blocks.begin(), m_blocks.end(),
                           [box = QRectF(corner, size)](const BlockView &block) { return block.rect.intersects(box); });
    };
    QPointF corner = wanted;
    for (int step = 0; covered(corner) && step < 100; ++step)
        corner += QPointF(0, 2 * geometry::kGrid);
    return corner;
}

} // namespace weir::editor
