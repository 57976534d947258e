#include "inspector.h"

#include "apply_fix.h"
#include "block_facts.h"
#include "deployments.h"
#include "editor.h"
#include "expression_text.h"
#include "field_commit.h"
#include "inspector_rows.h"
#include "project_edits.h"
#include "project_parameters.h"

#include <QDir>

#include <algorithm>
#include <utility>

using namespace weir::editor;

Inspector::Inspector(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    connect(&editor.scene(), &GraphScene::changed, this, &Inspector::update);
    connect(&editor.selection(), &Selection::changed, this, &Inspector::update);
    connect(&editor, &Editor::problemsChanged, this, &Inspector::update);
    connect(&editor, &Editor::catalogChanged, this, &Inspector::update);
    connect(editor.results()->shown(), &DeploymentRun::changed, this, &Inspector::runtimeChanged);
    connect(this, &Inspector::changed, this, &Inspector::runtimeChanged);
    update();
}

void Inspector::update()
{
    const Json &project = m_editor.document().json();
    const Catalog &catalog = m_editor.scene().catalog();
    const QString before = std::exchange(m_blockId, m_editor.selection().onlyBlock());
    m_blocks.clear();
    for (const BlockView &block : m_editor.scene().blocks())
        if (m_editor.selection().blocks().contains(block.id))
            m_blocks.append(block.id);
    const auto show = [this](ParameterModel &model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_editor.problemModel());
        markValues(rows, m_editor.checkedValues());
        model.setRows(std::move(rows));
    };
    show(m_parameters, blockParameterRows(project, catalog, m_blocks));
    show(m_properties, blockPropertyRows(project, m_blocks));
    show(m_project, projectRows(project));
    if (before != m_blockId)
        emit blockIdChanged();
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

QString Inspector::itemType() const
{
    const CheckedValues *values = m_editor.checkedValues();
    const CheckedValues::Block *block = values ? values->block(m_blockId.toStdString()) : nullptr;
    return block ? QString::fromStdString(block->itemType) : QString();
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

BlockProblem Inspector::problem() const
{
    const auto &problems = m_editor.problemModel().problems();
    const auto found = std::find_if(problems.begin(), problems.end(), [this](const Problem &problem) {
        return !m_blockId.isEmpty() && problem.block == m_blockId;
    });
    if (found == problems.end())
        return {};
    const int index = static_cast<int>(found - problems.begin());
    const auto isAtField = [index](const ParameterModel &model) {
        return std::any_of(model.rows().begin(), model.rows().end(),
                           [index](const ParameterRow &row) { return row.problemIndex == index; });
    };
    const bool offered = isAtField(m_parameters) || isAtField(m_properties);
    return {found->message, found->hint, found->severity, offered ? QStringList() : found->fixTitles(), index};
}

QVariantList Inspector::ports() const
{
    QVariantList ports;
    for (const PortFacts &port : portFacts(m_editor.scene(), m_blockId, m_editor.checkedValues())) {
        QVariantList peers;
        for (const PortRef &peer : port.peers)
            peers.append(QVariantMap{{QStringLiteral("block"), peer.block}, {QStringLiteral("port"), peer.port}});
        ports.append(QVariantMap{{QStringLiteral("name"), port.name},
                                 {QStringLiteral("output"), port.output},
                                 {QStringLiteral("itemType"), port.itemType},
                                 {QStringLiteral("allowedTypes"), port.allowedTypes},
                                 {QStringLiteral("rate"), port.rate},
                                 {QStringLiteral("peers"), peers}});
    }
    return ports;
}

namespace {

QVariantList factList(const std::vector<Fact> &facts)
{
    QVariantList result;
    for (const Fact &fact : facts)
        result.append(QVariantMap{{QStringLiteral("label"), fact.label}, {QStringLiteral("text"), fact.text}});
    return result;
}

} // namespace

QVariantList Inspector::facts() const
{
    const BlockType *type = m_editor.scene().catalog().block(blockType().toStdString());
    return type ? factList(blockFacts(*type)) : QVariantList();
}

QUrl Inspector::source() const
{
    const BlockType *type = m_editor.scene().catalog().block(blockType().toStdString());
    return type && !type->source.empty() ? QUrl::fromLocalFile(QString::fromStdString(type->source)) : QUrl();
}

QVariantList Inspector::runtime() const
{
    QVariantList instances;
    if (const Json *result = m_editor.results()->shown()->results())
        for (const InstanceFacts &instance : runtimeFacts(*result, m_blockId))
            instances.append(QVariantMap{{QStringLiteral("name"), instance.name}, {QStringLiteral("facts"), factList(instance.facts)}});
    return instances;
}

QString Inspector::runtimeRun() const
{
    const DeploymentRun &run = *m_editor.results()->shown();
    if (!run.isKnown())
        return {};
    const QString text = QStringLiteral("%1 · %2").arg(run.label(), run.status());
    return run.isStale() ? tr("%1 · of another version").arg(text) : text;
}

void Inspector::setTab(int tab)
{
    if (m_tab == tab)
        return;
    m_tab = tab;
    emit tabChanged();
}

void Inspector::commit(QAbstractItemModel *model, int row, const QString &typed)
{
    auto *parameters = qobject_cast<ParameterModel *>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount())
        return;
    const ParameterRow field = parameters->rows()[static_cast<std::size_t>(row)];
    if (const QString why = fieldRefusal(field, typed); !why.isEmpty()) {
        parameters->setRefusal(row, typed, why);
        return;
    }
    parameters->setRefusal(row, {}, {});
    m_editor.setNotice(commitField(m_editor.document(), field, typed));
}

void Inspector::revert(QAbstractItemModel *model, int row)
{
    auto *parameters = qobject_cast<ParameterModel *>(model);
    if (parameters && row >= 0 && row < parameters->rowCount())
        parameters->setRefusal(row, {}, {});
}

void Inspector::applyFix(QAbstractItemModel *model, int row, int fix)
{
    const auto *parameters = qobject_cast<ParameterModel *>(model);
    if (parameters && row >= 0 && row < parameters->rowCount())
        applyProblemFix(parameters->rows()[static_cast<std::size_t>(row)].problemIndex, fix);
}

void Inspector::applyProblemFix(int problem, int fix)
{
    const auto &problems = m_editor.problemModel().problems();
    if (problem < 0 || problem >= static_cast<int>(problems.size()))
        return;
    const auto &fixes = problems[static_cast<std::size_t>(problem)].fixes;
    if (fix < 0 || fix >= static_cast<int>(fixes.size()))
        return;
    const ProblemFix chosen = fixes[static_cast<std::size_t>(fix)];
    m_editor.edit(chosen.title, [&](Transaction &t) { weir::editor::applyFix(t, chosen); });
}

void Inspector::goToBlock(const QString &block)
{
    m_editor.goTo(block);
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

void Inspector::requestFile(QAbstractItemModel *model, int row)
{
    const auto *parameters = qobject_cast<ParameterModel *>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount())
        return;
    m_fileField = parameters->rows()[static_cast<std::size_t>(row)];
    m_fileNames = PartNames(m_editor.document().json());
    emit fileRequested();
}

void Inspector::takeFile(const QUrl &file)
{
    // Other blocks of a selection that have gone since are left out.
    const PartNames now(m_editor.document().json());
    std::vector<Pointer> places;
    std::vector<Pointer> asked = m_fileField.others;
    asked.insert(asked.begin(), m_fileField.pointer);
    for (const Pointer &pointer : asked)
        if (const auto place = m_fileNames.follow(pointer.to_string(), now))
            places.emplace_back(*place);
    if (places.empty())
        return m_editor.setNotice(tr("%1 was not set: what it was for is not there any more").arg(m_fileField.title));
    ParameterRow field = m_fileField;
    field.pointer = places.front();
    field.others.assign(places.begin() + 1, places.end());
    m_editor.setNotice(commitField(m_editor.document(), field, pathOf(file)));
}

QString Inspector::pathOf(const QUrl &file) const
{
    const QString path = file.toLocalFile();
    const QString relative = QDir(m_editor.document().folder()).relativeFilePath(path);
    return relative.startsWith(QLatin1String("..")) ? path : relative;
}

QStringList Inspector::completions(const QString &field, int cursor) const
{
    QStringList names;
    for (const auto &item : object(find(m_editor.document().json(), Pointer("/parameters"))).items())
        names.append(QString::fromStdString(item.key()));
    return weir::editor::completions(field, cursor, names);
}

QVariantMap Inspector::complete(const QString &field, int cursor, const QString &word) const
{
    const Completed completed = weir::editor::complete(field, cursor, word);
    return {{QStringLiteral("text"), completed.text}, {QStringLiteral("cursor"), completed.cursor}};
}
