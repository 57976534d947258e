#include "features/canvas/graph_words.h"

#include "core/json/json.h"

#include <QCoreApplication>

namespace weir::editor {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GraphReader)
};

/// The blocks at the other ends of its inputs or outputs, each once.
QStringList neighbours(const GraphScene& scene, const BlockView& block, bool outputs) {
    QStringList ids;
    for (const WireView& wire : scene.wires()) {
        const std::string& here = outputs ? wire.connection.source : wire.connection.target;
        const QString there = QString::fromStdString(outputs ? wire.connection.target : wire.connection.source);
        if (QString::fromStdString(here) == block.id && !ids.contains(there)) ids.append(there);
    }
    return ids;
}

} // namespace

QString blockWords(const GraphScene& scene, const BlockView& block) {
    QStringList words{block.id, block.title};
    if (!block.badge.isEmpty()) words.append(block.badge);
    if (block.ghost) words.append(Words::tr("of a type that is not known"));
    if (block.state != BlockState::Enabled)
        words.append(block.state == BlockState::Disabled ? Words::tr("disabled") : Words::tr("bypassed"));
    const QStringList sources = neighbours(scene, block, false), targets = neighbours(scene, block, true);
    if (!sources.isEmpty()) words.append(Words::tr("from %1").arg(sources.join(u' ')));
    if (!targets.isEmpty()) words.append(Words::tr("to %1").arg(targets.join(u' ')));
    if (sources.isEmpty() && targets.isEmpty()) words.append(Words::tr("not connected"));
    return words.join(QStringLiteral(", "));
}

QString wireWords(const WireView& wire) {
    const Connection& ends = wire.connection;
    const QString words = Words::tr("wire from %1.%2 to %3.%4")
                              .arg(QString::fromStdString(ends.source), QString::fromStdString(ends.sourcePort),
                                   QString::fromStdString(ends.target), QString::fromStdString(ends.targetPort));
    return wire.itemType.isEmpty() ? words : words + QStringLiteral(", ") + wire.itemType;
}

} // namespace weir::editor
