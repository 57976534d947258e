#include "random_commands.h"

#include "core/edits/rename_parameter.h"
#include "core/graph/fitting.h"
#include "core/graph/graph_edits.h"
#include "core/json/canonical_json.h"
#include "core/problems/apply_fix.h"
#include "core/text/value_text.h"
#include "features/clipboard/fragment.h"
#include "features/deployment/deployment_rows.h"
#include "features/inspector/inspector_rows.h"
#include "random_chooser.h"
#include "shell/fields/field_commit.h"

namespace weir::editor {
namespace {

void commit(Chooser& c, const std::vector<ParameterRow>& rows) {
    static const QStringList typed{
        QStringLiteral("3"),    QStringLiteral("2.5e-7"), QStringLiteral("= 2 * stages"), QString(),
        QStringLiteral("2.4M"), QStringLiteral("[1, 2]"), QStringLiteral("f32"),          QStringLiteral("true")};
    if (!rows.empty()) commitField(c.document, c.oneOf(rows), c.oneOf(typed));
}

void add(Chooser& c) {
    const auto& types = c.catalog.blocks();
    const std::string type = c.oneOf(types).id;
    if (c.ids.size() < 40)
        c.edit([&](Transaction& t) { addBlock(t, freeBlockId(c.document.json(), type), type, c.place()); });
}

void removeBlocks(Chooser& c) {
    if (c.ids.size() > 10) c.edit([&](Transaction& t) { removeParts(t, c.blocks(), {}); });
}

void removeWire(Chooser& c) {
    if (const auto wire = c.wire()) c.edit([&](Transaction& t) { removeParts(t, {}, {*wire}); });
}

void connectBlocks(Chooser& c) {
    c.edit([&](Transaction& t) { addConnection(t, {c.block(), "out", c.block(), "in"}); });
}

void reconnect(Chooser& c) {
    if (const auto wire = c.wire())
        c.edit([&](Transaction& t) {
            replaceConnection(t, *wire,
                              c.below(2) ? Connection{wire->source, wire->sourcePort, c.block(), "in"}
                                         : Connection{c.block(), "out", wire->target, wire->targetPort});
        });
}

void insertIntoWire(Chooser& c) {
    const auto wire = c.wire();
    if (!wire || c.ids.size() > 40) return;
    const auto types = typesThatFitWire(c.json(), c.catalog, *wire);
    if (types.empty()) return;
    const BlockType& type = *c.catalog.block(*std::next(types.begin(), c.below(static_cast<int>(types.size()))));
    const Fitting ends(c.json(), c.catalog, {*wire});
    const auto passage = passageThrough(type, type.itemTypes, ends.typesAt(wire->source, wire->sourcePort, true),
                                        ends.typesAt(wire->target, wire->targetPort, false));
    if (passage)
        c.edit([&](Transaction& t) {
            const std::string id = freeBlockId(t.json(), type.id);
            addBlock(t, id, type.id, c.place());
            insertOnWire(t, *wire, id, *passage);
            placeBlocks(t, {{c.block(), c.place()}});
        });
}

void removeHealed(Chooser& c) {
    if (c.ids.size() <= 10) return;
    const auto blocks = c.blocks();
    const Healing healing = healingWithout(c.json(), c.catalog, blocks);
    c.edit([&](Transaction& t) { removeAndHeal(t, blocks, healing); });
}

void setState(Chooser& c) {
    static const std::vector<std::string> states{"enabled", "disabled", "bypassed"};
    c.edit([&](Transaction& t) {
        const std::string& state = c.oneOf(states);
        for (const std::string& block : c.blocks()) setBlockState(t, block, state);
    });
}

void repeat(Chooser& c) {
    static const QStringList typed{QStringLiteral("3"), QStringLiteral("= stages"), QStringLiteral("much")};
    const auto block = blockPointer(c.json(), c.block());
    if (!block) return;
    c.edit([&](Transaction& t) {
        if (c.below(3) == 0) t.remove(*block / "repeat");
        else t.set(*block / "repeat", fieldValue(c.oneOf(typed), "i64"));
    });
}

/// Applies a fix, like the button beside a problem.
void correct(Chooser& c) {
    if (const auto block = blockPointer(c.json(), c.block()))
        c.edit([&](Transaction& t) {
            applyFix(
                t,
                {{}, QString::fromStdString((*block / "type").to_string()), {{"set", c.oneOf(c.catalog.blocks()).id}}});
        });
}

void renameOne(Chooser& c) {
    const std::string to = freeBlockId(c.document.json(), "renamed_" + std::to_string(c.below(50)));
    c.edit([&](Transaction& t) { renameBlock(t, c.block(), to); });
}

void moveSome(Chooser& c) {
    std::vector<std::pair<std::string, QPointF>> places;
    for (const std::string& id : c.blocks()) places.emplace_back(id, c.place());
    c.edit([&](Transaction& t) { placeBlocks(t, places); }, c.below(2) ? QStringLiteral("move") : QString());
}

void setParameter(Chooser& c) {
    commit(c, blockParameterRows(c.document.json(), c.catalog, {QString::fromStdString(c.block())}));
}

void setProperty(Chooser& c) { commit(c, blockPropertyRows(c.document.json(), {QString::fromStdString(c.block())})); }

void setRun(Chooser& c) { commit(c, runRows(c.document.json())); }

void group(Chooser& c) {
    const auto blocks = c.blocks();
    c.edit([&](Transaction& t) { groupBlocks(t, freeGroupId(t.json(), "group"), {blocks.begin(), blocks.end()}); });
}

void ungroup(Chooser& c) {
    c.edit([&](Transaction& t) { ungroupBlocks(t, c.blocks()); });
}

/// Adds a group as if edited by hand: its blocks may belong to another group too.
void oddGroup(Chooser& c) {
    Json members = Json::array();
    for (const std::string& id : c.blocks()) members.push_back(id);
    c.edit([&](Transaction& t) {
        if (list(c.find("/graph/groups")).size() > 6) t.remove(Pointer(c.pointerInto("/graph/groups")));
        else
            t.append(Pointer("/graph/groups"),
                     {{"id", "group_" + std::to_string(c.below(9))}, {"blocks", members}, {"repeat", c.value()}});
    });
}

void projectParameter(Chooser& c) {
    const Pointer place = Pointer("/parameters") / ("p" + std::to_string(c.below(5)));
    if (c.below(3) == 0) c.edit([&](Transaction& t) { t.remove(place); });
    else c.edit([&](Transaction& t) { t.set(place / (c.below(2) ? "value" : "maximum"), c.value()); });
}

void renameProjectParameter(Chooser& c) {
    std::vector<std::string> names;
    for (const auto& entry : object(c.find("/parameters")).items()) names.push_back(entry.key());
    const std::string to = "q" + std::to_string(c.below(50));
    if (!names.empty() && !find(c.json(), Pointer("/parameters") / to))
        c.edit([&](Transaction& t) { renameParameter(t, c.oneOf(names), to); });
}

void paste(Chooser& c) {
    if (c.ids.size() > 40) return;
    Cutting cutting;
    cutting.blocks = c.blocks();
    for (const std::string& id : cutting.blocks) cutting.positions[id] = c.place();
    const auto fragment =
        readFragment(QByteArray::fromStdString(canonicalText(copyFragment(c.document.json(), cutting))));
    if (const Json* json = std::get_if<Json>(&fragment))
        c.edit([&](Transaction& t) { pasteFragment(t, *json, {40, 40}); });
}

void refused(Chooser& c) {
    // The edit fails halfway, so the document must roll back the first half.
    c.edit([&](Transaction& t) {
        t.set(Pointer("/run/items"), c.below(100));
        t.append(Pointer("/graph/blocks"), c.value());
        t.append(Pointer("/graph/pipes/list"), 1);
        throw EditRefused("not wanted");
    });
}

void wholeContent(Chooser& c) {
    Json other = c.document.json();
    other["x_reloaded"] = c.below(1000);
    c.document.replaceContent(QStringLiteral("reload"), std::move(other));
}

const std::vector<RandomKind>& allKinds() {
    static const std::vector<RandomKind> kinds = [] {
        std::vector<RandomKind> all{{"add", add},
                                    {"remove blocks", removeBlocks},
                                    {"remove and heal", removeHealed},
                                    {"remove wire", removeWire},
                                    {"connect", connectBlocks},
                                    {"reconnect", reconnect},
                                    {"insert into wire", insertIntoWire},
                                    {"rename", renameOne},
                                    {"move", moveSome},
                                    {"parameter", setParameter},
                                    {"property", setProperty},
                                    {"state", setState},
                                    {"repeat", repeat},
                                    {"correct", correct},
                                    {"run", setRun},
                                    {"group", group},
                                    {"ungroup", ungroup},
                                    {"odd group", oddGroup},
                                    {"project parameter", projectParameter},
                                    {"rename parameter", renameProjectParameter},
                                    {"paste", paste},
                                    {"refused", refused},
                                    {"whole content", wholeContent}};
        for (const auto& more : {decorKinds(), deploymentKinds()}) all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return kinds;
}

} // namespace

QStringList randomCommandKinds() {
    QStringList names;
    for (const RandomKind& kind : allKinds()) names.append(QLatin1String(kind.name));
    return names;
}

QString randomCommand(Document& document, QRandomGenerator& random, const Catalog& catalog) {
    Chooser chooser(document, random, catalog);
    const RandomKind& kind = chooser.oneOf(allKinds());
    kind.run(chooser);
    return QLatin1String(kind.name);
}

} // namespace weir::editor
