#include "features/decor/decor_model.h"

namespace weir::editor {

DecorModel::DecorModel(GraphScene& scene, Selection& selection, QObject* parent)
    : QAbstractListModel(parent), m_scene(scene), m_selection(selection), m_rows(rows()) {
    connect(&scene, &GraphScene::changed, this, &DecorModel::update);
    connect(&scene, &GraphScene::moved, this, &DecorModel::update);
    connect(&selection, &Selection::changed, this, &DecorModel::update);
}

std::vector<DecorModel::Row> DecorModel::rows() const {
    std::vector<Row> rows;
    const auto add = [&](DecorKind kind, const std::string& key, const QString& text, QRectF rect) {
        const DecorId id{kind, key};
        rows.push_back({id, text, rect, m_selection.decor().contains(id)});
    };
    for (const FrameView& frame : m_scene.frames()) add(DecorKind::Frame, frame.key, frame.title, frame.rect);
    for (const NoteView& note : m_scene.notes()) add(DecorKind::Note, note.key, note.text, note.rect);
    return rows;
}

int DecorModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant DecorModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case KindRole: return row.id.kind == DecorKind::Frame ? QStringLiteral("frame") : QStringLiteral("note");
        case KeyRole: return QString::fromStdString(row.id.key);
        case Qt::DisplayRole:
        case TextRole: return row.text;
        case RectRole: return row.rect;
        case SelectedRole: return row.selected;
        default: return {};
    }
}

QHash<int, QByteArray> DecorModel::roleNames() const {
    return {
        {KindRole, "kind"}, {KeyRole, "key"}, {TextRole, "words"}, {RectRole, "sceneRect"}, {SelectedRole, "selected"}};
}

void DecorModel::update() {
    std::vector<Row> next = rows();
    if (next.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(next);
        endResetModel();
        return;
    }
    for (std::size_t row = 0; row < next.size(); ++row) {
        if (m_rows[row] == next[row]) continue;
        m_rows[row] = std::move(next[row]);
        emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)));
    }
}

} // namespace weir::editor
