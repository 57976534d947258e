#include "other_version.h"

#include "texts.h"

#include <QStringList>

#include <utility>

namespace weir::editor {
namespace {

/// The deployments that are otherwise, or not at all, in the other one.
QStringList deploymentsApart(const QStringList &parts, const QStringList &others)
{
    QStringList names;
    for (const QString &part : parts)
        if (part.startsWith(QLatin1String("deployment/")) && !others.contains(part))
            names.append(part.section(u':', 0, 0).section(u'/', 1));
    return names;
}

/// What is otherwise, but for the deployments.
QStringList partsApart(const QStringList &before, const QStringList &present)
{
    QStringList parts;
    for (const auto &[name, words] : {std::pair("graph", QT_TRANSLATE_NOOP("Results", "graph")),
                                      {"parameters", QT_TRANSLATE_NOOP("Results", "parameters")},
                                      {"deployments", QT_TRANSLATE_NOOP("Results", "deployments")},
                                      {"run", QT_TRANSLATE_NOOP("Results", "run settings")}})
        for (const QString &part : before)
            if (part.startsWith(QLatin1String(name) + u':') && !present.contains(part))
                parts.append(ResultsText::tr(words));
    return parts;
}

/// Deployments that are otherwise on either side.
QStringList allDeploymentsApart(const QStringList &before, const QStringList &present)
{
    QStringList deployments = deploymentsApart(before, present) + deploymentsApart(present, before);
    deployments.removeDuplicates();
    return deployments;
}

QString otherText(const QStringList &parts)
{
    return parts.isEmpty() ? ResultsText::tr("other version of the project")
                           : ResultsText::tr("other %1").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

QString otherParts(const QString &was, const QString &is)
{
    const QStringList before = was.split(u' '), present = is.split(u' ');
    QStringList parts = partsApart(before, present);
    const QStringList deployments = allDeploymentsApart(before, present);
    for (const QString &name : deployments)
        parts.append(ResultsText::tr("deployment %1").arg(name));
    return otherText(parts);
}

QString otherPartsInShort(const QString &was, const QString &is)
{
    const QStringList before = was.split(u' '), present = is.split(u' ');
    const QStringList parts = partsApart(before, present);
    const bool named = !allDeploymentsApart(before, present).isEmpty();
    if (!named)
        return otherText(parts);
    return parts.isEmpty() ? ResultsText::tr("another deployment") : otherText(parts + QStringList{ResultsText::tr("deployment")});
}

} // namespace weir::editor
