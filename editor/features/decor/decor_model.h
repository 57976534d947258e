#pragma once

#include "core/graph/graph_scene.h"
#include "core/graph/selection.h"

#include <QAbstractListModel>

#include <vector>

namespace weir::editor {

/// Frames and notes as rows: for tools that read the screen, and for what is edited in place. The canvas paints them.
class DecorModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { KindRole = Qt::UserRole + 1, KeyRole, TextRole, RectRole, SelectedRole };

    DecorModel(GraphScene& scene, Selection& selection, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    struct Row {
        DecorId id;
        QString text;
        QRectF rect;
        bool selected = false;

        bool operator==(const Row&) const = default;
    };

    std::vector<Row> rows() const;
    void update();

    GraphScene& m_scene;
    Selection& m_selection;
    std::vector<Row> m_rows;
};

} // namespace weir::editor
