#include "features/inspector/project_parameters.h"

#include "core/edits/rename_parameter.h"
#include "core/edits/sweep_names.h"
#include "core/text/texts.h"
#include "shell/fields/field_commit.h"
#include "shell/fields/fields.h"
#include "shell/session/session.h"

namespace weir::editor {

ProjectParameters::ProjectParameters(Session& session, Fields& fields, QObject* parent)
    : QObject(parent), m_session(session), m_fields(fields) {
    connect(&session.document(), &Document::changed, this, &ProjectParameters::update);
    connect(&session, &Session::problemsChanged, this, &ProjectParameters::update);
    update();
}

void ProjectParameters::update() {
    m_model.setRows(
        projectParameterRows(m_session.document().json(), m_session.problemModel(), m_session.checkedValues()));
}

void ProjectParameters::commit(int row, const QString& field, const QString& typed) {
    if (row < 0 || row >= m_model.rowCount()) return;
    const ProjectParameterRow parameter = m_model.rows()[static_cast<std::size_t>(row)];
    m_model.setRefusal(row, {}, {});
    const ParameterRow& target = field == QLatin1String("minimum")       ? parameter.minimum
                                 : field == QLatin1String("maximum")     ? parameter.maximum
                                 : field == QLatin1String("description") ? parameter.description
                                                                         : parameter.value;
    m_session.setNotice(commitField(m_session.document(), target, typed));
}

void ProjectParameters::applyFix(int row, int fix) {
    if (row >= 0 && row < m_model.rowCount())
        m_fields.applyProblemFix(m_model.rows()[static_cast<std::size_t>(row)].value.problemIndex, fix);
}

void ProjectParameters::slide(int row, qreal position) {
    if (row < 0 || row >= m_model.rowCount()) return;
    const ProjectParameterRow parameter = m_model.rows()[static_cast<std::size_t>(row)];
    const Json value = sliderValue(parameter, position);
    if (!parameter.slider || *find(m_session.document().json(), parameter.value.pointer) == value) return;
    m_session.edit(
        tr("Set %1").arg(parameter.name), [&](Transaction& t) { t.set(parameter.value.pointer, value); },
        QStringLiteral("slide ") + parameter.name);
}

void ProjectParameters::endSlide() { m_session.document().endMerge(); }

bool ProjectParameters::isFree(const QString& name) {
    const std::string id = name.trimmed().toStdString();
    if (!isValidName(id)) {
        m_session.setNotice(NameText::refused(name));
        return false;
    }
    if (find(m_session.document().json(), Pointer("/parameters") / id)) {
        m_session.setNotice(tr("A parameter named %1 already exists").arg(name));
        return false;
    }
    return true;
}

bool ProjectParameters::add(const QString& name) {
    const QString id = name.trimmed();
    return isFree(name) && m_session.edit(tr("Add parameter %1").arg(id), [&](Transaction& t) {
        t.set(Pointer("/parameters") / id.toStdString(), {{"value", 1}});
    });
}

void ProjectParameters::remove(int row) {
    if (row < 0 || row >= m_model.rowCount()) return;
    const QString name = m_model.rows()[static_cast<std::size_t>(row)].name;
    m_session.edit(tr("Delete parameter %1").arg(name), [&](Transaction& t) {
        t.remove(Pointer("/parameters") / name.toStdString());
        forgetParameter(t, name.toStdString());
    });
}

bool ProjectParameters::rename(int row, const QString& name) {
    if (row < 0 || row >= m_model.rowCount()) return false;
    const QString from = m_model.rows()[static_cast<std::size_t>(row)].name;
    const QString to = name.trimmed();
    if (from == to) return true;
    return isFree(name) && m_session.edit(tr("Rename parameter %1 to %2").arg(from, to), [&](Transaction& t) {
        renameParameter(t, from.toStdString(), to.toStdString());
    });
}

} // namespace weir::editor
