#pragma once

#include "graph_scene.h"

#include <QAbstractListModel>
#include <QDeadlineTimer>
#include <QHash>
#include <QSet>

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
        ShownRole,
        OrderRole,  ///< which block lies on which: its place in the file
        LayoutZoomRole,  ///< the zoom that its item is laid out for
        LoadedRole,  ///< whether a run's numbers are shown of it; the roles of `Load` follow
        HeatRole,
        LoadPillRole,
        LoadBriefRole,
        LoadFactsRole,
        LoadHintRole,
        BottleneckRole,
        WorkerRole,  ///< the roles of `Worker` follow
        WorkerNamesRole,
        WorkerColoursRole,
    };

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
    /// What a run measured of a block, as it is shown on it.
    struct Load {
        int heat = -1;  ///< of its header, 0 to 4; negative: none
        QString pill;
        QStringList facts;  ///< below the block, what matters most first
        QString hint;
        bool bottleneck = false;
        QString brief;  ///< of the pill, where it has no room for names of workers
        bool operator==(const Load&) const = default;
    };
    void setLoads(const QHash<QString, Load>& loads);
    /// Null where no run's numbers are shown.
    const Load* load(const QString& block) const {
        const auto found = m_loads.constFind(block);
        return found == m_loads.constEnd() ? nullptr : &*found;
    }
    /// Which workers run a block, while blocks have their colours.
    struct Worker {
        QString label;
        QString names;
        QList<int> colours;  ///< numbers of the workers
        bool operator==(const Worker&) const = default;
    };
    void setWorkers(const QHash<QString, Worker>& workers);
    /// Takes the place of these workers, of whatever blocks it has none; nothing: they are shown again.
    void setPreview(const std::optional<QHash<QString, Worker>>& preview);
    /// Null where no worker of the block is shown.
    const Worker* worker(const QString& block) const {
        const auto found = workers().constFind(block);
        return found == workers().constEnd() ? nullptr : &*found;
    }
    static const QList<int>& loadRoles();
    static const QList<int>& workerRoles();
    /// Blocks that touch the region are to have rows; without a call, all. `fill` makes the rows.
    void setRegion(const QRectF& region);
    /// The zoom that rows are laid out for from now on.
    void setZoom(qreal zoom) { m_zoom = zoom; }
    /// Gives rows to the blocks that lack one, those in the middle of the region first; then, to `renew`, lays out those
    /// that were laid out for another zoom. At least one of them, and no more once the time is over. Says whether all is done.
    bool fill(QDeadlineTimer until = QDeadlineTimer(QDeadlineTimer::Forever), bool renew = true);
    bool isShown(const QString& block) const;
    /// How many blocks are to have rows.
    qsizetype wanted() const { return m_wanted; }

  signals:
    void loadsChanged();

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
    static QVariant roleOf(const Load& load, int role);
    static QVariant roleOf(const Worker& worker, int role);
    const QHash<QString, Worker>& workers() const { return m_preview ? *m_preview : m_workers; }
    template <typename Of>
    void replace(QHash<QString, Of>& held, const QHash<QString, Of>& given, const QList<int>& roles);

    GraphScene& m_scene;
    std::vector<Row> m_rows;
    QHash<QString, std::size_t> m_index;
    QStringList m_missing;  ///< blocks that are to have rows, the next one last
    qsizetype m_wanted = 0;
    std::optional<QRectF> m_region;
    qreal m_zoom = 1;
    QHash<QString, Mark> m_marks;
    QHash<QString, Load> m_loads;
    QHash<QString, Worker> m_workers;
    std::optional<QHash<QString, Worker>> m_preview;
    QSet<QString> m_selected;
};

}  // namespace weir::editor
