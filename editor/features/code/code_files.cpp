#include "features/code/code_files.h"

#include "features/code/code_generator.h"

namespace weir::editor {

int CodeFiles::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_files.size());
}

QVariant CodeFiles::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const QString& file = m_files[index.row()];
    switch (role) {
        case PathRole: return file;
        case Qt::DisplayRole:
        case NameRole: return file.section(u'/', -1);
        case HeadingRole:
            if (index.row() > 0 && groupOf(m_files[index.row() - 1]) == groupOf(file)) return QString();
            switch (groupOf(file)) {
                case FileGroup::Generated: return tr("Generated");
                case FileGroup::Blocks: return tr("Blocks");
                case FileGroup::Scheduler: return tr("Scheduler");
                case FileGroup::Runtime: return tr("Runtime");
            }
            return QString();
        case DiffersRole: return m_differing.contains(file);
        default: return {};
    }
}

QHash<int, QByteArray> CodeFiles::roleNames() const {
    return {{PathRole, "path"}, {NameRole, "name"}, {HeadingRole, "heading"}, {DiffersRole, "differs"}};
}

void CodeFiles::setFiles(const QStringList& files) {
    if (files == m_files) return;
    beginResetModel();
    m_files = files;
    endResetModel();
}

void CodeFiles::setDiffering(const QSet<QString>& files) {
    if (files == m_differing) return;
    m_differing = files;
    if (!m_files.isEmpty()) emit dataChanged(index(0), index(rowCount() - 1), {DiffersRole});
}

} // namespace weir::editor
