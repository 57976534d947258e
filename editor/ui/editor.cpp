#include "editor.h"

#include "json_reader.h"
#include "project_edits.h"

#include <QFileInfo>

#include <algorithm>

using namespace weir::editor;

namespace {

const Pointer kDeployments{"/deployments"};

std::string freeDeploymentName(const Json &project, const std::string &wanted)
{
    std::string name = wanted;
    for (int number = 2; deploymentPointer(project, name); ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

} // namespace

Editor::Editor(const CliCommand &command, QObject *parent)
    : QObject(parent), m_command(command), m_scene(m_document), m_selection(m_scene), m_blocks(m_scene),
      m_validator(m_command, m_document, m_problems), m_inspector(new Inspector(*this, this)), m_runner(new RunController(*this, this))
{
    // No items before the canvas knows what it shows.
    m_blocks.setRegion({});
    connect(&m_document, &Document::pathChanged, this, &Editor::fileChanged);
    connect(&m_document, &Document::modifiedChanged, this, &Editor::modifiedChanged);
    connect(&m_document, &Document::replaced, this, [this] {
        m_deployment = 0;
        m_selection.clear();
        emit documentReplaced();
        emit deploymentsChanged();
    });
    connect(&m_document, &Document::changed, this, [this] { m_problems.followRename(m_document.json()); });
    connect(&m_document, &Document::changed, this, &Editor::keepDeployment);
    connect(&m_document, &Document::changed, this, &Editor::problemsChanged);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &Editor::historyChanged);
    connect(&m_scene, &GraphScene::changed, this, &Editor::summaryChanged);
    connect(&m_selection, &Selection::changed, this, [this] {
        m_blocks.setSelection(m_selection.blocks());
        emit selectionChanged();
    });
    connect(&m_problems, &ProblemModel::countChanged, this, &Editor::markBlocks);
    connect(&m_validator, &Validator::answered, this, &Editor::problemsChanged);
    connect(&m_validator, &Validator::failed, this, [this](const QString &why) {
        setNotice(why);
        emit problemsChanged();
    });
}

Editor::~Editor() = default;

QString Editor::undoText() const
{
    return const_cast<Document &>(m_document).undoStack().undoText();
}

QString Editor::redoText() const
{
    return const_cast<Document &>(m_document).undoStack().redoText();
}

void Editor::setFilter(const QString &filter)
{
    m_palette.setFilter(filter);
    emit filterChanged();
}

QString Editor::summary() const
{
    return tr("%1 blocks · %2 wires").arg(m_scene.blocks().size()).arg(m_scene.wires().size());
}

QString Editor::selectionSummary() const
{
    const auto count = m_selection.blocks().size() + static_cast<qsizetype>(m_selection.wires().size());
    return count == 0 ? QString() : tr("%1 selected").arg(count);
}

void Editor::start()
{
    m_validator.validateNow();
    callCli(m_command, {QStringLiteral("catalog"), QStringLiteral("--json")}, {}, m_document.folder(), this,
            [this](const CliAnswer &answer) {
                const auto parsed = readJson(answer.output.toStdString());
                const Json *json = std::get_if<Json>(&parsed);
                if (json && json->is_object())
                    setCatalog(Catalog(*json));
                else
                    setNotice(tr("The blocks could not be listed: %1").arg(answer.explanation()));
            });
}

void Editor::setCatalog(const Catalog &catalog)
{
    m_palette.setCatalog(catalog);
    m_scene.setCatalog(catalog);
    emit catalogChanged();
}

bool Editor::openPath(const QString &path)
{
    const QString failure = m_document.open(path);
    setNotice(failure);
    return failure.isEmpty();
}

void Editor::newDocument()
{
    m_document.startNew();
    setNotice({});
}

bool Editor::save()
{
    const QString failure = m_document.save(m_document.path());
    setNotice(failure);
    return failure.isEmpty();
}

bool Editor::saveAs(const QUrl &file)
{
    const QString failure = m_document.save(file.toLocalFile());
    setNotice(failure);
    return failure.isEmpty();
}

void Editor::undo()
{
    m_document.undoStack().undo();
    m_document.endMerge();
}

void Editor::redo()
{
    m_document.undoStack().redo();
    m_document.endMerge();
}

bool Editor::edit(const QString &name, const Document::Change &change, const QString &mergeKey)
{
    const QString failure = m_document.edit(name, change, mergeKey);
    setNotice(failure);
    return failure.isEmpty();
}

QString Editor::addBlock(const QString &type, qreal x, qreal y)
{
    const std::string id = freeBlockId(m_document.json(), type.toStdString());
    const QPointF corner = m_scene.freePosition({x, y});
    if (!edit(tr("Add %1").arg(type), [&](Transaction &t) { weir::editor::addBlock(t, id, type.toStdString(), corner); }))
        return {};
    const QString name = QString::fromStdString(id);
    m_selection.set({name});
    return name;
}

void Editor::removeSelection()
{
    if (m_selection.isEmpty())
        return;
    std::set<std::string> blocks;
    for (const QString &id : m_selection.blocks())
        blocks.insert(id.toStdString());
    const auto wires = m_selection.wires();
    const QString name = blocks.size() == 1 ? tr("Delete %1").arg(m_selection.onlyBlock())
                         : blocks.empty()   ? tr("Delete connection")
                                            : tr("Delete %1 blocks").arg(blocks.size());
    edit(name, [&](Transaction &t) { removeParts(t, blocks, wires); });
}

void Editor::selectAll()
{
    QSet<QString> all;
    for (const BlockView &block : m_scene.blocks())
        all.insert(block.id);
    m_selection.set(all);
}

void Editor::goTo(const QString &block)
{
    if (!m_scene.block(block))
        return;
    m_selection.set({block});
    emit revealRequested(block);
}

void Editor::moveSelection(QPointF offset, bool merge)
{
    std::vector<std::pair<std::string, QPointF>> positions;
    for (const BlockView &block : m_scene.blocks())
        if (m_selection.blocks().contains(block.id))
            positions.emplace_back(block.id.toStdString(), block.rect.topLeft() + offset);
    if (positions.empty() || offset.isNull())
        return;
    const QString name = positions.size() == 1 ? tr("Move %1").arg(m_selection.onlyBlock())
                                               : tr("Move %1 blocks").arg(positions.size());
    edit(name, [&](Transaction &t) { placeBlocks(t, positions); }, merge ? QStringLiteral("move") : QString());
}

void Editor::connectPorts(const PortRef &a, const PortRef &b)
{
    const QString problem = m_scene.connectionProblem(a, b);
    if (!problem.isEmpty()) {
        setNotice(problem);
        return;
    }
    const PortRef &source = a.output ? a : b;
    const PortRef &target = a.output ? b : a;
    const Connection connection{source.block.toStdString(), source.port.toStdString(), target.block.toStdString(),
                                target.port.toStdString()};
    edit(tr("Connect %1 to %2").arg(source.block, target.block), [&](Transaction &t) { addConnection(t, connection); });
}

void Editor::setNotice(const QString &notice)
{
    if (m_notice == notice)
        return;
    m_notice = notice;
    emit noticeChanged();
}

QStringList Editor::deployments() const
{
    QStringList names;
    for (const Json &deployment : list(find(m_document.json(), kDeployments)))
        names.append(QString::fromStdString(text(member(deployment, "name"))));
    return names;
}

QString Editor::deployment() const
{
    return deployments().value(m_deployment);
}

void Editor::setDeploymentIndex(int index)
{
    if (index == m_deployment || index < 0 || index >= deployments().size())
        return;
    m_deployment = index;
    emit deploymentsChanged();
}

void Editor::keepDeployment()
{
    m_deployment = std::clamp(m_deployment, 0, std::max(static_cast<int>(deployments().size()) - 1, 0));
    emit deploymentsChanged();
}

void Editor::addDeployment()
{
    const auto &schedulers = m_scene.catalog().schedulers();
    const std::string scheduler = schedulers.empty() ? "single_thread" : schedulers.front().id;
    const std::string name = freeDeploymentName(m_document.json(), scheduler);
    if (edit(tr("Add deployment %1").arg(QString::fromStdString(name)),
             [&](Transaction &t) { t.append(kDeployments, {{"name", name}, {"scheduler", scheduler}}); }))
        setDeploymentIndex(static_cast<int>(deployments().size()) - 1);
}

void Editor::removeDeployment()
{
    const QString name = deployment();
    if (const auto place = deploymentPointer(m_document.json(), name.toStdString()))
        edit(tr("Delete deployment %1").arg(name), [&](Transaction &t) { t.remove(*place); });
}

void Editor::markBlocks()
{
    QHash<QString, BlockModel::Mark> marks;
    for (const Problem &problem : m_problems.problems()) {
        if (problem.block.isEmpty())
            continue;
        const auto mark = marks.constFind(problem.block);
        const bool worse = mark == marks.constEnd() || (problem.severity == QLatin1String("error") && mark->severity != problem.severity);
        if (worse)
            marks.insert(problem.block, {problem.severity, problem.message});
    }
    m_blocks.setMarks(marks);
    emit problemsChanged();
}
