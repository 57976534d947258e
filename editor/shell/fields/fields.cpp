#include "shell/fields/fields.h"

#include "core/document/sweep_axes.h"
#include "core/problems/apply_fix.h"
#include "core/text/expression_text.h"
#include "shell/fields/field_commit.h"

#include <QDir>

#include <utility>

namespace weir::editor {

void Fields::commit(QAbstractItemModel* model, int row, const QString& typed,
                    const std::function<void(Transaction&)>& first) {
    auto* parameters = qobject_cast<ParameterModel*>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount()) return;
    const ParameterRow field = parameters->rows()[static_cast<std::size_t>(row)];
    if (const QString why = fieldRefusal(field, typed); !why.isEmpty()) {
        parameters->setRefusal(row, typed, why);
        return;
    }
    parameters->setRefusal(row, {}, {});
    m_session.setNotice(commitField(m_session.document(), field, typed, first));
}

void Fields::revert(QAbstractItemModel* model, int row) {
    auto* parameters = qobject_cast<ParameterModel*>(model);
    if (parameters && row >= 0 && row < parameters->rowCount()) parameters->setRefusal(row, {}, {});
}

void Fields::applyFix(QAbstractItemModel* model, int row, int fix) {
    const auto* parameters = qobject_cast<ParameterModel*>(model);
    if (parameters && row >= 0 && row < parameters->rowCount())
        applyProblemFix(parameters->rows()[static_cast<std::size_t>(row)].problemIndex, fix);
}

void Fields::applyProblemFix(int problem, int fix) {
    const auto& problems = m_session.problemModel().problems();
    if (problem < 0 || problem >= static_cast<int>(problems.size())) return;
    const auto& fixes = problems[static_cast<std::size_t>(problem)].fixes;
    if (fix < 0 || fix >= static_cast<int>(fixes.size())) return;
    const ProblemFix chosen = fixes[static_cast<std::size_t>(fix)];
    m_session.edit(chosen.title, [&](Transaction& t) { weir::editor::applyFix(t, chosen); });
}

void Fields::focus(ParameterModel& model, const QString& field) {
    const int row = model.indexOf(field);
    if (row >= 0) emit focusRequested(&model, row);
}

void Fields::setVaried(const QStringList& places) {
    if (std::exchange(m_varied, places) != places) emit variedChanged();
}

bool Fields::canVary(const QString& place) const {
    return !place.isEmpty() && !axisKeyOf(m_session.document().json(), Pointer(place.toStdString())).empty();
}

bool Fields::focusFirst(ParameterModel& model) {
    if (model.rowCount() == 0) return false;
    emit focusRequested(&model, 0);
    return true;
}

void Fields::requestFile(QAbstractItemModel* model, int row) {
    const auto* parameters = qobject_cast<ParameterModel*>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount()) return;
    m_fileField = parameters->rows()[static_cast<std::size_t>(row)];
    m_fileNames = PartNames(m_session.document().json());
    emit fileRequested();
}

void Fields::takeFile(const QUrl& file) {
    // Skip blocks of the selection that were removed since.
    const PartNames now(m_session.document().json());
    std::vector<Pointer> places;
    std::vector<Pointer> fields = m_fileField.others;
    fields.insert(fields.begin(), m_fileField.pointer);
    for (const Pointer& pointer : fields)
        if (const auto place = m_fileNames.follow(pointer.to_string(), now)) places.emplace_back(*place);
    if (places.empty())
        return m_session.setNotice(tr("%1 was not set: its field no longer exists").arg(m_fileField.title));
    ParameterRow field = m_fileField;
    field.pointer = places.front();
    field.others.assign(places.begin() + 1, places.end());
    m_session.setNotice(commitField(m_session.document(), field, pathOf(file)));
}

QString Fields::pathOf(const QUrl& file) const {
    const QString path = file.toLocalFile();
    const QString relative = QDir(m_session.document().folder()).relativeFilePath(path);
    return relative.startsWith(QLatin1String("..")) ? path : relative;
}

QStringList Fields::completions(const QString& field, int cursor) const {
    QStringList names;
    for (const auto& item : object(find(m_session.document().json(), Pointer("/parameters"))).items())
        names.append(QString::fromStdString(item.key()));
    return weir::editor::completions(field, cursor, names);
}

QVariantMap Fields::complete(const QString& field, int cursor, const QString& word) const {
    const Completed completed = weir::editor::complete(field, cursor, word);
    return {{QStringLiteral("text"), completed.text}, {QStringLiteral("cursor"), completed.cursor}};
}

} // namespace weir::editor
