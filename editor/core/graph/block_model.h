#pragma once

#include "graph_scene.h"

#include <QAbstractListModel>
#include <QHash>
#include <QSet>

#include <optional>
#include <vector>

namespace weir::editor {

/// The blocks of the scene that are in view as rows; a change of one block is a change of one row.
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
        CommentRole,
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
    /// Only blocks that touch the region have rows; without a call, all have.
    void setRegion(const QRectF &region);

private:
    std::vector<BlockView> blocksInRegion() const;
    void update();
    void takeOverRename(const std::vector<BlockView> &next);
    void removeRowsNotIn(const std::vector<BlockView> &next);
    void notifyRows(const QList<int> &roles);

    GraphScene &m_scene;
    std::vector<BlockView> m_rows;
    std::optional<QRectF> m_region;
    QHash<QString, Mark> m_marks;
    QSet<QString> m_selected;
};

} // namespace weir::editor
