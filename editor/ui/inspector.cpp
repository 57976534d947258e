#include "inspector.h"

#include "editor.h"
#include "field_commit.h"
#include "inspector_rows.h"
#include "project_edits.h"

using namespace weir::editor;

Inspector::Inspector(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    connect(&editor.scene(), &GraphScene::changed, this, &Inspector::update);
    connect(&editor.selection(), &Selection::changed, this, &Inspector::update);
    connect(&editor.problemModel(), &ProblemModel::countChanged, this, &Inspector::update);
    connect(&editor, &Editor::deploymentsChanged, this, &Inspector::update);
    update();
}

void Inspector::update()
{
    const Json &project = m_editor.document().json();
    const Catalog &catalog = m_editor.scene().catalog();
    m_blockId = m_editor.selection().onlyBlock();
    const auto show = [this](ParameterModel &model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_editor.problemModel());
        model.setRows(std::move(rows));
    };
    show(m_parameters, blockParameterRows(project, catalog, m_blockId));
    show(m_properties, blockPropertyRows(project, m_blockId));
    show(m_projectParameters, projectParameterRows(project));
    show(m_deployment, deploymentRows(project, catalog, m_editor.deployment()));
    show(m_run, runRows(project));
    emit changed();
}

QString Inspector::blockType() const
{
    const BlockView *block = m_editor.scene().block(m_blockId);
    return block ? block->type : QString();
}

QString Inspector::blockTitle() const
{
    const BlockView *block = m_editor.scene().block(m_blockId);
    return block ? block->title : QString();
}

QString Inspector::category() const
{
    const BlockView *block = m_editor.scene().block(m_blockId);
    return block ? block->category : QString();
}

QString Inspector::documentation() const
{
    const BlockType *type = m_editor.scene().catalog().block(blockType().toStdString());
    if (!type)
        return hasBlock() && m_editor.isCatalogLoaded()
                   ? tr("No block of this type is known here. Its parameters and connections are kept.")
                   : QString();
    return QString::fromStdString(type->documentation);
}

QString Inspector::problem() const
{
    for (const Problem &problem : m_editor.problemModel().problems())
        if (!m_blockId.isEmpty() && problem.block == m_blockId)
            return problem.hint.isEmpty() ? problem.message : QStringLiteral("%1 (%2)").arg(problem.message, problem.hint);
    return {};
}

int Inspector::selectedCount() const
{
    return static_cast<int>(m_editor.selection().blocks().size());
}

QString Inspector::schedulerDocumentation() const
{
    const ParameterRow *row = m_deployment.row(QStringLiteral("scheduler"));
    const SchedulerType *scheduler = row ? m_editor.scene().catalog().scheduler(row->value.toStdString()) : nullptr;
    return scheduler ? QString::fromStdString(scheduler->documentation) : QString();
}

void Inspector::commit(QAbstractItemModel *model, int row, const QString &typed)
{
    const auto *parameters = qobject_cast<ParameterModel *>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount())
        return;
    const ParameterRow field = parameters->rows()[static_cast<std::size_t>(row)];
    const QString failure = commitField(m_editor.document(), field, typed);
    m_editor.setNotice(failure);
}

bool Inspector::renameBlock(const QString &name)
{
    const std::string from = m_blockId.toStdString();
    const std::string to = name.trimmed().toStdString();
    if (from == to || from.empty())
        return true;
    if (!isValidName(to)) {
        m_editor.setNotice(tr("\"%1\" is not a name: use a-z, 0-9 and _, beginning with a letter").arg(name));
        return false;
    }
    if (blockPointer(m_editor.document().json(), to)) {
        m_editor.setNotice(tr("There is a block %1 already").arg(name));
        return false;
    }
    const QString renamed = QString::fromStdString(to);
    const bool done = m_editor.edit(tr("Rename %1 to %2").arg(m_blockId, renamed),
                                    [&](Transaction &t) { weir::editor::renameBlock(t, from, to); });
    if (done)
        m_editor.selection().set({renamed});
    return done;
}

bool Inspector::addProjectParameter(const QString &name)
{
    const std::string id = name.trimmed().toStdString();
    const Pointer place = Pointer("/parameters") / id;
    if (!isValidName(id) || find(m_editor.document().json(), place)) {
        m_editor.setNotice(tr("\"%1\" is not a free name: use a-z, 0-9 and _, beginning with a letter").arg(name));
        return false;
    }
    return m_editor.edit(tr("Add parameter %1").arg(name), [&](Transaction &t) { t.set(place, {{"value", 1}}); });
}

void Inspector::removeProjectParameter(const QString &name)
{
    m_editor.edit(tr("Delete parameter %1").arg(name),
                  [&](Transaction &t) { t.remove(Pointer("/parameters") / name.toStdString()); });
}
