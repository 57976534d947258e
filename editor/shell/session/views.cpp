#include "shell/session/views.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir::editor {

Views::Views(std::vector<View> views, QObject* parent) : QAbstractListModel(parent), m_all(std::move(views)) {
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_paged),
                 [](const View& view) { return !view.page.isEmpty(); });
}

QStringList Views::names() const {
    QStringList names;
    for (const View& view : m_all) names.append(view.name);
    return names;
}

QStringList Views::titles() const {
    QStringList titles;
    for (const View& view : m_all) titles.append(view.title);
    return titles;
}

int Views::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_paged.size()); }

QVariant Views::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const View& view = m_paged[static_cast<std::size_t>(index.row())];
    switch (role) {
        case NameRole: return view.name;
        case PageRole: return view.page;
        default: return {};
    }
}

QHash<int, QByteArray> Views::roleNames() const { return {{NameRole, "name"}, {PageRole, "page"}}; }

} // namespace weir::editor
