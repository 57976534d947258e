#include "features/files/recent_filter.h"

#include "features/files/recent_files.h"

#include <algorithm>

namespace weir::editor {

void RecentFilter::setTyped(const QString& typed) {
    m_words = typed.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
    emit typedChanged();
}

QString RecentFilter::firstPath() const {
    for (int row = 0; row < rowCount(); ++row)
        if (const QModelIndex at = index(row, 0); !at.data(RecentFiles::MissingRole).toBool())
            return at.data(RecentFiles::PathRole).toString();
    return {};
}

bool RecentFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex at = sourceModel()->index(row, 0, parent);
    const QString shown =
        at.data(RecentFiles::FolderRole).toString() + u'/' + at.data(RecentFiles::NameRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return shown.contains(word, Qt::CaseInsensitive); });
}

} // namespace weir::editor
