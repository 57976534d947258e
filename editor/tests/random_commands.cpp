#include "random_commands.h"

#include "canonical_json.h"
#include "field_commit.h"
#include "fragment.h"
#include "inspector_rows.h"
#include "project_edits.h"

#include <functional>

using namespace weir::editor;

namespace {

/// What the kinds of edits choose from.
class Chooser
{
public:
    Chooser(Document &document, QRandomGenerator &random, const Catalog &catalog)
        : document(document), random(random), catalog(catalog)
    {
        for (const Json &block : list(find(document.json(), Pointer("/graph/blocks"))))
            ids.push_back(text(member(block, "id")));
    }

    int below(int limit) { return random.bounded(limit); }
    std::string block() { return ids.empty() ? "none" : ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))]; }
    QPointF place() { return {below(2000) - 500.0, below(2000) - 500.0}; }

    std::set<std::string> blocks()
    {
        std::set<std::string> chosen;
        for (int i = below(5); i >= 0; --i)
            chosen.insert(block());
        return chosen;
    }

    Json value()
    {
        static const std::vector<Json> values{3, -1, 2.5e-7, true, "text ü", nullptr, Json::array({1, 2}), Json{{"expr", "2 * stages"}},
                                              Json::object(), Json{{"x_own", Json::array({Json::object()})}}};
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    std::string pointerInto(const char *listPointer)
    {
        const std::size_t count = list(find(document.json(), Pointer(listPointer))).size();
        return listPointer + ("/" + std::to_string(count == 0 ? 0 : below(static_cast<int>(count))));
    }

    void edit(const Document::Change &change, const QString &mergeKey = {}) { document.edit(QStringLiteral("step"), change, mergeKey); }

    void commit(std::vector<ParameterRow> rows)
    {
        static const QStringList typed{QStringLiteral("3"), QStringLiteral("2.5e-7"), QStringLiteral("= 2 * stages"), QString(),
                                       QStringLiteral("2.4M"), QStringLiteral("[1, 2]"), QStringLiteral("f32"), QStringLiteral("true")};
        if (!rows.empty())
            commitField(document, rows[static_cast<std::size_t>(below(static_cast<int>(rows.size())))], typed[below(static_cast<int>(typed.size()))]);
    }

    Document &document;
    QRandomGenerator &random;
    const Catalog &catalog;
    std::vector<std::string> ids;
};

void add(Chooser &c)
{
    const auto &types = c.catalog.blocks();
    const std::string type = types[static_cast<std::size_t>(c.below(static_cast<int>(types.size())))].id;
    if (c.ids.size() < 40)
        c.edit([&](Transaction &t) { addBlock(t, freeBlockId(c.document.json(), type), type, c.place()); });
}

void removeBlocks(Chooser &c)
{
    if (c.ids.size() > 10)
        c.edit([&](Transaction &t) { removeParts(t, c.blocks(), {}); });
}

void removeWire(Chooser &c)
{
    const Json *wire = find(c.document.json(), Pointer(c.pointerInto("/graph/connections")));
    if (const auto connection = wire ? toConnection(*wire) : std::nullopt)
        c.edit([&](Transaction &t) { removeParts(t, {}, {*connection}); });
}

void connectBlocks(Chooser &c)
{
    c.edit([&](Transaction &t) { addConnection(t, {c.block(), "out", c.block(), "in"}); });
}

void renameOne(Chooser &c)
{
    const std::string to = freeBlockId(c.document.json(), "renamed_" + std::to_string(c.below(50)));
    c.edit([&](Transaction &t) { renameBlock(t, c.block(), to); });
}

void moveSome(Chooser &c)
{
    std::vector<std::pair<std::string, QPointF>> places;
    for (const std::string &id : c.blocks())
        places.emplace_back(id, c.place());
    c.edit([&](Transaction &t) { placeBlocks(t, places); }, c.below(2) ? QStringLiteral("move") : QString());
}

void setParameter(Chooser &c)
{
    c.commit(blockParameterRows(c.document.json(), c.catalog, {QString::fromStdString(c.block())}));
}

void setProperty(Chooser &c)
{
    c.commit(blockPropertyRows(c.document.json(), {QString::fromStdString(c.block())}));
}

void setRun(Chooser &c)
{
    c.commit(runRows(c.document.json(), c.catalog));
}

void group(Chooser &c)
{
    Json members = Json::array();
    for (const std::string &id : c.blocks())
        members.push_back(id);
    c.edit([&](Transaction &t) {
        t.append(Pointer("/graph/groups"), {{"id", "group_" + std::to_string(c.below(9))}, {"blocks", members}, {"repeat", c.value()}});
    });
}

void ungroup(Chooser &c)
{
    c.edit([&](Transaction &t) { t.remove(Pointer(c.pointerInto("/graph/groups"))); });
}

void addDeployment(Chooser &c)
{
    if (list(find(c.document.json(), Pointer("/deployments"))).size() < 8)
        c.edit([&](Transaction &t) {
            t.append(Pointer("/deployments"), {{"name", "d" + std::to_string(c.below(99))}, {"scheduler", "flow"}});
        });
}

void changeDeployment(Chooser &c)
{
    const Pointer deployment(c.pointerInto("/deployments"));
    if (!find(c.document.json(), deployment))
        return;
    static const std::vector<std::string> places{"/workers", "/affinity/w0", "/chunk_items", "/memory/lock", "/placement/strategy",
                                                 "/build/march", "/x_mine"};
    c.edit([&](Transaction &t) {
        t.set(deployment / Pointer(places[static_cast<std::size_t>(c.below(static_cast<int>(places.size())))]), c.value());
        t.set(deployment / "placement" / "map" / (c.block() + "[0]"), "w" + std::to_string(c.below(3)));
        t.set(deployment / "buffers" / (c.block() + ".out->" + c.block() + ".in"), {{"items", 4096}});
    });
}

void removeDeployment(Chooser &c)
{
    if (c.below(3) == 0)
        c.edit([&](Transaction &t) { t.remove(Pointer(c.pointerInto("/deployments"))); });
}

void projectParameter(Chooser &c)
{
    const Pointer place = Pointer("/parameters") / ("p" + std::to_string(c.below(5)));
    if (c.below(3) == 0)
        c.edit([&](Transaction &t) { t.remove(place); });
    else
        c.edit([&](Transaction &t) { t.set(place / (c.below(2) ? "value" : "maximum"), c.value()); });
}

void paste(Chooser &c)
{
    if (c.ids.size() > 40)
        return;
    Cutting cutting;
    cutting.blocks = c.blocks();
    for (const std::string &id : cutting.blocks)
        cutting.positions[id] = c.place();
    const auto fragment = readFragment(QByteArray::fromStdString(canonicalText(copyFragment(c.document.json(), cutting))));
    if (const Json *json = std::get_if<Json>(&fragment))
        c.edit([&](Transaction &t) { pasteFragment(t, *json, {40, 40}); });
}

void refused(Chooser &c)
{
    // Half of it is done when it is refused: all of it must be taken back.
    c.edit([&](Transaction &t) {
        t.set(Pointer("/run/items"), c.below(100));
        t.append(Pointer("/graph/blocks"), c.value());
        t.append(Pointer("/graph/pipes/list"), 1);
        throw EditRefused("not wanted");
    });
}

void wholeContent(Chooser &c)
{
    if (c.below(10) != 0)
        return;
    Json other = c.document.json();
    other["x_reloaded"] = c.below(1000);
    c.document.replaceContent(QStringLiteral("reload"), std::move(other));
}

} // namespace

QString randomCommand(Document &document, QRandomGenerator &random, const Catalog &catalog)
{
    static const std::vector<std::pair<const char *, std::function<void(Chooser &)>>> kinds{
        {"add", add}, {"remove blocks", removeBlocks}, {"remove wire", removeWire}, {"connect", connectBlocks}, {"rename", renameOne},
        {"move", moveSome}, {"parameter", setParameter}, {"property", setProperty}, {"run", setRun}, {"group", group}, {"ungroup", ungroup},
        {"add deployment", addDeployment}, {"change deployment", changeDeployment}, {"remove deployment", removeDeployment},
        {"project parameter", projectParameter}, {"paste", paste}, {"refused", refused}, {"whole content", wholeContent}};
    const auto &[name, run] = kinds[static_cast<std::size_t>(random.bounded(static_cast<int>(kinds.size())))];
    Chooser chooser(document, random, catalog);
    run(chooser);
    return QLatin1String(name);
}
