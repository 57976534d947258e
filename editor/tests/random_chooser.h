#pragma once

#include "core/catalog/catalog.h"
#include "core/document/document.h"
#include "core/edits/project_edits.h"

#include <QRandomGenerator>
#include <QRectF>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

/// Random choices for the random edits.
class Chooser {
  public:
    Chooser(Document& document, QRandomGenerator& random, const Catalog& catalog)
        : document(document), random(random), catalog(catalog) {
        for (const Json& block : list(find("/graph/blocks"))) ids.push_back(text(member(block, "id")));
    }

    const Json& json() const { return document.json(); }
    const Json* find(const char* pointer) const { return weir::editor::find(document.json(), Pointer(pointer)); }
    int below(int limit) { return random.bounded(limit); }
    template <typename List> auto& oneOf(List& values) {
        return values[static_cast<decltype(values.size())>(below(static_cast<int>(values.size())))];
    }
    std::string block() { return ids.empty() ? "none" : oneOf(ids); }
    QPointF place() { return {below(2000) - 500.0, below(2000) - 500.0}; }
    QRectF rect() { return {place(), QSizeF(80 + below(600), 40 + below(400))}; }

    std::set<std::string> blocks() {
        std::set<std::string> chosen;
        for (int i = below(5); i >= 0; --i) chosen.insert(block());
        return chosen;
    }

    Json value() {
        static const std::vector<Json> values{3,
                                              -1,
                                              2.5e-7,
                                              true,
                                              "text ü",
                                              nullptr,
                                              Json::array({1, 2}),
                                              Json{{"expr", "2 * stages"}},
                                              Json::object(),
                                              Json{{"x_own", Json::array({Json::object()})}}};
        return oneOf(values);
    }

    QString words() {
        static const QStringList words{QStringLiteral("Front end"), QStringLiteral("two\nlines"),
                                       QStringLiteral("„ü“ \\ \" \t"), QStringLiteral("= 2 * stages"), QString()};
        return oneOf(words);
    }

    std::string pointerInto(const char* listPointer) {
        const std::size_t count = list(find(listPointer)).size();
        return listPointer + ("/" + std::to_string(count == 0 ? 0 : below(static_cast<int>(count))));
    }

    std::optional<Connection> wire() {
        const Json* wire = weir::editor::find(json(), Pointer(pointerInto("/graph/connections")));
        return wire ? toConnection(*wire) : std::nullopt;
    }

    void edit(const Document::Change& change, const QString& mergeKey = {}) {
        document.edit(QStringLiteral("step"), change, mergeKey);
    }

    Document& document;
    QRandomGenerator& random;
    const Catalog& catalog;
    std::vector<std::string> ids;
};

struct RandomKind {
    const char* name;
    std::function<void(Chooser&)> run;
};

std::vector<RandomKind> decorKinds();
std::vector<RandomKind> deploymentKinds();

} // namespace weir::editor
