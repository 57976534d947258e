#include "features/deployment/deployment_rows.h"

#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/edits/project_edits.h"
#include "core/graph/type_inference.h"
#include "shell/fields/row_builder.h"
#include "shell/fields/schema_rows.h"

#include <QObject>

#include <algorithm>

namespace weir::editor {
namespace {

using Names = std::vector<std::string>;

/// Return the choices if VOLK has implementations of these names: the blocks' own code; VOLK's own choice; each name
/// without its alignment suffix, for all items; and each full name.
QStringList implementations(const Names& names) {
    std::set<QString> all, whole;
    for (const QString& name : qtList(names)) {
        const bool saysAlignment = name.startsWith(QLatin1String("a_")) || name.startsWith(QLatin1String("u_"));
        all.insert(saysAlignment ? name.mid(2) : name);
        if (saysAlignment) whole.insert(name);
    }
    QStringList result{QStringLiteral("off"), QStringLiteral("auto")};
    result.append(QStringList(all.begin(), all.end()));
    result.append(QStringList(whole.begin(), whole.end()));
    return result;
}

/// Turn `row` into a choice. `met`: the names among `here` that are useful to this graph.
ParameterRow withImplementations(ParameterRow row, const Names& here, const Names& met) {
    if (here.empty()) return row;
    const QStringList had = implementations(here), useful = implementations(met);
    QStringList options = had;
    if (row.set && !had.contains(row.value)) options.append(row.value);
    row = asChoice(row, options);
    for (const QString& option : options)
        row.refused.append(useful.contains(option) ? QString()
                           : had.contains(option)  ? QObject::tr("no kernel of this graph has this implementation")
                                                   : QObject::tr("not on this machine"));
    const QString why = row.set ? row.refused.value(options.indexOf(row.value)) : QString();
    if (!why.isEmpty()) {
        row.problem = QObject::tr("%1: %2").arg(row.value, why);
        row.severity = QStringLiteral("warning");
    }
    return row;
}

ParameterRow rowOfAll(const Json& project, const Catalog& catalog, const Pointer& volk, const KernelCallers& callers) {
    Names here, met;
    for (const auto& [kernel, names] : catalog.volk()) {
        here.insert(here.end(), names.begin(), names.end());
        if (callers.empty() || callers.count(kernel) > 0) met.insert(met.end(), names.begin(), names.end());
    }
    return withImplementations(schemaRow(project, volk / "implementation"), here, met);
}

ParameterRow rowOfOne(const Json& project, const Catalog& catalog, const Pointer& volk, const std::string& kernel,
                      const std::set<std::string>& callers) {
    const auto found = catalog.volk().find(kernel);
    const Names here = found == catalog.volk().end() ? Names() : found->second;
    const QString name = qt(kernel), all = qt(text(find(project, volk / "implementation")));
    const QString title = name.startsWith(QLatin1String("volk_")) ? name.mid(5) : name;
    const QString usual = implementations(here).contains(all) ? all : shownAt(volk / "implementation").unset;
    const QString blocks = qtList(Names(callers.begin(), callers.end())).join(QStringLiteral(", "));
    return withImplementations(
        documented(fieldRow(project, volk / "kernels" / kernel, "string", title, usual),
                   blocks.isEmpty() ? QObject::tr("%1: no block of this graph calls it.").arg(name)
                                    : QObject::tr("%1, called by: %2.").arg(name, blocks)),
        here, here);
}

}  // namespace

KernelCallers kernelCallers(const Json& project, const Catalog& catalog) {
    KernelCallers callers;
    const std::map<std::string, std::string> itemTypes = inferItemTypes(project, catalog);
    for (const Json& block : list(find(project, kGraph.blocks))) {
        const BlockType* type = catalog.block(text(member(block, "type")));
        const std::string state = text(member(block, "state"));
        if (!type || (!state.empty() && state != "enabled")) continue;
        const auto own = itemTypes.find(text(member(block, "id")));
        for (const auto& [kernel, types] : type->kernels)
            if (types.empty() ||
                (own != itemTypes.end() && std::find(types.begin(), types.end(), own->second) != types.end()))
                callers[kernel].insert(type->title);
    }
    return callers;
}

std::vector<ParameterRow> volkRows(const Json& project, const Catalog& catalog, const QString& deployment,
                                   const KernelCallers& callers) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const Pointer volk = *place / "volk";
    std::vector<ParameterRow> rows{rowOfAll(project, catalog, volk, callers)};
    KernelCallers kernels = callers;
    for (const auto& item : object(find(project, volk / "kernels")).items())
        kernels[item.key()];  // also without a block that calls it
    for (const auto& [kernel, blocks] : kernels) rows.push_back(rowOfOne(project, catalog, volk, kernel, blocks));
    return rows;
}

}  // namespace weir::editor
