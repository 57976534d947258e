#include "core/graph/block_model.h"

#include "core/graph/node_geometry.h"

#include <QVariantList>
#include <QVariantMap>

#include <algorithm>

namespace weir::editor {
namespace {

QVariantList portRows(const QList<PortView>& ports) {
    QVariantList rows;
    for (int index = 0; index < ports.size(); ++index)
        rows.append(QVariantMap{{QStringLiteral("name"), ports[index].id},
                                {QStringLiteral("type"), ports[index].itemType},
                                {QStringLiteral("connected"), ports[index].connected},
                                {QStringLiteral("y"), geometry::portY(index)}});
    return rows;
}

QVariantList parameterRows(const QList<ParameterView>& parameters) {
    QVariantList rows;
    for (const ParameterView& parameter : parameters)
        rows.append(QVariantMap{{QStringLiteral("name"), parameter.name},
                                {QStringLiteral("value"), parameter.value},
                                {QStringLiteral("isDefault"), parameter.isDefault}});
    return rows;
}

/// Return only the changed roles, so that a drag moves delegates without rebuilding their ports.
QList<int> changedRoles(const BlockView& a, const BlockView& b) {
    QList<int> roles;
    const auto note = [&roles](bool changed, std::initializer_list<int> which) {
        if (changed) roles.append(QList<int>(which));
    };
    note(a.id != b.id,
         {BlockModel::BlockIdRole, BlockModel::SelectedRole, BlockModel::SeverityRole, BlockModel::ProblemRole});
    note(a.type != b.type, {BlockModel::TypeRole});
    note(a.title != b.title, {BlockModel::TitleRole});
    note(a.category != b.category, {BlockModel::CategoryRole});
    note(a.badge != b.badge, {BlockModel::BadgeRole});
    note(a.state != b.state, {BlockModel::BlockStateRole});
    note(a.ghost != b.ghost, {BlockModel::GhostRole});
    note(a.probe != b.probe, {BlockModel::ProbeRole});
    note(a.comment != b.comment, {BlockModel::CommentRole});
    note(a.rect.topLeft() != b.rect.topLeft(), {BlockModel::BlockXRole, BlockModel::BlockYRole});
    note(a.rect.size() != b.rect.size(), {BlockModel::BlockWidthRole, BlockModel::BlockHeightRole});
    note(a.inputs != b.inputs, {BlockModel::InputsRole});
    note(a.outputs != b.outputs, {BlockModel::OutputsRole});
    note(a.parameters != b.parameters, {BlockModel::ParametersRole});
    note(a.moreParameters != b.moreParameters, {BlockModel::MoreParametersRole});
    return roles;
}

} // namespace

BlockModel::BlockModel(GraphScene& scene, QObject* parent) : QAbstractListModel(parent), m_scene(scene) {
    update();
    connect(&scene, &GraphScene::changed, this, &BlockModel::update);
    connect(&scene, &GraphScene::moved, this, &BlockModel::update);
}

int BlockModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant BlockModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const BlockView& block = row.block;
    switch (role) {
        case Qt::DisplayRole:
        case BlockIdRole: return block.id;
        case TypeRole: return block.type;
        case TitleRole: return block.title;
        case CategoryRole: return block.category;
        case BadgeRole: return block.badge;
        case BlockStateRole: return stateName(block.state);
        case GhostRole: return block.ghost;
        case ProbeRole: return block.probe;
        case BlockXRole: return block.rect.x();
        case BlockYRole: return block.rect.y();
        case BlockWidthRole: return block.rect.width();
        case BlockHeightRole: return block.rect.height();
        case InputsRole: return portRows(block.inputs);
        case OutputsRole: return portRows(block.outputs);
        case ParametersRole: return parameterRows(block.parameters);
        case MoreParametersRole: return block.moreParameters;
        case SelectedRole: return m_selected.contains(block.id);
        case SeverityRole: return m_marks.value(block.id).severity;
        case ProblemRole: return m_marks.value(block.id).message;
        case CommentRole: return block.comment;
        case ShownRole: return row.shown;
        case OrderRole: return row.order;
        case LayoutZoomRole: return row.zoom;
        default: break;
    }
    const auto added = static_cast<std::size_t>(role - AddedRole);
    if (role < AddedRole || added >= m_added.size()) return {};
    const Said& said = m_added[added].second;
    const auto found = said.constFind(block.id);
    return found == said.constEnd() ? QVariant() : QVariant(*found);
}

QHash<int, QByteArray> BlockModel::roleNames() const {
    QHash<int, QByteArray> names = roleNamesOf<Role>();
    names.remove(AddedRole);
    for (std::size_t added = 0; added < m_added.size(); ++added)
        names.insert(AddedRole + static_cast<int>(added), m_added[added].first);
    return names;
}

void BlockModel::setMarks(const QHash<QString, Mark>& marks) {
    if (m_marks == marks) return;
    m_marks = marks;
    notifyRows({SeverityRole, ProblemRole});
}

int BlockModel::addRole(const QByteArray& name) {
    m_added.emplace_back(name, Said());
    return AddedRole + static_cast<int>(m_added.size()) - 1;
}

/// Emits changes only for blocks whose values changed.
void BlockModel::say(int role, const Said& said) {
    Said& held = m_added[static_cast<std::size_t>(role - AddedRole)].second;
    if (held == said) return;
    const Said before = std::exchange(held, said);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (const QString& id = m_rows[row].block.id;
            before.contains(id) != said.contains(id) || before.value(id) != said.value(id))
            emit dataChanged(at(row), at(row), {role});
    emit factsChanged();
}

QVariantMap BlockModel::said(const QByteArray& role, const QString& block) const {
    for (const auto& [name, said] : m_added)
        if (name == role) return said.value(block);
    return {};
}

std::optional<QStringList> BlockModel::factsOf(const QString& block) const {
    for (const auto& [name, said] : m_added)
        if (const auto found = said.constFind(block);
            found != said.constEnd() && found->contains(QStringLiteral("facts")))
            return found->value(QStringLiteral("facts")).toStringList();
    return {};
}

void BlockModel::setSelection(const QSet<QString>& selected) {
    const QSet<QString> before = std::exchange(m_selected, selected);
    for (int row = 0; row < rowCount(); ++row) {
        const QString& id = m_rows[static_cast<std::size_t>(row)].block.id;
        if (before.contains(id) != m_selected.contains(id)) emit dataChanged(index(row), index(row), {SelectedRole});
    }
}

void BlockModel::notifyRows(const QList<int>& roles) {
    if (!m_rows.empty()) emit dataChanged(index(0), index(rowCount() - 1), roles);
}

void BlockModel::setRegion(const QRectF& region) {
    if (m_region == region) return;
    m_region = region;
    collect();
}

std::optional<std::size_t> BlockModel::rowOf(const QString& block) const {
    const auto row = m_index.constFind(block);
    return row == m_index.constEnd() ? std::nullopt : std::optional(*row);
}

bool BlockModel::isShown(const QString& block) const {
    const auto row = rowOf(block);
    return row && m_rows[*row].shown;
}

void BlockModel::update() {
    followScene();
    collect();
    fill();
}

/// Updates the rows from the scene.
void BlockModel::followScene() {
    std::vector<std::size_t> gone;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].block.id.isEmpty()) continue;
        if (const BlockView* block = m_scene.block(m_rows[row].block.id)) show(row, *block);
        else gone.push_back(row);
    }
    // If one name disappeared and one appeared, the block was renamed: it keeps its item.
    if (gone.size() == 1 && m_rows[gone.front()].shown) {
        const BlockView* came = nullptr;
        int count = 0;
        for (const BlockView& block : m_scene.blocks())
            if (isWanted(block) && !m_index.contains(block.id)) {
                came = &block;
                ++count;
            }
        if (count == 1) {
            show(gone.front(), *came);
            return;
        }
    }
    for (const std::size_t row : gone) {
        m_index.remove(m_rows[row].block.id);
        m_rows[row].block.id.clear();
        emit dataChanged(at(row), at(row), {BlockIdRole});
    }
}

/// Hides the rows of blocks out of view, and collects blocks that lack a row.
void BlockModel::collect() {
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const bool shown = !m_rows[row].block.id.isEmpty() && isWanted(m_rows[row].block);
        if (std::exchange(m_rows[row].shown, shown) != shown) emit dataChanged(at(row), at(row), {ShownRole});
    }
    m_wanted = 0;
    std::vector<const BlockView*> missing;
    for (const BlockView& block : m_scene.blocks())
        if (isWanted(block)) {
            ++m_wanted;
            if (!m_index.contains(block.id)) missing.push_back(&block);
        }
    if (m_region) {
        const auto distance = [middle = m_region->center()](const BlockView* block) {
            return (block->rect.center() - middle).manhattanLength();
        };
        std::stable_sort(missing.begin(), missing.end(),
                         [&distance](const BlockView* a, const BlockView* b) { return distance(a) > distance(b); });
    }
    m_missing.clear();
    for (const BlockView* block : missing) m_missing.append(block->id);
}

bool BlockModel::fill(QDeadlineTimer until, bool renew) {
    while (!m_missing.isEmpty()) {
        if (const BlockView* block = m_scene.block(m_missing.takeLast())) give(*block);
        if (until.hasExpired()) return false;
    }
    if (!renew) return true;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (!m_rows[row].shown || m_rows[row].zoom == m_zoom) continue;
        m_rows[row].zoom = m_zoom;
        emit dataChanged(at(row), at(row), {LayoutZoomRole});
        if (until.hasExpired()) return false;
    }
    return true;
}

/// Return a hidden row, preferably of the same type: its ports and parameters reuse their items.
std::optional<std::size_t> BlockModel::freeRow(const QString& type) const {
    std::optional<std::size_t> any;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].shown) continue;
        if (m_rows[row].block.type == type) return row;
        any = row;
    }
    return any;
}

void BlockModel::give(const BlockView& block) {
    if (const auto row = freeRow(block.type)) {
        m_rows[*row].shown = true;
        m_rows[*row].zoom = m_zoom;
        show(*row, block);
        emit dataChanged(at(*row), at(*row), {ShownRole, LayoutZoomRole});
        return;
    }
    const int last = rowCount();
    beginInsertRows({}, last, last);
    m_index.insert(block.id, m_rows.size());
    m_rows.push_back({block, true, orderOf(block), m_zoom});
    endInsertRows();
}

void BlockModel::show(std::size_t row, const BlockView& block) {
    QList<int> roles = changedRoles(m_rows[row].block, block);
    const int order = orderOf(block);
    if (std::exchange(m_rows[row].order, order) != order) roles.append(OrderRole);
    if (roles.isEmpty()) return;
    if (m_rows[row].block.id != block.id) {
        for (std::size_t added = 0; added < m_added.size(); ++added) roles.append(AddedRole + static_cast<int>(added));
        m_index.remove(m_rows[row].block.id);
        m_index.insert(block.id, row);
    }
    m_rows[row].block = block;
    emit dataChanged(at(row), at(row), roles);
}

} // namespace weir::editor
