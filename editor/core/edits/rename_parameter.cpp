#include "core/edits/rename_parameter.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/edits/sweep_names.h"
#include "core/text/expression_text.h"

#include <functional>

namespace weir::editor {
namespace {

using Visit = std::function<void(const Pointer&, const std::string&)>;

/// Calls `visit` for each {"expr": …} that Weir evaluates: in the drawing only those of designs, and never below `x_`
/// keys of other programs.
void eachExpression(const Json& value, const Pointer& at, const Visit& visit) {
    const Json* source = member(value, "expr");
    if (source && source->is_string() && value.size() == 1) {
        visit(at, source->get<std::string>());
    } else if (value.is_object()) {
        for (const auto& item : value.items())
            if (item.key().rfind("x_", 0) != 0 && (item.key() == "designs" || at != kDesigns.parent_pointer()))
                eachExpression(item.value(), at / item.key(), visit);
    } else if (value.is_array()) {
        for (std::size_t index = 0; index < value.size(); ++index) eachExpression(value[index], at / index, visit);
    }
}

} // namespace

std::vector<Pointer> usesOfParameter(const Json& project, const std::string& name) {
    std::vector<Pointer> uses;
    eachExpression(project, Pointer(), [&](const Pointer& at, const std::string& source) {
        if (usesName(QString::fromStdString(source), QString::fromStdString(name))) uses.push_back(at);
    });
    return uses;
}

void renameParameter(Transaction& transaction, const std::string& from, const std::string& to) {
    if (!find(transaction.json(), Pointer("/parameters") / from))
        throw EditRefused("parameter " + from + " does not exist");
    for (const Pointer& use : usesOfParameter(transaction.json(), from)) {
        const QString source = QString::fromStdString(text(find(transaction.json(), use / "expr")));
        transaction.set(
            use / "expr",
            withNameReplaced(source, QString::fromStdString(from), QString::fromStdString(to)).toStdString());
    }
    const auto whole = [&](const std::string& name) { return name == from ? to : name; };
    renameKeys(transaction, Pointer("/parameters"), whole);
    renameAxis(transaction, from, to);
}

} // namespace weir::editor
