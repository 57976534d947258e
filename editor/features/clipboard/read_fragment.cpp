#include "features/clipboard/fragment.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/graph/layered_layout.h"
#include "core/json/json_reader.h"
#include "core/text/texts.h"

#include <QRectF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace weir::editor {
namespace {

constexpr QSizeF kUsualBlock(200, 130);

std::optional<std::vector<double>> numbers(const Json& value, std::size_t count) {
    if (!value.is_array() || value.size() != count) return {};
    std::vector<double> result;
    for (const Json& number : value) {
        if (!number.is_number() || !(std::abs(number.get<double>()) <= kFarthest)) return {};
        result.push_back(number.get<double>());
    }
    return result;
}

QString faultOf(const Json& graph) {
    const Json* blocks = member(graph, "blocks");
    if (!blocks) return ClipboardText::tr("it has no blocks");
    if (!blocks->is_array()) return ClipboardText::tr("its blocks are not a list");
    if (blocks->size() > kMaximumFragmentBlocks)
        return ClipboardText::tr("it has %1 blocks, the limit is %2").arg(blocks->size()).arg(kMaximumFragmentBlocks);
    for (std::size_t index = 0; index < blocks->size(); ++index)
        for (const char* key : {"id", "type"})
            if (const Json* value = member((*blocks)[index], key); !value || !value->is_string())
                return ClipboardText::tr("the %2 of block %1 is missing or is not text")
                    .arg(index + 1)
                    .arg(QLatin1String(key));
    const Json* connections = member(graph, "connections");
    if (connections && !connections->is_array()) return ClipboardText::tr("its connections are not a list");
    const Json& wires = list(connections);
    for (std::size_t index = 0; index < wires.size(); ++index)
        if (!toConnection(wires[index]))
            return ClipboardText::tr("connection %1 is not a list of block, port, block, port").arg(index + 1);
    const Json* groups = member(graph, "groups");
    if (groups && !groups->is_array()) return ClipboardText::tr("its groups are not a list");
    for (const Json& group : list(groups))
        if (!member(group, "id") || !group["id"].is_string() || !member(group, "blocks") || !group["blocks"].is_array())
            return ClipboardText::tr("the id or the list of blocks of a group is missing");
    return {};
}

/// Keep the readable parts of a picture. An unreadable picture is no reason to refuse the blocks.
Json readablePicture(const Json& ui) {
    Json picture = Json::object();
    const auto keep = [&](const char* kind, auto readable) {
        Json kept = Json::object();
        for (const auto& item : object(member(ui, kind)).items())
            if (readable(item.value())) kept[item.key()] = item.value();
        picture[kind] = std::move(kept);
    };
    const auto place = [](const Json& value) { return numbers(value, 2).has_value(); };
    const auto rect = [](const Json& value) {
        const Json* rect = member(value, "rect");
        return rect && numbers(*rect, 4).has_value();
    };
    keep("positions", place);
    keep("colours", [](const Json& value) { return value.is_string(); });
    keep("designs", [](const Json& value) { return value.is_object(); });
    keep("notes", rect);
    keep("frames", rect);
    keep("reroutes",
         [&](const Json& value) { return value.is_array() && std::all_of(value.begin(), value.end(), place); });
    return picture;
}

/// Lay out blocks without a position beside those that have one.
void placeTheRest(const Json& graph, Json& positions) {
    std::map<std::string, int> index;
    std::vector<std::string> ids;
    for (const Json& block : graph["blocks"])
        if (const std::string id = text(member(block, "id")); !positions.contains(id) && !index.contains(id)) {
            index[id] = static_cast<int>(ids.size());
            ids.push_back(id);
        }
    std::vector<LayoutEdge> edges;
    for (const Json& value : list(member(graph, "connections")))
        if (const auto wire = toConnection(value); wire && index.contains(wire->source) && index.contains(wire->target))
            edges.push_back({index[wire->source], index[wire->target], 40, 40});
    const auto corners = layeredLayout(std::vector<LayoutBlock>(ids.size(), {kUsualBlock}), edges);
    for (std::size_t i = 0; i < ids.size(); ++i)
        positions[ids[i]] = Json::array({static_cast<std::int64_t>(std::lround(corners[i].x())),
                                         static_cast<std::int64_t>(std::lround(corners[i].y()))});
}

} // namespace

std::variant<Json, QString> readFragment(const QByteArray& text) {
    const QString refusal = ClipboardText::tr("Not pasted: %1");
    if (text.trimmed().isEmpty()) return refusal.arg(ClipboardText::tr("the clipboard contains no text"));
    if (text.size() > kMaximumFragmentBytes)
        return refusal.arg(ClipboardText::tr("the text has %1 MB, the limit is %2 MB")
                               .arg(static_cast<double>(text.size()) / (1 << 20), 0, 'f', 1)
                               .arg(kMaximumFragmentBytes >> 20));
    auto parsed = readJson({text.constData(), static_cast<std::size_t>(text.size())});
    if (const auto* error = std::get_if<ReadError>(&parsed))
        return refusal.arg(ClipboardText::tr("the text of the clipboard is not JSON: line %1, column %2: %3")
                               .arg(error->line)
                               .arg(error->column)
                               .arg(QString::fromStdString(error->message)));
    const Json& json = std::get<Json>(parsed);
    if (!json.is_object())
        return refusal.arg(ClipboardText::tr("the text of the clipboard is JSON, but not an object with blocks"));
    const Json* inner = member(json, "graph");
    const Json& graph = inner ? *inner : json;
    if (const QString fault = faultOf(graph); !fault.isEmpty())
        return refusal.arg(ClipboardText::tr("the text of the clipboard is JSON, but %1").arg(fault));

    Json fragment{{"parameters", inner ? object(member(json, "parameters")) : Json::object()},
                  {"graph",
                   {{"blocks", graph["blocks"]},
                    {"groups", list(member(graph, "groups"))},
                    {"connections", list(member(graph, "connections"))}}},
                  {"ui", readablePicture(object(member(json, "ui")))}};
    placeTheRest(fragment["graph"], fragment["ui"]["positions"]);
    const Json& picture = fragment["ui"];
    if (fragment["graph"]["blocks"].empty() && picture["notes"].empty() && picture["frames"].empty())
        return refusal.arg(ClipboardText::tr("the text of the clipboard is JSON, but it has no blocks"));
    return fragment;
}

QPointF middleOf(const Json& fragment) {
    QRectF all;
    const auto add = [&all](QRectF rect) { all = all.isNull() ? rect : all.united(rect); };
    std::set<std::string> ids;
    for (const Json& block : fragment["graph"]["blocks"]) ids.insert(text(member(block, "id")));
    const Json& picture = fragment["ui"];
    for (const auto& item : picture["positions"].items())
        if (const auto place = numbers(item.value(), 2); place && ids.contains(item.key()))
            add(QRectF(QPointF((*place)[0], (*place)[1]), kUsualBlock));
    for (const char* kind : {"notes", "frames"})
        for (const Json& part : picture[kind])
            if (const auto rect = numbers(part["rect"], 4)) add(QRectF((*rect)[0], (*rect)[1], (*rect)[2], (*rect)[3]));
    return all.center();
}

} // namespace weir::editor
