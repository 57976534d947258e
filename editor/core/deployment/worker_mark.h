#pragma once

#include <QHash>
#include <QVariantMap>

namespace weir::editor {

/// Workers that run a block, as marks on blocks and their colours show them.
struct WorkerMark {
    QString label;
    QString names;
    QVariantList colours; ///< numbers of the workers
};

/// Marks as roles of the block model have them.
inline QHash<QString, QVariantMap> saidOf(const QHash<QString, WorkerMark>& marks) {
    QHash<QString, QVariantMap> said;
    for (auto it = marks.constBegin(); it != marks.constEnd(); ++it)
        said.insert(it.key(), {{QStringLiteral("label"), it->label},
                               {QStringLiteral("names"), it->names},
                               {QStringLiteral("colours"), it->colours}});
    return said;
}

} // namespace weir::editor
