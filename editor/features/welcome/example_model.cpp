#include "features/welcome/example_model.h"

#include "core/json/json_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace weir::editor {

namespace {

/// The first sentence says what it is; the rest is for readers of the file.
QString firstSentence(const QString& text) {
    static const QRegularExpression end(QStringLiteral("[.](\\s|$)"));
    const auto match = end.match(text);
    return match.hasMatch() ? text.left(match.capturedStart()) + u'.' : text;
}

} // namespace

void ExampleModel::setFolder(const QString& folder, const QString& first) {
    beginResetModel();
    m_examples.clear();
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.weir.json")}, QDir::Files, QDir::Name);
    for (const QFileInfo& info : files) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const auto parsed = readJson(file.readAll().toStdString());
        const Json* json = std::get_if<Json>(&parsed);
        if (!json || !json->is_object()) continue;
        const QString title = string(*json, "title");
        m_examples.push_back({title.isEmpty() ? info.completeBaseName() : title,
                              firstSentence(string(*json, "description")), info.filePath()});
    }
    std::stable_partition(m_examples.begin(), m_examples.end(),
                          [&](const Example& example) { return QFileInfo(example.path).fileName() == first; });
    endResetModel();
}

int ExampleModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_examples.size());
}

QVariant ExampleModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Example& example = m_examples[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return example.title;
        case DescriptionRole: return example.description;
        case PathRole: return example.path;
        default: return {};
    }
}

QHash<int, QByteArray> ExampleModel::roleNames() const {
    return {{TitleRole, "title"}, {DescriptionRole, "description"}, {PathRole, "path"}};
}

} // namespace weir::editor
