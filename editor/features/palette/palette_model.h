#pragma once

#include "catalog.h"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <set>
#include <vector>

namespace weir::editor {

/// The block types that match the search, family by family, the best match first while searching.
class PaletteModel : public QAbstractListModel
{
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

public:
    enum Role { TypeRole = Qt::UserRole + 1, TitleRole, FamilyRole, FirstOfFamilyRole, CategoryRole, DocumentationRole };

    explicit PaletteModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setCatalog(const Catalog &catalog);
    void setFilter(const QString &filter);
    QString filter() const { return m_filter; }
    /// Only these types are offered; without a set, all are.
    void setOffered(std::optional<std::set<std::string>> types);
    QString typeAt(int row) const;

signals:
    void countChanged();

private:
    void update();

    std::vector<BlockType> m_all;
    std::vector<const BlockType *> m_rows;
    std::optional<std::set<std::string>> m_offered;
    QString m_filter;
};

} // namespace weir::editor
