#pragma once

#include "features/mapping/lane_layout.h"

#include <QAbstractListModel>
#include <QSet>

namespace weir::editor {

/// The part of a lane view that is in sight, from top to bottom.
struct LaneRegion {
    double top = 0;
    double bottom = 1e9;

    bool touches(const QRectF& rect) const { return rect.bottom() >= top && rect.top() <= bottom; }
    bool operator==(const LaneRegion&) const = default;
};

/// The lanes in sight as rows.
class LaneModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        KindRole = Qt::UserRole + 1,
        TitleRole,
        DetailRole,
        HeadingRole,
        LoadRole,
        UsableRole,
        WarningsRole,
        RowsRole,
        TopRole,
        HeightRole,
        ParityRole
    };

    explicit LaneModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setLanes(const std::vector<Lane>& lanes);
    void setRegion(const LaneRegion& region);
    const std::vector<Lane>& lanes() const { return m_lanes; }

  private:
    void update();

    std::vector<Lane> m_lanes;
    std::vector<std::size_t> m_shown;
    LaneRegion m_region;
};

/// A bar with what the scene knows of its block.
struct ShownBar {
    LaneBar bar;
    QString type; ///< of the block
    QString category;
    QString worker;
    int colour = -1;

    bool operator==(const ShownBar&) const = default;
};

/// The bars in sight as rows.
class BarModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        TitleRole = Qt::UserRole + 1,
        BlockRole,
        TypeRole,
        CategoryRole,
        WorkerRole,
        ColourRole,
        ShareRole,
        GhostRole,
        CountRole,
        SelectedRole,
        TimesRole,
        CallRole,
        TextRole,
        XRole,
        YRole,
        WidthRole,
        HeightRole
    };

    explicit BarModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setBars(std::vector<ShownBar> bars);
    void setSelection(const QSet<QString>& instances);
    void setRegion(const LaneRegion& region);
    const std::vector<ShownBar>& bars() const { return m_bars; }
    bool isSelected(const LaneBar& bar) const;

  private:
    void update();

    std::vector<ShownBar> m_bars;
    std::vector<std::size_t> m_shown;
    QSet<QString> m_selected;
    LaneRegion m_region;
};

} // namespace weir::editor
