#pragma once

#include "core/graph/graph_scene.h"
#include "core/rows/row_model.h"

#include <QAbstractListModel>
#include <QDeadlineTimer>
#include <QHash>
#include <QSet>
#include <QVariantMap>

#include <optional>
#include <vector>

namespace weir::editor {

/// Rows of the visible blocks of the scene, in no order; changing a block changes one row. The row of a block that
/// leaves the view stays hidden until another block needs one: reusing an item takes a fraction of the time of making
/// one.
class BlockModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        BlockIdRole = Qt::UserRole + 1,
        TypeRole,
        TitleRole,
        CategoryRole,
        BadgeRole,
        BlockStateRole,
        GhostRole,
        ProbeRole,
        BlockXRole,
        BlockYRole,
        BlockWidthRole,
        BlockHeightRole,
        InputsRole,
        OutputsRole,
        ParametersRole,
        MoreParametersRole,
        SelectedRole,
        SeverityRole,
        ProblemRole,
        CommentRole,
        ShownRole,
        OrderRole,  ///< stacking order of blocks: index in the file
        LayoutZoomRole,  ///< zoom that the block's item is laid out for
        AddedRole,  ///< first role of `addRole`
    };
    Q_ENUM(Role)

    explicit BlockModel(GraphScene& scene, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    struct Mark {
        QString severity;
        QString message;
        bool operator==(const Mark&) const = default;
    };
    void setMarks(const QHash<QString, Mark>& marks);
    void setSelection(const QSet<QString>& selected);
    /// Adds a role that its owner fills, such as an overlay over the graph. Call it before views are made: they read
    /// the roles once.
    int addRole(const QByteArray& name);
    /// Values of a role for some blocks; other blocks have none. The canvas draws its `facts` below the block.
    using Said = QHash<QString, QVariantMap>;
    void say(int role, const Said& said);
    /// Return the value of a role for a block; empty if there is none.
    QVariantMap said(const QByteArray& role, const QString& block) const;
    /// Return the facts below a block; nothing if no role has facts.
    std::optional<QStringList> factsOf(const QString& block) const;
    /// Sets the region whose blocks need rows; without a call, all do. `fill` makes the rows.
    void setRegion(const QRectF& region);
    /// Sets the zoom that rows are laid out for from now on.
    void setZoom(qreal zoom) { m_zoom = zoom; }
    /// Makes rows for blocks that lack one, from the middle of the region outwards. With `renew`, then lays out rows of
    /// another zoom again. Handles at least one row, and stops at the deadline. Returns whether all is done.
    bool fill(QDeadlineTimer until = QDeadlineTimer(QDeadlineTimer::Forever), bool renew = true);
    bool isShown(const QString& block) const;
    /// Return the number of blocks that need rows.
    qsizetype wanted() const { return m_wanted; }

  signals:
    void factsChanged();

  private:
    struct Row {
        BlockView block;  ///< id is empty: no block
        bool shown = false;
        int order = 0;
        qreal zoom = 1;
    };

    bool isWanted(const BlockView& block) const { return !m_region || m_region->intersects(block.rect); }
    int orderOf(const BlockView& block) const { return static_cast<int>(&block - m_scene.blocks().data()); }
    QModelIndex at(std::size_t row) const { return index(static_cast<int>(row)); }
    std::optional<std::size_t> rowOf(const QString& block) const;
    std::optional<std::size_t> freeRow(const QString& type) const;
    void update();
    void followScene();
    void collect();
    void give(const BlockView& block);
    void show(std::size_t row, const BlockView& block);
    void notifyRows(const QList<int>& roles);

    GraphScene& m_scene;
    std::vector<Row> m_rows;
    QHash<QString, std::size_t> m_index;
    QStringList m_missing;  ///< blocks that need rows, the next one last
    qsizetype m_wanted = 0;
    std::optional<QRectF> m_region;
    qreal m_zoom = 1;
    QHash<QString, Mark> m_marks;
    std::vector<std::pair<QByteArray, Said>> m_added;  ///< roles from AddedRole on
    QSet<QString> m_selected;
};

}  // namespace weir::editor
