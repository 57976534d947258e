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

/// The blocks of the scene that are in view as rows, in no order; a change of one block is a change of one row. A row
/// whose block left the view stays, hidden, until another block needs one: an item shows something else in a fraction of
/// the time in which one is made.
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
        OrderRole,  ///< which block lies on which: its place in the file
        LayoutZoomRole,  ///< the zoom that its item is laid out for
        AddedRole,  ///< the first of `addRole`
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
    /// A role that its owner fills, such as an overlay over the graph. Views read the roles once: it is to be there before
    /// them.
    int addRole(const QByteArray& name);
    /// Values of a role for some blocks; other blocks have none. `facts` in it stand below the block.
    using Said = QHash<QString, QVariantMap>;
    void say(int role, const Said& said);
    /// Empty where the role has nothing of the block.
    QVariantMap said(const QByteArray& role, const QString& block) const;
    /// Facts below a block; none if nothing keeps the place.
    std::optional<QStringList> factsOf(const QString& block) const;
    /// Blocks that touch the region are to have rows; without a call, all. `fill` makes the rows.
    void setRegion(const QRectF& region);
    /// The zoom that rows are laid out for from now on.
    void setZoom(qreal zoom) { m_zoom = zoom; }
    /// Gives rows to the blocks that lack one, those in the middle of the region first; then, to `renew`, lays out those
    /// that were laid out for another zoom. At least one of them, and no more once the time is over. Says whether all is done.
    bool fill(QDeadlineTimer until = QDeadlineTimer(QDeadlineTimer::Forever), bool renew = true);
    bool isShown(const QString& block) const;
    /// Number of blocks that are to have rows.
    qsizetype wanted() const { return m_wanted; }

  signals:
    void factsChanged();

  private:
    struct Row {
        BlockView block;  ///< without an id: of none
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
    QStringList m_missing;  ///< blocks that are to have rows, the next one last
    qsizetype m_wanted = 0;
    std::optional<QRectF> m_region;
    qreal m_zoom = 1;
    QHash<QString, Mark> m_marks;
    std::vector<std::pair<QByteArray, Said>> m_added;  ///< roles from AddedRole on
    QSet<QString> m_selected;
};

}  // namespace weir::editor
