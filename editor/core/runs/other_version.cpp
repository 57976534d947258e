#include "core/runs/other_version.h"

#include "core/text/texts.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

/// What is otherwise, but for the deployments.
QStringList partsApart(const QStringList& before, const QStringList& present) {
    QStringList parts;
    for (const auto& [name, words] : {std::pair("graph", QT_TRANSLATE_NOOP("Results", "graph")),
                                      {"parameters", QT_TRANSLATE_NOOP("Results", "parameters")},
                                      {"deployments", QT_TRANSLATE_NOOP("Results", "deployments")},
                                      {"run", QT_TRANSLATE_NOOP("Results", "run settings")}})
        for (const QString& part : before)
            if (part.startsWith(QLatin1String(name) + u':') && !present.contains(part))
                parts.append(ResultsText::tr(words));
    return parts;
}

/// The part of a deployment; empty: there is none.
QString partOf(const QStringList& parts, const QString& deployment) {
    const auto place = std::find_if(parts.begin(), parts.end(),
                                    [start = QStringLiteral("deployment/%1:").arg(deployment)](const QString& part) {
                                        return part.startsWith(start);
                                    });
    return place == parts.end() ? QString() : *place;
}

QStringList withoutDeployments(QStringList parts) {
    parts.removeIf([](const QString& part) { return part.startsWith(QLatin1String("deployment/")); });
    return parts;
}

QString otherText(const QStringList& parts) {
    return parts.isEmpty() ? ResultsText::tr("other version of the project")
                           : ResultsText::tr("other %1 than now").arg(parts.join(QStringLiteral(", ")));
}

QStringList otherText(const QString& was, const QString& is) {
    const QStringList before = withoutDeployments(was.split(u' ')), present = withoutDeployments(is.split(u' '));
    return before == present ? QStringList() : QStringList{otherText(partsApart(before, present))};
}

} // namespace

QString otherParts(const QString& was, const QString& is, const QString& deployment) {
    QStringList found = otherText(was, is);
    const QString before = partOf(was.split(u' '), deployment), present = partOf(is.split(u' '), deployment);
    // What ran without a deployment in its project is in no part of it.
    if (!before.isEmpty() && before != present)
        found.append((present.isEmpty() ? ResultsText::tr("deployment %1 is gone")
                                        : ResultsText::tr("deployment %1 was changed"))
                         .arg(deployment));
    return found.join(QStringLiteral(", "));
}

QString otherPartsInShort(const QString& was, const QString& is) {
    return otherText(was, is).value(0, ResultsText::tr("deployment was changed"));
}

} // namespace weir::editor
