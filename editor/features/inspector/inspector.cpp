#include "features/inspector/inspector.h"

#include "core/edits/project_edits.h"
#include "core/text/texts.h"
#include "features/inspector/inspector_rows.h"
#include "features/inspector/project_parameters.h"
#include "features/runs/deployment_run.h"
#include "shell/fields/fields.h"
#include "shell/fields/row_marks.h"
#include "shell/session/session.h"

#include <algorithm>
#include <utility>

namespace weir::editor {

Inspector::Inspector(Session& session, Fields& fields, DeploymentRun& shown, QObject* parent)
    : QObject(parent), m_session(session), m_fields(fields), m_shown(shown) {
    connect(&session.scene(), &GraphScene::changed, this, &Inspector::update);
    connect(&session.selection(), &Selection::changed, this, &Inspector::update);
    connect(&session, &Session::problemsChanged, this, &Inspector::update);
    connect(&session, &Session::catalogChanged, this, &Inspector::update);
    connect(&session, &Session::newBlocksChanged, this, &Inspector::update);
    connect(&session, &Session::deploymentsChanged, this, &Inspector::update);
    connect(&shown, &DeploymentRun::changed, this, &Inspector::updateRuntime);
    connect(this, &Inspector::changed, this, &Inspector::updateRuntime);
    connect(&session, &Session::documentReplaced, this, [this] { m_hidden.clear(); });
    connect(&session, &Session::fieldsRequested, this, &Inspector::goToFirstField);
    update();
}

void Inspector::update() {
    const Json& project = m_session.document().json();
    const Catalog& catalog = m_session.scene().catalog();
    const QString before = std::exchange(m_blockId, m_session.selection().onlyBlock());
    m_blocks.clear();
    for (const BlockView& block : m_session.scene().blocks())
        if (m_session.selection().blocks().contains(block.id)) m_blocks.append(block.id);
    const auto show = [this](ParameterModel& model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_session.problemModel());
        markValues(rows, m_session.checkedValues());
        model.setRows(std::move(rows));
    };
    if (const CheckedValues* values = m_session.checkedValues()) m_hidden = values->hidden;
    std::vector<ParameterRow> parameters = blockParameterRows(project, catalog, m_blocks);
    if (const auto hidden = m_hidden.find(m_blockId.toStdString()); hidden != m_hidden.end())
        std::erase_if(parameters,
                      [&hidden](const ParameterRow& row) { return hidden->second.contains(row.name.toStdString()); });
    show(m_parameters, std::move(parameters));
    show(m_properties, blockPropertyRows(project, m_blocks));
    show(m_threads, blockThreadRows(project, catalog, m_session.deployment(), m_blocks));
    show(m_project, projectRows(project));
    m_ports.setRows(portFacts(m_session.scene(), m_blockId, m_session.checkedValues()));
    const BlockType* type = shownType();
    m_facts.setRows(type ? blockFacts(*type) : Facts());
    if (before != m_blockId) emit blockIdChanged();
    emit changed();
}

const BlockType* Inspector::shownType() const {
    const auto block = blockPointer(m_session.document().json(), m_blockId.toStdString());
    return block ? m_session.scene().catalog().typeOf(*find(m_session.document().json(), *block)) : nullptr;
}

QString Inspector::blockType() const {
    const BlockView* block = m_session.scene().block(m_blockId);
    return block ? block->type : QString();
}

QString Inspector::itemType() const {
    const CheckedValues* values = m_session.checkedValues();
    const CheckedValues::Block* block = values ? values->block(m_blockId.toStdString()) : nullptr;
    return block ? QString::fromStdString(block->itemType) : QString();
}

QString Inspector::category() const {
    const BlockView* block = m_session.scene().block(m_blockId);
    return block ? block->category : QString();
}

QString Inspector::documentation() const {
    const BlockType* type = shownType();
    if (!type)
        return hasBlock() && m_session.isHosted() ? tr("GNU Radio is not installed, or does not have this block.")
               : hasBlock() && m_session.isCatalogLoaded()
                   ? tr("The catalog has no block of this type. Its parameters and connections are kept.")
                   : QString();
    return QString::fromStdString(type->documentation);
}

QString Inspector::title() const {
    const BlockView* block = m_session.scene().block(m_blockId);
    return block && block->title != block->type ? block->title : QString();
}

BlockProblem Inspector::problem() const {
    const auto& problems = m_session.problemModel().problems();
    auto found = std::find_if(problems.begin(), problems.end(), [this](const Problem& problem) {
        return !m_blockId.isEmpty() && problem.block == m_blockId;
    });
    // Else take a problem elsewhere that concerns the block, such as a scheduler that cannot run it.
    if (found == problems.end())
        found = std::find_if(problems.begin(), problems.end(), [this](const Problem& problem) {
            return problem.others.contains(m_blockId) && m_session.isOfShown(problem);
        });
    if (found == problems.end()) return {};
    const int index = static_cast<int>(found - problems.begin());
    const auto isAtField = [index](const ParameterModel& model) {
        return std::any_of(model.rows().begin(), model.rows().end(),
                           [index](const ParameterRow& row) { return row.problemIndex == index; });
    };
    const bool offered = isAtField(m_parameters) || isAtField(m_properties) || isAtField(m_threads);
    return {found->message, found->hint, found->severity, offered ? QStringList() : found->fixTitles(), index};
}

QString Inspector::threadsTitle() const { return tr("Worker in deployment %1").arg(m_session.deployment()); }

QUrl Inspector::source() const {
    const BlockType* type = shownType();
    return type && !type->source.empty() ? QUrl::fromLocalFile(QString::fromStdString(type->source)) : QUrl();
}

void Inspector::updateRuntime() {
    const Json* results = m_shown.results();
    m_runtime.setRows(results ? runtimeFacts(*results, m_blockId) : Facts());
    emit runtimeChanged();
}

QString Inspector::projectName() const {
    if (const QString title = m_session.projectTitle(); !title.isEmpty()) return title;
    const QString name = m_session.hasFile() ? string(m_session.document().json(), "name") : QString();
    return name.isEmpty() ? m_session.documentName() : name;
}

QString Inspector::runtimeRun() const {
    if (!m_shown.isKnown()) return {};
    const QString text = QStringLiteral("%1 · %2").arg(m_shown.label(), m_shown.status());
    return m_shown.isStale() ? QStringLiteral("%1 · %2").arg(text, m_shown.differs()) : text;
}

void Inspector::setTab(int tab) {
    if (m_tab == tab) return;
    m_tab = tab;
    emit tabChanged();
}

void Inspector::goToBlock(const QString& block) { m_session.goTo(block); }

bool Inspector::renameBlock(const QString& name) {
    const std::string from = m_blockId.toStdString();
    const std::string to = name.trimmed().toStdString();
    if (from == to || from.empty()) return true;
    if (!isValidName(to)) {
        m_session.setNotice(NameText::refused(name));
        return false;
    }
    if (blockPointer(m_session.document().json(), to)) {
        m_session.setNotice(tr("A block named %1 already exists").arg(name));
        return false;
    }
    const QString renamed = QString::fromStdString(to);
    const bool done = m_session.edit(tr("Rename %1 to %2").arg(m_blockId, renamed),
                                     [&](Transaction& t) { weir::editor::renameBlock(t, from, to); });
    if (done) m_session.selection().set({renamed});
    return done;
}

void Inspector::goToFirstField() {
    if (!hasBlock()) return;
    setTab(Parameters);
    // Go to a faulty or missing value first. Else skip the list of item types: it is first, rarely used, and ignores
    // typed text.
    const std::vector<ParameterRow>& rows = m_parameters.rows();
    auto value = std::find_if(rows.begin(), rows.end(), [](const ParameterRow& row) { return !row.problem.isEmpty(); });
    if (value == rows.end())
        value = std::find_if(rows.begin(), rows.end(),
                             [](const ParameterRow& row) { return row.pointer.back() != "item_type"; });
    if (value != rows.end()) m_fields.focus(m_parameters, value->name);
    else if (!m_fields.focusFirst(m_parameters)) m_fields.focusFirst(m_properties);
}

void Inspector::goToField(const QString& field) {
    setTab(Parameters);
    m_fields.focus(m_parameters, field);
    m_fields.focus(m_properties, field);
    m_fields.focus(m_threads, field);
}

void Inspector::goToProjectField(const QString& field) { m_fields.focus(m_project, field); }

}  // namespace weir::editor
