#include "core/decor/decor.h"

#include "core/document/project_places.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace weir::editor::decor {
namespace {

std::optional<double> coordinate(const Json& value) {
    if (!value.is_number()) return {};
    const double number = value.get<double>();
    return std::abs(number) < kFarthest ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<double>> coordinates(const Json* value, std::size_t count) {
    if (!value || !value->is_array() || value->size() != count) return {};
    std::vector<double> numbers;
    for (const Json& part : *value) {
        const auto number = coordinate(part);
        if (!number) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<QRectF> rectOf(const Json& part) {
    const auto numbers = coordinates(member(part, "rect"), 4);
    if (!numbers || (*numbers)[2] <= 0 || (*numbers)[3] <= 0) return {};
    return QRectF((*numbers)[0], (*numbers)[1], std::max((*numbers)[2], kMinimumWidth),
                  std::max((*numbers)[3], kMinimumHeight));
}

QString colourOf(const Json& part) {
    const QString name = string(part, "colour");
    return colours().contains(name) ? name : colours().front();
}

template <typename View, typename Make> std::vector<View> read(const Json& project, const char* pointer, Make make) {
    std::vector<View> views;
    for (const auto& item : object(find(project, Pointer(pointer))).items())
        if (const auto rect = rectOf(item.value())) views.push_back(make(item.key(), item.value(), *rect));
    return views;
}

} // namespace

const QStringList& colours() {
    static const QStringList names{QStringLiteral("grey"),  QStringLiteral("blue"),   QStringLiteral("green"),
                                   QStringLiteral("amber"), QStringLiteral("violet"), QStringLiteral("rose")};
    return names;
}

std::string wireKey(const Connection& connection) {
    return connection.source + "." + connection.sourcePort + "->" + connection.target + "." + connection.targetPort;
}

std::vector<FrameView> frames(const Json& project) {
    return read<FrameView>(project, "/ui/frames", [](const std::string& key, const Json& part, QRectF rect) {
        return FrameView{key, string(part, "title"), colourOf(part), rect};
    });
}

std::vector<NoteView> notes(const Json& project) {
    return read<NoteView>(project, "/ui/notes", [](const std::string& key, const Json& part, QRectF rect) {
        return NoteView{key, string(part, "text"), colourOf(part), rect};
    });
}

std::map<std::string, QList<QPointF>> reroutes(const Json& project) {
    std::map<std::string, QList<QPointF>> all;
    for (const auto& item : object(find(project, Pointer("/ui/reroutes"))).items()) {
        QList<QPointF> points;
        for (const Json& value : list(&item.value())) {
            const auto numbers = coordinates(&value, 2);
            if (!numbers) {
                // A point's name is its index, so one bad point invalidates the whole wire.
                points.clear();
                break;
            }
            points.append({(*numbers)[0], (*numbers)[1]});
        }
        if (!points.isEmpty()) all.emplace(item.key(), std::move(points));
    }
    return all;
}

}  // namespace weir::editor::decor
