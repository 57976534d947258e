#include "auto_layout.h"

#include "cli_command.h"
#include "decor_edits.h"
#include "editor.h"
#include "layout_question.h"

using namespace weir::editor;

namespace {

std::vector<Connection> among(const GraphScene &scene, const QStringList &blocks)
{
    const QSet<QString> moved(blocks.begin(), blocks.end());
    std::vector<Connection> wires;
    for (const WireView &wire : scene.wires())
        if (moved.contains(QString::fromStdString(wire.connection.source))
            && moved.contains(QString::fromStdString(wire.connection.target)))
            wires.push_back(wire.connection);
    return wires;
}

} // namespace

AutoLayout::AutoLayout(Editor &editor) : QObject(&editor), m_editor(editor)
{
    connect(&editor, &Editor::documentReplaced, this, &AutoLayout::arrangeUnplaced);
    connect(&editor, &Editor::catalogChanged, this, &AutoLayout::arrangeUnplaced);
}

QStringList AutoLayout::allBlocks() const
{
    QStringList blocks;
    for (const BlockView &block : m_editor.scene().blocks())
        blocks.append(block.id);
    return blocks;
}

void AutoLayout::layOutAll()
{
    ask(allBlocks(), true);
}

void AutoLayout::layOutSelection()
{
    QStringList blocks;
    for (const BlockView &block : m_editor.scene().blocks())
        if (m_editor.selection().blocks().contains(block.id))
            blocks.append(block.id);
    ask(blocks, true);
}

void AutoLayout::arrangeUnplaced()
{
    // Without the catalog, the blocks have no ports yet, and not their sizes.
    if (m_editor.isCatalogLoaded() && m_editor.scene().isUnplaced())
        ask(allBlocks(), false);
}

void AutoLayout::ask(const QStringList &blocks, bool isStep)
{
    if (blocks.isEmpty() || (m_process && (m_isStep || !isStep)))
        return;
    abandonCall(m_process); // what nobody asked for gives way
    m_isStep = isStep;
    const int revision = m_editor.document().revision();
    m_process = callCli(m_editor.command(), {QStringLiteral("layout"), QStringLiteral("-"), QStringLiteral("--boxes")},
                        QByteArray::fromStdString(layoutQuestion(m_editor.scene(), blocks)), m_editor.document().folder(), this,
                        [this, blocks, isStep, revision](const CliAnswer &answer) {
                            m_process = nullptr;
                            const bool answered = answer.started && !answer.crashed && answer.exitCode == 0;
                            if (revision == m_editor.document().revision() && answered)
                                receive(answer.output, blocks, isStep);
                            else if (answered && !isStep)
                                arrangeUnplaced(); // another project, or what became of this one
                            else if (isStep)
                                m_editor.setNotice(answered ? tr("The flowgraph changed meanwhile, so the blocks stay")
                                                            : tr("The blocks were not laid out: %1").arg(answer.explanation()));
                            emit runningChanged();
                            emit finished();
                        });
    emit runningChanged();
}

void AutoLayout::receive(const QByteArray &output, const QStringList &blocks, bool isStep)
{
    const bool whole = blocks.size() == static_cast<qsizetype>(m_editor.scene().blocks().size());
    const auto placement = layoutAnswer(m_editor.scene(), blocks, output.toStdString(), !whole);
    if (!placement) {
        m_editor.setNotice(tr("The blocks were not laid out: the answer does not name them"));
        return;
    }
    if (!isStep) {
        QHash<QString, QPointF> places;
        for (const auto &[id, place] : *placement)
            places.insert(QString::fromStdString(id), place);
        m_editor.scene().setAutomaticPlaces(places);
        emit arranged();
        return;
    }
    m_editor.edit(whole ? tr("Lay out the graph") : tr("Lay out %1 blocks").arg(blocks.size()), [&](Transaction &t) {
        placeBlocks(t, *placement);
        // Points that led wires around what has moved would lead them astray.
        decor::removePoints(t, among(m_editor.scene(), blocks));
    });
    if (whole)
        emit arranged();
}
