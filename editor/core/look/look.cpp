#include "core/look/look.h"

#include "look_text.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <nlohmann/json.hpp>

namespace weir::editor {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Block, widths, header, gap, foot, radius, copies, chip, left, right, pill,
                                   name, small)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Rows, pitch, advance, side, between, shown)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Ports, pitch, outline, hole, shapes, types, hollow)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Wire::Arm, least, most, returning, share)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Wire::Gap, least, most)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Wire, width, casing, fork, forked, arm, gap)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Group, side, above, radius, caption, x, y, fill)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Frame, header, radius, stroke, title, x, fill, head, edge)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look::Note, radius, words, padding, fill, edge)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Look, block, rows, ports, wire, group, frame, note, grid)

const Look& look() {
    static const Look look = nlohmann::json::parse(kLookText).get<Look>();
    return look;
}

QVariantMap lookJson() { return QJsonDocument::fromJson(kLookText).object().toVariantMap(); }

} // namespace weir::editor
