#pragma once

#include <QAbstractListModel>
#include <QSet>
#include <QStringList>

namespace weir::editor {

/// The files of the generated project, by groups.
class CodeFiles : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { PathRole = Qt::UserRole + 1, NameRole, HeadingRole, DiffersRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setFiles(const QStringList& files);
    /// Those that another deployment has otherwise.
    void setDiffering(const QSet<QString>& files);
    const QStringList& files() const { return m_files; }

  private:
    QStringList m_files;
    QSet<QString> m_differing;
};

} // namespace weir::editor
