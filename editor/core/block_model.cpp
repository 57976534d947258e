#include "block_model.h"

#include "node_geometry.h"

#include <QVariantList>
#include <QVariantMap>

#include <algorithm>

namespace weir::editor {
namespace {

QVariantList portRows(const QList<PortView> &ports)
{
    QVariantList rows;
    for (int index = 0; index < ports.size(); ++index)
        rows.append(QVariantMap{{QStringLiteral("name"), ports[index].id},
                                {QStringLiteral("type"), ports[index].itemType},
                                {QStringLiteral("connected"), ports[index].connected},
                                {QStringLiteral("y"), geometry::portY(index)}});
    return rows;
}

QVariantList parameterRows(const QList<ParameterView> &parameters)
{
    QVariantList rows;
    for (const ParameterView &parameter : parameters)
        rows.append(QVariantMap{{QStringLiteral("name"), parameter.name}, {QStringLiteral("value"), parameter.value}});
    return rows;
}

QString stateName(BlockState state)
{
    switch (state) {
    case BlockState::Disabled:
        return QStringLiteral("disabled");
    case BlockState::Bypassed:
        return QStringLiteral("bypassed");
    case BlockState::Enabled:
        break;
    }
    return QStringLiteral("enabled");
}

/// Narrow, so that a drag moves delegates without making their ports again.
QList<int> changedRoles(const BlockView &a, const BlockView &b)
{
    QList<int> roles;
    const auto note = [&roles](bool changed, std::initializer_list<int> which) {
        if (changed)
            roles.append(QList<int>(which));
    };
    note(a.id != b.id, {BlockModel::IdRole, BlockModel::SelectedRole, BlockModel::SeverityRole, BlockModel::ProblemRole});
    note(a.type != b.type, {BlockModel::TypeRole});
    note(a.title != b.title, {BlockModel::TitleRole});
    note(a.category != b.category, {BlockModel::CategoryRole});
    note(a.badge != b.badge, {BlockModel::BadgeRole});
    note(a.state != b.state, {BlockModel::StateRole});
    note(a.ghost != b.ghost, {BlockModel::GhostRole});
    note(a.probe != b.probe, {BlockModel::ProbeRole});
    note(a.rect.topLeft() != b.rect.topLeft(), {BlockModel::XRole, BlockModel::YRole});
    note(a.rect.size() != b.rect.size(), {BlockModel::WidthRole, BlockModel::HeightRole});
    note(a.inputs != b.inputs, {BlockModel::InputsRole});
    note(a.outputs != b.outputs, {BlockModel::OutputsRole});
    note(a.parameters != b.parameters, {BlockModel::ParametersRole});
    note(a.moreParameters != b.moreParameters, {BlockModel::MoreParametersRole});
    return roles;
}

} // namespace

BlockModel::BlockModel(GraphScene &scene, QObject *parent) : QAbstractListModel(parent), m_scene(scene), m_rows(scene.blocks())
{
    connect(&scene, &GraphScene::changed, this, &BlockModel::update);
}

int BlockModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant BlockModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const BlockView &block = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case IdRole:
        return block.id;
    case TypeRole:
        return block.type;
    case TitleRole:
        return block.title;
    case CategoryRole:
        return block.category;
    case BadgeRole:
        return block.badge;
    case StateRole:
        return stateName(block.state);
    case GhostRole:
        return block.ghost;
    case ProbeRole:
        return block.probe;
    case XRole:
        return block.rect.x();
    case YRole:
        return block.rect.y();
    case WidthRole:
        return block.rect.width();
    case HeightRole:
        return block.rect.height();
    case InputsRole:
        return portRows(block.inputs);
    case OutputsRole:
        return portRows(block.outputs);
    case ParametersRole:
        return parameterRows(block.parameters);
    case MoreParametersRole:
        return block.moreParameters;
    case SelectedRole:
        return m_selected.contains(block.id);
    case SeverityRole:
        return m_marks.value(block.id).severity;
    case ProblemRole:
        return m_marks.value(block.id).message;
    default:
        return {};
    }
}

QHash<int, QByteArray> BlockModel::roleNames() const
{
    return {{IdRole, "blockId"},           {TypeRole, "type"},
            {TitleRole, "title"},          {CategoryRole, "category"},
            {BadgeRole, "badge"},          {StateRole, "blockState"},
            {GhostRole, "ghost"},          {ProbeRole, "probe"},
            {XRole, "blockX"},             {YRole, "blockY"},
            {WidthRole, "blockWidth"},     {HeightRole, "blockHeight"},
            {InputsRole, "inputs"},        {OutputsRole, "outputs"},
            {ParametersRole, "parameters"}, {MoreParametersRole, "moreParameters"},
            {SelectedRole, "selected"},    {SeverityRole, "severity"},
            {ProblemRole, "problem"}};
}

void BlockModel::setMarks(const QHash<QString, Mark> &marks)
{
    if (m_marks == marks)
        return;
    m_marks = marks;
    notifyRows({SeverityRole, ProblemRole});
}

void BlockModel::setSelection(const QSet<QString> &selected)
{
    const QSet<QString> before = std::exchange(m_selected, selected);
    for (int row = 0; row < rowCount(); ++row) {
        const QString &id = m_rows[static_cast<std::size_t>(row)].id;
        if (before.contains(id) != m_selected.contains(id))
            emit dataChanged(index(row), index(row), {SelectedRole});
    }
}

void BlockModel::setRegion(const QRectF &region)
{
    if (m_region == region)
        return;
    m_region = region;
    update();
}

std::vector<BlockView> BlockModel::blocksInRegion() const
{
    if (!m_region)
        return m_scene.blocks();
    std::vector<BlockView> inside;
    std::copy_if(m_scene.blocks().begin(), m_scene.blocks().end(), std::back_inserter(inside),
                 [this](const BlockView &block) { return m_region->intersects(block.rect); });
    return inside;
}

void BlockModel::notifyRows(const QList<int> &roles)
{
    if (!m_rows.empty())
        emit dataChanged(index(0), index(rowCount() - 1), roles);
}

void BlockModel::update()
{
    // Rows before and after the changed stretch keep their delegates; a rename changes its row in place.
    const std::vector<BlockView> next = blocksInRegion();
    const auto sameId = [](const BlockView &a, const BlockView &b) { return a.id == b.id; };
    const auto [oldHead, newHead] = std::mismatch(m_rows.begin(), m_rows.end(), next.begin(), next.end(), sameId);
    const auto head = oldHead - m_rows.begin();
    const auto limit = std::min(m_rows.size(), next.size()) - static_cast<std::size_t>(head);
    std::size_t tail = 0;
    while (tail < limit && sameId(m_rows[m_rows.size() - 1 - tail], next[next.size() - 1 - tail]))
        ++tail;
    const auto oldCount = static_cast<std::ptrdiff_t>(m_rows.size() - tail) - head;
    const auto newCount = static_cast<std::ptrdiff_t>(next.size() - tail) - head;
    const auto kept = head + std::min(oldCount, newCount);

    if (oldCount > newCount) {
        beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(kept + oldCount - newCount - 1));
        m_rows.erase(m_rows.begin() + kept, m_rows.begin() + kept + oldCount - newCount);
        endRemoveRows();
    } else if (newCount > oldCount) {
        beginInsertRows({}, static_cast<int>(kept), static_cast<int>(kept + newCount - oldCount - 1));
        m_rows.insert(m_rows.begin() + kept, next.begin() + kept, next.begin() + kept + newCount - oldCount);
        endInsertRows();
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const QList<int> roles = changedRoles(m_rows[row], next[row]);
        if (roles.isEmpty())
            continue;
        m_rows[row] = next[row];
        emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)), roles);
    }
}

} // namespace weir::editor
