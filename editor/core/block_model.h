#pragma once

#include "graph_scene.h"

#include <QAbstractListModel>
#include <QHash>
#include <QSet>

#include <vector>

namespace weir::editor {

/// The blocks of the scene as rows; a change of one block is a change of one row.
class BlockModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole + 1,
        TypeRole,
        TitleRole,
        CategoryRole,
        BadgeRole,
        StateRole,
        GhostRole,
        ProbeRole,
        XRole,
        YRole,
        WidthRole,
        HeightRole,
        InputsRole,
        OutputsRole,
        ParametersRole,
        MoreParametersRole,
        SelectedRole,
        SeverityRole,
        ProblemRole,
    };

    explicit BlockModel(GraphScene &scene, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    struct Mark
    {
        QString severity;
        QString message;
        bool operator==(const Mark &) const = default;
    };
    void setMarks(const QHash<QString, Mark> &marks);
    void setSelection(const QSet<QString> &selected);

private:
    void update();
    void notifyRows(const QList<int> &roles);

    GraphScene &m_scene;
    std::vector<BlockView> m_rows;
    QHash<QString, Mark> m_marks;
    QSet<QString> m_selected;
};

} // namespace weir::editor
