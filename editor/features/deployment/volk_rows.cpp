#include "volk_rows.h"

#include "project_places.h"
#include "row_builder.h"
#include "type_inference.h"

#include <QObject>

#include <algorithm>
#include <set>

namespace weir::editor {
namespace {

using Names = std::vector<std::string>;
using Callers = std::map<std::string, std::set<std::string>>;

/// The kernels that the graph calls, with the titles of the blocks that do.
Callers calledBy(const Json &project, const Catalog &catalog)
{
    Callers callers;
    const std::map<std::string, std::string> itemTypes = inferItemTypes(project, catalog);
    for (const Json &block : list(find(project, kGraph.blocks))) {
        const BlockType *type = catalog.block(text(member(block, "type")));
        const std::string state = text(member(block, "state"));
        if (!type || (!state.empty() && state != "enabled"))
            continue;
        const auto own = itemTypes.find(text(member(block, "id")));
        for (const auto &[kernel, types] : type->kernels)
            if (types.empty() || (own != itemTypes.end() && std::find(types.begin(), types.end(), own->second) != types.end()))
                callers[kernel].insert(type->title);
    }
    return callers;
}

/// What can be wished where VOLK has implementations of these names: the blocks' own code; each without what its name says of
/// alignment, for all items; and each as it is called.
QStringList wishes(const Names &names)
{
    std::set<QString> all, whole;
    for (const QString &name : qtList(names)) {
        const bool saysAlignment = name.startsWith(QLatin1String("a_")) || name.startsWith(QLatin1String("u_"));
        all.insert(saysAlignment ? name.mid(2) : name);
        if (saysAlignment)
            whole.insert(name);
    }
    QStringList result{QStringLiteral("off")};
    result.append(QStringList(all.begin(), all.end()));
    result.append(QStringList(whole.begin(), whole.end()));
    return result;
}

/// `met`: those of the names `here` that are of use to this graph.
ParameterRow asWish(ParameterRow row, const Names &here, const Names &met)
{
    if (here.empty())
        return row;
    const QStringList had = wishes(here), useful = wishes(met);
    QStringList options = had;
    if (row.set && !had.contains(row.value))
        options.append(row.value);
    row = asChoice(row, options);
    for (const QString &option : options)
        row.refused.append(useful.contains(option) ? QString()
                           : had.contains(option)  ? QObject::tr("no kernel of this graph has it")
                                                   : QObject::tr("not on this machine"));
    const QString why = row.set ? row.refused.value(options.indexOf(row.value)) : QString();
    if (!why.isEmpty()) {
        row.problem = QObject::tr("%1: %2").arg(row.value, why);
        row.severity = QStringLiteral("warning");
    }
    return row;
}

Names implementations(const Catalog &catalog, const std::string &kernel)
{
    const auto found = catalog.volk().find(kernel);
    return found == catalog.volk().end() ? Names() : found->second;
}

} // namespace

ParameterRow volkRow(const Json &project, const Catalog &catalog, const Pointer &deployment)
{
    Names here, met;
    const Callers callers = calledBy(project, catalog);
    for (const auto &[kernel, names] : catalog.volk()) {
        here.insert(here.end(), names.begin(), names.end());
        if (callers.empty() || callers.count(kernel) > 0)
            met.insert(met.end(), names.begin(), names.end());
    }
    return asWish(documented(fieldRow(project, deployment / "volk" / "implementation", "string", QObject::tr("VOLK"), QObject::tr("VOLK chooses")),
                             QObject::tr("What the blocks call of VOLK: off for their scalar code, generic, or one of the implementations that this "
                                         "machine has: avx2 for all items, a_avx2 for aligned ones alone. Kernels that lack it keep VOLK's choice.")),
                  here, met);
}

std::vector<ParameterRow> volkKernelRows(const Json &project, const Catalog &catalog, const Pointer &deployment)
{
    Callers kernels = calledBy(project, catalog);
    const Pointer volk = deployment / "volk";
    for (const auto &item : object(find(project, volk / "kernels")).items())
        kernels[item.key()]; // whether blocks call it or not
    const QString all = qt(text(find(project, volk / "implementation")));
    std::vector<ParameterRow> rows;
    for (const auto &[kernel, callers] : kernels) {
        const Names here = implementations(catalog, kernel);
        const QString usual = wishes(here).contains(all) ? all : QObject::tr("VOLK chooses");
        const QString blocks = qtList(Names(callers.begin(), callers.end())).join(QStringLiteral(", "));
        rows.push_back(asWish(documented(fieldRow(project, volk / "kernels" / kernel, "string", qt(kernel), usual),
                                         blocks.isEmpty() ? QObject::tr("%1: no block of this graph calls it.").arg(qt(kernel))
                                                          : QObject::tr("%1, called by: %2.").arg(qt(kernel), blocks)),
                              here, here));
        if (rows.back().title.startsWith(QLatin1String("volk_")))
            rows.back().title.remove(0, 5);
    }
    return rows;
}

} // namespace weir::editor
