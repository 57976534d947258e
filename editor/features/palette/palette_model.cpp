#include "palette_model.h"

#include "fuzzy_match.h"

#include <algorithm>

namespace weir::editor {
namespace {

int score(const QString &filter, const BlockType &type)
{
    const int byId = fuzzyScore(filter, QString::fromStdString(type.id));
    const int byTitle = fuzzyScore(filter, QString::fromStdString(type.title));
    // Last of all, whole words: people search by the names of other libraries, which documentation gives.
    const auto text = QString::fromStdString(type.documentation);
    const bool byText = filter.size() > 2 && text.contains(filter, Qt::CaseInsensitive);
    return std::max({byId, byTitle, byText ? 1 : 0});
}

} // namespace

PaletteModel::PaletteModel(QObject *parent) : QAbstractListModel(parent) {}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const BlockType &type = *m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case TypeRole:
        return QString::fromStdString(type.id);
    case Qt::DisplayRole:
    case TitleRole:
        return QString::fromStdString(type.title.empty() ? type.id : type.title);
    case FamilyRole:
        return m_filter.isEmpty() ? QString::fromStdString(type.family) : tr("matches");
    case FirstOfFamilyRole:
        return index.row() == 0
               || (m_filter.isEmpty() && m_rows[static_cast<std::size_t>(index.row()) - 1]->family != type.family);
    case CategoryRole:
        return QString::fromStdString(type.category);
    case DocumentationRole:
        return QString::fromStdString(type.documentation);
    default:
        return {};
    }
}

QHash<int, QByteArray> PaletteModel::roleNames() const
{
    return {{TypeRole, "type"},
            {TitleRole, "title"},
            {FamilyRole, "family"},
            {FirstOfFamilyRole, "firstOfFamily"},
            {CategoryRole, "category"},
            {DocumentationRole, "documentation"}};
}

void PaletteModel::setCatalog(const Catalog &catalog)
{
    beginResetModel();
    m_rows.clear();
    m_all = catalog.blocks();
    // The order in which a signal meets them, then by name.
    static const std::vector<std::string> kOrder{"source", "filter", "math", "sync", "control", "sink"};
    const auto key = [](const BlockType &type) {
        const auto rank = std::find(kOrder.begin(), kOrder.end(), type.category) - kOrder.begin();
        return std::tuple(type.family.rfind("source", 0) == 0 ? -1 : type.family.rfind("sink", 0) == 0 ? 9 : 0, type.family, rank,
                          type.title);
    };
    std::sort(m_all.begin(), m_all.end(), [&key](const BlockType &a, const BlockType &b) { return key(a) < key(b); });
    endResetModel();
    update();
}

void PaletteModel::setFilter(const QString &filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
    update();
}

void PaletteModel::setOffered(std::optional<std::set<std::string>> types)
{
    if (m_offered == types)
        return;
    m_offered = std::move(types);
    update();
}

QString PaletteModel::typeAt(int row) const
{
    return row < 0 || row >= rowCount() ? QString() : QString::fromStdString(m_rows[static_cast<std::size_t>(row)]->id);
}

void PaletteModel::update()
{
    beginResetModel();
    m_rows.clear();
    for (const BlockType &type : m_all)
        if (score(m_filter, type) > 0 && (!m_offered || m_offered->contains(type.id)))
            m_rows.push_back(&type);
    if (!m_filter.isEmpty())
        std::stable_sort(m_rows.begin(), m_rows.end(), [this](const BlockType *a, const BlockType *b) {
            return score(m_filter, *a) > score(m_filter, *b);
        });
    endResetModel();
    emit countChanged();
}

} // namespace weir::editor
