#include "shell/session/session.h"

#include "core/decor/decor_edits.h"
#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/json/json_reader.h"
#include "core/problems/apply_fix.h"
#include "shell/icons/icons.h"

#include <QFileInfo>

#include <algorithm>

namespace weir::editor {
namespace {

QHash<QString, QByteArray> iconsOf(const Catalog& catalog) {
    QHash<QString, QByteArray> icons;
    for (const BlockType& block : catalog.blocks())
        if (!block.icon.empty()) icons.insert(QString::fromStdString(block.id), QByteArray::fromStdString(block.icon));
    return icons;
}

} // namespace

Session::Session(const CliCommand& command, std::vector<View> views, QObject* parent)
    : QObject(parent), m_command(command), m_views(std::move(views)), m_trust(m_document), m_scene(m_document),
      m_selection(m_scene), m_blocks(m_scene), m_validator(m_command, m_document, m_problems),
      m_view(m_views.names().constFirst()) {
    // Make no items before the canvas knows its view.
    m_blocks.setRegion({});
    connect(&m_document, &Document::pathChanged, this, &Session::fileChanged);
    connect(&m_document, &Document::changed, this, [this] {
        if (!hasFile()) emit fileChanged(); // without a file, its name is that of the project
    });
    connect(&m_document, &Document::modifiedChanged, this, &Session::modifiedChanged);
    connect(&m_document, &Document::replaced, this, [this] {
        m_deployment = 0;
        m_chosenBefore.clear();
        m_selection.clear();
        m_lastChange.clear();
        emit documentReplaced();
        emit newBlocksChanged(); // GNU Radio's blocks are for its own projects
        askForGnuradio();
        emit deploymentsChanged();
        emit problemsChanged(); // no answer about this document yet
    });
    connect(&m_document, &Document::changed, this,
            [this](const ChangedPaths& paths) { m_problems.follow(m_document.json(), paths); });
    connect(&m_document, &Document::changed, this, &Session::keepDeployment);
    connect(&m_document, &Document::changed, this, [this](const ChangedPaths& paths) {
        m_lastChange.insert(m_lastChange.end(), paths.places().begin(), paths.places().end());
    });
    connect(&m_document, &Document::changed, this, &Session::problemsChanged);
    connect(&m_document, &Document::changed, this, &Session::projectTitleChanged);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &Session::historyChanged);
    connect(&m_document, &Document::lookOnlyChanged, this, &Session::historyChanged);
    connect(&m_scene, &GraphScene::changed, this, &Session::summaryChanged);
    connect(&m_selection, &Selection::aboutToChange, this, &Session::aboutToShowOther);
    connect(&m_selection, &Selection::changed, this, [this] {
        m_blocks.setSelection(m_selection.blocks());
        emit selectionChanged();
    });
    connect(&m_problems, &ProblemModel::countChanged, this, &Session::markBlocks);
    connect(this, &Session::deploymentsChanged, this, &Session::markBlocks);
    connect(&m_validator, &Validator::answered, this, &Session::followPorts);
    connect(&m_validator, &Validator::answered, this, &Session::problemsChanged);
    connect(&m_validator, &Validator::failed, this, [this](const QString& why) {
        setNotice(why);
        emit problemsChanged();
    });
    registerActions();
}

void Session::setView(const QString& view) {
    if (view == m_view || !m_views.names().contains(view)) return;
    m_view = view;
    emit viewChanged();
}

QString Session::undoText() const {
    return m_document.canUndo() ? const_cast<Document&>(m_document).undoStack().undoText() : QString();
}

QString Session::redoText() const {
    return m_document.canRedo() ? const_cast<Document&>(m_document).undoStack().redoText() : QString();
}

QString Session::summary() const {
    return tr("%n block(s)", nullptr, static_cast<int>(m_scene.blocks().size())) + QStringLiteral(" · ") +
           tr("%n wire(s)", nullptr, static_cast<int>(m_scene.wires().size()));
}

QString Session::hindrances() const {
    const int errors = m_problems.count(QStringLiteral("error")), unfinished = unfinishedCount();
    QStringList parts;
    if (errors > 0) parts.append(tr("%n error(s)", nullptr, errors));
    if (unfinished > 0) parts.append(tr("%n thing(s) to finish", nullptr, unfinished));
    return parts.join(QStringLiteral(" · "));
}

QString Session::onlyProblem() const {
    const auto& problems = m_problems.problems();
    if (problems.size() != 1) return {};
    const Problem& problem = problems.front();
    return problem.hint.isEmpty() ? problem.message : QStringLiteral("%1 · %2").arg(problem.message, problem.hint);
}

QString Session::problemSummary() const {
    const auto all = static_cast<int>(m_problems.problems().size());
    const int warnings = all - m_problems.count(QStringLiteral("error")) - unfinishedCount();
    QStringList parts{hindrances()};
    if (warnings > 0) parts.append(tr("%n warning(s)", nullptr, warnings));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString Session::worstSeverity() const {
    const auto& problems = m_problems.problems(); // sorted: the worst first
    return problems.empty() ? QString() : problems.front().severity;
}

QString Session::selectionSummary() const {
    const int count = static_cast<int>(m_selection.blocks().size()) +
                      static_cast<int>(m_selection.wires().size() + m_selection.decor().size());
    return count == 0 ? QString() : tr("%n selected", nullptr, count);
}

void Session::start() {
    m_validator.validateNow();
    ++m_listings;
    callCli(m_command,
            {.arguments = {QStringLiteral("catalog"), QStringLiteral("--json")}, .folder = m_document.folder()}, this,
            [this](const CliAnswer& answer) {
                --m_listings;
                const Json json = jsonFrom(answer.output);
                if (json.is_object()) setCatalog(Catalog(json));
                else setNotice(tr("The blocks could not be listed: %1").arg(answer.explanation()));
            });
}

bool Session::isHosted() const { return member(m_document.json(), "gnuradio"); }

std::vector<const BlockType*> Session::newBlocks() const {
    const Catalog& catalog = m_scene.catalog();
    return isHosted() ? catalog.gnuradioInOrder() : catalog.blocksInOrder();
}

/// Requests GNU Radio's blocks, too, as soon as a project needs them.
void Session::askForGnuradio() {
    if (m_askedForGnuradio || !isHosted() || !isCatalogLoaded()) return;
    m_askedForGnuradio = true;
    ++m_listings;
    emit newBlocksChanged();
    callCli(m_command,
            {.arguments = {QStringLiteral("catalog"), QStringLiteral("--gnuradio"), QStringLiteral("--json")},
             .folder = m_document.folder()},
            this, [this](const CliAnswer& answer) {
                const Json json = jsonFrom(answer.output);
                --m_listings;
                // Without them, the entries of the project still say enough to draw and edit it.
                if (json.is_object()) m_scene.setCatalog(Catalog(json));
                emit newBlocksChanged();
            });
}

/// Gives a block of GNU Radio the ports that belong to its parameters, if an edit since the last answer changed one.
/// Other differences remain problems with a fix, since opening a project must not change it.
void Session::followPorts() {
    std::vector<ProblemFix> fixes;
    for (const Problem& problem : m_problems.problems())
        for (const ProblemFix& fix : problem.fixes) {
            const std::string parameters = fix.pointer.section(u'/', 0, 3).toStdString() + "/parameters";
            if (problem.code == QLatin1String("W_BLOCK_PORTS") &&
                std::any_of(m_lastChange.begin(), m_lastChange.end(),
                            [&parameters](const std::string& place) { return isBelow(place, parameters); }))
                fixes.push_back(fix);
        }
    m_lastChange.clear();
    if (fixes.empty()) return;
    m_document.amend([&fixes](Transaction& t) {
        for (const ProblemFix& fix : fixes) applyFix(t, fix);
    });
}

void Session::setCatalog(const Catalog& catalog) {
    IconStore::get().setBlockIcons(iconsOf(catalog));
    m_scene.setCatalog(catalog);
    emit catalogChanged();
    emit newBlocksChanged();
    askForGnuradio();
}

bool Session::openPath(const QString& path) {
    const QString failure = m_document.open(path);
    setNotice(failure);
    return failure.isEmpty();
}

void Session::newDocument() {
    m_document.startNew();
    setNotice({});
}

void Session::undo() { stepInHistory(&Document::undo); }

void Session::redo() { stepInHistory(&Document::redo); }

/// Selects what the step brought back; otherwise what was selected before, as far as it still exists.
void Session::stepInHistory(void (Document::*step)()) {
    const auto blocks = [this] {
        QSet<QString> found;
        for (const BlockView& block : m_scene.blocks()) found.insert(block.id);
        return found;
    };
    const QSet<QString> blocksBefore = blocks();
    const QStringList deploymentsBefore = deployments();
    (m_document.*step)();
    const Chosen before = m_chosenBefore.value(m_document.undoStack().index());
    const QSet<QString> now = blocks();
    if (const QSet<QString> back = now - blocksBefore; !back.isEmpty()) m_selection.set(back);
    else if (now != blocksBefore) m_selection.set(before.blocks & now);
    const QStringList there = deployments();
    const auto back = std::find_if(there.begin(), there.end(),
                                   [&](const QString& name) { return !deploymentsBefore.contains(name); });
    if (back != there.end()) setDeploymentIndex(static_cast<int>(back - there.begin()));
    else if (there != deploymentsBefore) setDeploymentIndex(static_cast<int>(there.indexOf(before.deployment)));
}

bool Session::edit(const QString& name, const Document::Change& change, const QString& mergeKey) {
    const int step = m_document.undoStack().index();
    const Chosen chosen{m_selection.blocks(), deployment()};
    const QString failure = m_document.edit(name, change, mergeKey);
    if (m_document.undoStack().index() > step) m_chosenBefore.insert(step, chosen);
    setNotice(failure);
    return failure.isEmpty();
}

void Session::removeSelection() {
    if (m_selection.isEmpty()) return;
    const std::set<std::string> blocks = m_selection.ids();
    const auto wires = m_selection.wires();
    const auto parts = m_selection.decor();
    const int count = static_cast<int>(blocks.size() + parts.size());
    const QString name = !blocks.empty() && !parts.empty() ? tr("Delete %n part(s)", nullptr, count)
                         : blocks.size() == 1              ? tr("Delete %1").arg(m_selection.onlyBlock())
                         : !blocks.empty()                 ? tr("Delete %n block(s)", nullptr, count)
                         : parts.empty()                   ? tr("Delete connection")
                         : parts.size() > 1                ? tr("Delete %n part(s) of the drawing", nullptr, count)
                         : parts.begin()->kind == DecorKind::Frame ? tr("Delete frame")
                         : parts.begin()->kind == DecorKind::Note  ? tr("Delete note")
                                                                   : tr("Remove a point of the wire");
    edit(name, [&](Transaction& t) {
        decor::remove(t, parts);
        removeParts(t, blocks, wires);
    });
}

void Session::selectAll() {
    QSet<QString> all;
    for (const BlockView& block : m_scene.blocks()) all.insert(block.id);
    std::set<DecorId> parts;
    for (const FrameView& frame : m_scene.frames()) parts.insert({DecorKind::Frame, frame.key});
    for (const NoteView& note : m_scene.notes()) parts.insert({DecorKind::Note, note.key});
    m_selection.set(all, {}, parts);
}

void Session::goTo(const QString& block) {
    if (!m_scene.block(block)) return;
    m_selection.set({block});
    emit revealRequested(block);
}

void Session::moveSelection(QPointF offset, bool merge) {
    const MoveSet moved = m_scene.movedWith(m_selection.blocks(), m_selection.decor());
    if (moved.isEmpty() || offset.isNull()) return;
    std::vector<std::pair<std::string, QPointF>> positions;
    for (const BlockView& block : m_scene.blocks())
        if (moved.blocks.contains(block.id))
            positions.emplace_back(block.id.toStdString(), block.rect.topLeft() + offset);
    const bool onlyBlocks = m_selection.decor().empty();
    const QString name = onlyBlocks && !m_selection.onlyBlock().isEmpty() ? tr("Move %1").arg(m_selection.onlyBlock())
                         : onlyBlocks        ? tr("Move %n block(s)", nullptr, static_cast<int>(positions.size()))
                         : moved.size() == 1 ? tr("Move a part of the drawing")
                                             : tr("Move %n part(s)", nullptr, static_cast<int>(moved.size()));
    edit(
        name,
        [&](Transaction& t) {
            placeBlocks(t, positions);
            decor::move(t, moved.decor, offset);
        },
        merge ? QStringLiteral("move") : QString());
}

void Session::connectPorts(const PortRef& a, const PortRef& b) {
    const QString problem = m_scene.connectionProblem(a, b);
    if (!problem.isEmpty()) {
        setNotice(problem);
        return;
    }
    const PortRef& source = a.output ? a : b;
    const PortRef& target = a.output ? b : a;
    const Connection connection{source.block.toStdString(), source.port.toStdString(), target.block.toStdString(),
                                target.port.toStdString()};
    edit(tr("Connect %1 to %2").arg(source.block, target.block), [&](Transaction& t) { addConnection(t, connection); });
}

void Session::setNotice(const QString& notice, bool good) {
    if (m_notice == notice && m_noticeIsGood == good) return;
    m_notice = notice;
    m_noticeIsGood = good;
    emit noticeChanged();
}

QStringList Session::deployments() const {
    QStringList names;
    for (const Json& deployment : list(find(m_document.json(), kDeployments))) names.append(string(deployment, "name"));
    return names;
}

QString Session::deployment() const { return deployments().value(m_deployment); }

void Session::setDeploymentIndex(int index) {
    if (index == m_deployment || index < 0 || index >= deployments().size()) return;
    emit aboutToShowOther();
    m_deployment = index;
    emit deploymentsChanged();
}

void Session::keepDeployment() {
    m_deployment = std::clamp(m_deployment, 0, std::max(static_cast<int>(deployments().size()) - 1, 0));
    emit deploymentsChanged();
}

bool Session::isOfShown(const Problem& problem) const {
    const QString root = QStringLiteral("/deployments/");
    return !problem.pointer.startsWith(root) || problem.pointer.section(u'/', 2, 2).toInt() == m_deployment;
}

void Session::markBlocks() {
    QHash<QString, BlockModel::Mark> marks;
    for (const Problem& problem : m_problems.problems()) {
        if (!isOfShown(problem)) continue;
        for (const QString& block : problem.others + QStringList(problem.block)) {
            // Problems are sorted: the first one of a block is the worst.
            if (!block.isEmpty() && !marks.contains(block)) marks.insert(block, {problem.severity, problem.message});
        }
    }
    m_blocks.setMarks(marks);
    emit problemsChanged();
}

}  // namespace weir::editor
