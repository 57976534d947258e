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
    note(a.comment != b.comment, {BlockModel::CommentRole});
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
    connect(&scene, &GraphScene::moved, this, &BlockModel::update);
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
    case CommentRole:
        return block.comment;
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
            {ProblemRole, "problem"},      {CommentRole, "comment"}};
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
    const std::vector<BlockView> next = blocksInRegion();
    takeOverRename(next);
    removeRowsNotIn(next);
    // What is left comes in the same order, unless an edit changed the order of the file.
    std::size_t row = 0;
    for (const BlockView &block : next)
        if (row < m_rows.size() && m_rows[row].id == block.id)
            ++row;
    if (row != m_rows.size()) {
        beginResetModel();
        m_rows = next;
        endResetModel();
        return;
    }
    for (row = 0; row < next.size();) {
        std::size_t end = row;
        while (end < next.size() && (row >= m_rows.size() || next[end].id != m_rows[row].id))
            ++end;
        if (end > row) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(end - 1));
            m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(row), next.begin() + static_cast<std::ptrdiff_t>(row),
                          next.begin() + static_cast<std::ptrdiff_t>(end));
            endInsertRows();
            row = end;
            continue;
        }
        if (const QList<int> roles = changedRoles(m_rows[row], next[row]); !roles.isEmpty()) {
            m_rows[row] = next[row];
            emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)), roles);
        }
        ++row;
    }
}

/// One name that went and one that came are the same block: its row and its delegate stay.
void BlockModel::takeOverRename(const std::vector<BlockView> &next)
{
    const auto idsOf = [](const std::vector<BlockView> &blocks) {
        QSet<QString> ids;
        for (const BlockView &block : blocks)
            ids.insert(block.id);
        return ids;
    };
    const QSet<QString> before = idsOf(m_rows);
    const QSet<QString> after = idsOf(next);
    const QSet<QString> gone = before - after;
    const QSet<QString> come = after - before;
    if (gone.size() != 1 || come.size() != 1 || m_scene.block(*gone.begin()))
        return;
    const auto withId = [](auto &blocks, const QString &id) {
        return std::find_if(blocks.begin(), blocks.end(), [&id](const BlockView &block) { return block.id == id; });
    };
    const auto row = withId(m_rows, *gone.begin());
    const BlockView &renamed = *withId(next, *come.begin());
    const QList<int> roles = changedRoles(*row, renamed);
    *row = renamed;
    const QModelIndex place = index(static_cast<int>(row - m_rows.begin()));
    emit dataChanged(place, place, roles);
}

void BlockModel::removeRowsNotIn(const std::vector<BlockView> &next)
{
    QSet<QString> wanted;
    for (const BlockView &block : next)
        wanted.insert(block.id);
    for (std::size_t end = m_rows.size(); end > 0; --end) {
        if (wanted.contains(m_rows[end - 1].id))
            continue;
        std::size_t begin = end - 1;
        while (begin > 0 && !wanted.contains(m_rows[begin - 1].id))
            --begin;
        beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end - 1));
        m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(begin), m_rows.begin() + static_cast<std::ptrdiff_t>(end));
        endRemoveRows();
        end = begin + 1;
    }
}

} // namespace weir::editor
