#include "features/palette/block_entry.h"

#include "core/graph/type_inference.h"
#include "core/text/prose.h"

#include <QStringList>

namespace weir::editor {
namespace {

QString portsText(const std::vector<PortType>& ports, const BlockType& type) {
    QStringList own;
    for (const std::string& itemType : type.itemTypes) own.append(QString::fromStdString(itemType));
    QStringList texts;
    for (const PortType& port : ports)
        texts.append(QString::fromStdString(port.id) + u' ' +
                     QString::fromStdString(portItemType(port, own.join(u'/').toStdString())));
    return texts.join(QStringLiteral(", "));
}

} // namespace

BlockEntry BlockEntry::of(const BlockType& type, const QString& reason, bool favourite) {
    BlockEntry entry;
    entry.type = QString::fromStdString(type.id);
    entry.title = QString::fromStdString(type.title.empty() ? type.id : type.title);
    entry.category = QString::fromStdString(type.category);
    entry.ports = QStringLiteral("%1 → %2").arg(portsText(type.inputs, type), portsText(type.outputs, type)).trimmed();
    entry.documentation = firstSentence(QString::fromStdString(type.documentation));
    entry.reason = reason;
    entry.favourite = favourite;
    return entry;
}

BlockEntry BlockEntry::heading(const QString& group, const QString& title, int count, bool open) {
    BlockEntry entry;
    entry.group = group;
    entry.title = title;
    entry.count = count;
    entry.open = open;
    return entry;
}

} // namespace weir::editor
