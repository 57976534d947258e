#pragma once

#include <QHash>
#include <QVariantMap>

namespace weir::editor {

/// Workers that run a block, as its marks and colours show them.
struct WorkerMark {
    QString label;
    QString names;
    QVariantList colours; ///< numbers of the workers
};

/// Return the marks as values of a role of the block model.
inline QHash<QString, QVariantMap> saidOf(const QHash<QString, WorkerMark>& marks) {
    QHash<QString, QVariantMap> said;
    for (auto it = marks.constBegin(); it != marks.constEnd(); ++it)
        said.insert(it.key(), {{QStringLiteral("label"), it->label},
                               {QStringLiteral("names"), it->names},
                               {QStringLiteral("colours"), it->colours}});
    return said;
}

} // namespace weir::editor
