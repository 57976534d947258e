#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/graph/type_inference.h"
#include "core/text/value_text.h"
#include "features/inspector/inspector_rows.h"
#include "shell/fields/row_builder.h"
#include "shell/fields/schema_rows.h"

#include <QObject>

#include <algorithm>

namespace weir::editor {
namespace {

using Rows = std::vector<ParameterRow>;

using ItemTypesOfBlocks = std::map<std::string, std::string>;

ParameterRow itemTypeRow(const Json& project, const Catalog& catalog, const Pointer& parameters, const BlockType& type,
                         const std::string& block, const ItemTypesOfBlocks& inferred) {
    const auto decided = inferred.find(block);
    const QString unset =
        decided == inferred.end() ? QObject::tr("inferred") : QObject::tr("inferred: %1").arg(qt(decided->second));
    ParameterRow row =
        documented(asChoice(fieldRow(project, parameters / "item_type", "enum", QObject::tr("Item type"), unset),
                            qtList(type.itemTypes)),
                   QObject::tr("Item type of the block's ports. Without a choice, the connections decide."));
    if (row.set) // an item type that the project sets
        row.placeholder = QObject::tr("inferred");
    const auto ruledOut = ruledOutTypes(project, catalog, block);
    for (const std::string& itemType : type.itemTypes) {
        const auto because = ruledOut.find(itemType);
        row.refused.append(because == ruledOut.end() ? QString() : QObject::tr("not with %1").arg(qt(because->second)));
    }
    return row;
}

Rows parametersOf(const Json& project, const Catalog& catalog, const Pointer& block,
                  const ItemTypesOfBlocks& inferred) {
    Rows rows;
    const Pointer parameters = block / "parameters";
    const BlockType* type = catalog.typeOf(*find(project, block));
    if (type && type->itemTypes.size() > 1)
        rows.push_back(itemTypeRow(project, catalog, parameters, *type, text(find(project, block / "id")), inferred));
    if (type)
        for (const ParameterType& parameter : type->parameters)
            rows.push_back(describedRow(project, parameters / parameter.id, parameter));
    addUnknown(rows, project, parameters);
    return rows;
}

Rows propertiesOf(const Json& project, const Pointer& block) {
    return {schemaRow(project, block / "state"), schemaRow(project, block / "repeat"),
            schemaRow(project, block / "probe"), asNote(schemaRow(project, block / "comment"))};
}

/// Return the rows that all blocks share: those of the first block, with the pointers of the others.
Rows shared(const std::vector<Rows>& all) {
    Rows result;
    for (const ParameterRow& first : all.front()) {
        ParameterRow row = first;
        bool everywhere = true;
        for (std::size_t block = 1; everywhere && block < all.size(); ++block) {
            const auto other = std::find_if(all[block].begin(), all[block].end(), [&row](const ParameterRow& r) {
                return r.name == row.name && r.type == row.type && r.options == row.options && r.unit == row.unit;
            });
            everywhere = other != all[block].end();
            if (!everywhere) break;
            row.others.push_back(other->pointer);
            row.mixed = row.mixed || other->value != first.value || other->set != first.set;
            row.set = row.set || other->set;
            row.required = row.required || other->required;
            if (other->placeholder != first.placeholder) row.placeholder.clear();
        }
        if (!everywhere) continue;
        if (row.mixed) row.value = row.shown = QString();
        result.push_back(std::move(row));
    }
    return result;
}

template <typename Of> Rows rowsOf(const Json& project, const QStringList& blocks, Of of) {
    std::vector<Rows> all;
    for (const QString& id : blocks)
        if (const auto block = blockPointer(project, id.toStdString())) all.push_back(of(*block));
    return all.empty() ? Rows() : shared(all);
}

} // namespace

Rows blockParameterRows(const Json& project, const Catalog& catalog, const QStringList& blocks) {
    const ItemTypesOfBlocks inferred = blocks.isEmpty() ? ItemTypesOfBlocks() : inferItemTypes(project, catalog);
    return rowsOf(project, blocks,
                  [&](const Pointer& block) { return parametersOf(project, catalog, block, inferred); });
}

Rows blockPropertyRows(const Json& project, const QStringList& blocks) {
    return rowsOf(project, blocks, [&](const Pointer& block) { return propertiesOf(project, block); });
}

Rows blockThreadRows(const Json& project, const Catalog& catalog, const QString& deployment,
                     const QStringList& blocks) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const SchedulerType* scheduler = catalog.scheduler(text(find(project, *place / "scheduler")));
    const bool moves = scheduler && !scheduler->jobs.empty();
    return rowsOf(project, blocks, [&](const Pointer& block) {
        Rows rows = threadRowsOf(project, *place, text(find(project, block / "id")), "block");
        std::erase_if(rows, [moves](const ParameterRow& row) { return moves && !row.set; });
        return rows;
    });
}

Rows projectRows(const Json& project) {
    Rows rows{schemaRow(project, Pointer("/name")), schemaRow(project, Pointer("/title")),
              asNote(schemaRow(project, Pointer("/description")))};
    rows.front().required = true;
    // These rows have no default to differ from.
    for (ParameterRow& row : rows) row.set = false;
    rows.push_back(schemaRow(project, kGraph.pipes));
    return rows;
}

} // namespace weir::editor
