#include "features/mapping/lane_models.h"

#include "core/rows/row_model.h"

#include <algorithm>

namespace weir::editor {
namespace {

QString kindName(Lane::Kind kind) {
    switch (kind) {
        case Lane::Kind::Cpu: return QStringLiteral("cpu");
        case Lane::Kind::MissingCpu: return QStringLiteral("missing");
        case Lane::Kind::AnyCpu: return QStringLiteral("any");
        case Lane::Kind::Pool: return QStringLiteral("pool");
        case Lane::Kind::NewWorker: break;
    }
    return QStringLiteral("new");
}

template <typename Rows, typename RectOf>
std::vector<std::size_t> inRegion(const Rows& rows, const LaneRegion& region, RectOf rectOf) {
    std::vector<std::size_t> shown;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (region.touches(rectOf(rows[row]))) shown.push_back(row);
    return shown;
}

} // namespace

LaneModel::LaneModel(QObject* parent) : QAbstractListModel(parent) {}

int LaneModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant LaneModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const std::size_t row = m_shown[static_cast<std::size_t>(index.row())];
    const Lane& lane = m_lanes[row];
    switch (role) {
        case KindRole: return kindName(lane.kind);
        case Qt::DisplayRole:
        case TitleRole: return lane.title;
        case DetailRole: return lane.detail;
        case HeadingRole: return lane.heading;
        case LoadRole: return lane.load;
        case UsableRole: return lane.usable;
        case WarningsRole: return rowList(lane.warnings);
        case RowsRole: return rowList(lane.rows);
        case TopRole: return lane.rect.top();
        case HeightRole: return lane.rect.height();
        case ParityRole: return static_cast<int>(row % 2);
        default: return {};
    }
}

QHash<int, QByteArray> LaneModel::roleNames() const {
    return {{KindRole, "kind"},   {TitleRole, "title"},       {DetailRole, "detail"},     {HeadingRole, "heading"},
            {LoadRole, "load"},   {UsableRole, "usable"},     {WarningsRole, "warnings"}, {RowsRole, "rows"},
            {TopRole, "laneTop"}, {HeightRole, "laneHeight"}, {ParityRole, "parity"}};
}

void LaneModel::setLanes(const std::vector<Lane>& lanes) {
    if (lanes == m_lanes) return;
    beginResetModel();
    m_lanes = lanes;
    m_shown =
        inRegion(m_lanes, m_region, [](const Lane& lane) { return lane.rect.adjusted(0, -lanes::kHeading, 0, 0); });
    endResetModel();
}

void LaneModel::setRegion(const LaneRegion& region) {
    if (m_region == region) return;
    m_region = region;
    update();
}

void LaneModel::update() {
    const auto shown =
        inRegion(m_lanes, m_region, [](const Lane& lane) { return lane.rect.adjusted(0, -lanes::kHeading, 0, 0); });
    if (shown == m_shown) return;
    beginResetModel();
    m_shown = shown;
    endResetModel();
}

BarModel::BarModel(QObject* parent) : QAbstractListModel(parent) {}

int BarModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant BarModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ShownBar& shown = m_bars[m_shown[static_cast<std::size_t>(index.row())]];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return shown.bar.title;
        case BlockRole: return shown.bar.block;
        case TypeRole: return shown.type;
        case CategoryRole: return shown.category;
        case WorkerRole: return shown.worker;
        case ColourRole: return shown.colour;
        case ShareRole: return shown.bar.share;
        case GhostRole: return shown.bar.ghost;
        case CountRole: return static_cast<int>(shown.bar.instances.size());
        case SelectedRole: return isSelected(shown.bar);
        case TimesRole: return shown.bar.times;
        case CallRole: return shown.bar.call;
        case TextRole: return shown.bar.text;
        case XRole: return shown.bar.rect.x();
        case YRole: return shown.bar.rect.y();
        case WidthRole: return shown.bar.rect.width();
        case HeightRole: return shown.bar.rect.height();
        default: return {};
    }
}

QHash<int, QByteArray> BarModel::roleNames() const {
    return {{TitleRole, "title"},       {BlockRole, "block"},     {TypeRole, "type"},
            {CategoryRole, "category"}, {WorkerRole, "worker"},   {ColourRole, "colour"},
            {ShareRole, "share"},       {GhostRole, "ghost"},     {CountRole, "copies"},
            {SelectedRole, "selected"}, {TimesRole, "times"},     {CallRole, "call"},
            {TextRole, "text"},         {XRole, "barX"},          {YRole, "barY"},
            {WidthRole, "barWidth"},    {HeightRole, "barHeight"}};
}

bool BarModel::isSelected(const LaneBar& bar) const {
    return !bar.ghost && std::any_of(bar.instances.begin(), bar.instances.end(),
                                     [this](const QString& i) { return m_selected.contains(i); });
}

void BarModel::setBars(std::vector<ShownBar> bars) {
    if (bars == m_bars) return;
    beginResetModel();
    m_bars = std::move(bars);
    m_shown = inRegion(m_bars, m_region, [](const ShownBar& shown) { return shown.bar.rect; });
    endResetModel();
}

void BarModel::setSelection(const QSet<QString>& instances) {
    if (m_selected == instances) return;
    m_selected = instances;
    if (rowCount() > 0) emit dataChanged(index(0), index(rowCount() - 1), {SelectedRole});
}

void BarModel::setRegion(const LaneRegion& region) {
    if (m_region == region) return;
    m_region = region;
    update();
}

void BarModel::update() {
    const auto shown = inRegion(m_bars, m_region, [](const ShownBar& bar) { return bar.bar.rect; });
    if (shown == m_shown) return;
    beginResetModel();
    m_shown = shown;
    endResetModel();
}

} // namespace weir::editor
