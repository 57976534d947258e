#include "auto_layout.h"

#include "decor_edits.h"
#include "layout_question.h"
#include "session.h"

#include <algorithm>

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

bool overlap(const GraphScene &scene)
{
    const auto &blocks = scene.blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (std::size_t k = i + 1; k < blocks.size(); ++k)
            if (blocks[i].rect.intersects(blocks[k].rect))
                return true;
    return false;
}

} // namespace

AutoLayout::AutoLayout(Session &session)
    : QObject(&session), m_session(session),
      m_ask(session.command(),
            {.key = [this] { return QString::number(m_session.document().revision()); },
             .request =
                 [this] {
                     return CliRequest{{QStringLiteral("layout"), QStringLiteral("-"), QStringLiteral("--boxes")},
                                       QByteArray::fromStdString(layoutQuestion(m_session.scene(), m_asked, isWhole() ? m_room : QSizeF())),
                                       m_session.document().folder()};
                 },
             .answered = [this](const CliAnswer &answer) { receive(answer); },
             .late = [this] { late(); }},
            nullptr)
{
    connect(&m_ask, &Ask::stateChanged, this, &AutoLayout::runningChanged);
    connect(&session, &Session::documentReplaced, this, [this] {
        m_needsRoom = false;
        m_ask.forget(); // it was about another project
        arrangeUnplaced();
    });
    connect(&session, &Session::catalogChanged, this, [this] {
        arrangeUnplaced();
        if (m_needsRoom)
            makeRoom();
    });
}

QStringList AutoLayout::allBlocks() const
{
    QStringList blocks;
    for (const BlockView &block : m_session.scene().blocks())
        blocks.append(block.id);
    return blocks;
}

bool AutoLayout::isWhole() const
{
    return m_asked.size() == static_cast<qsizetype>(m_session.scene().blocks().size());
}

void AutoLayout::layOutAll()
{
    ask(allBlocks(), true);
}

void AutoLayout::layOutSelection()
{
    QStringList blocks;
    for (const BlockView &block : m_session.scene().blocks())
        if (m_session.selection().blocks().contains(block.id))
            blocks.append(block.id);
    ask(blocks, true);
}

void AutoLayout::arrangeUnplaced()
{
    // Without the catalog, the blocks have no ports yet, and not their sizes.
    if (m_session.isCatalogLoaded() && m_session.scene().isUnplaced())
        ask(allBlocks(), false);
}

void AutoLayout::makeRoom()
{
    m_needsRoom = !m_session.isCatalogLoaded();
    const GraphScene &scene = m_session.scene();
    if (m_needsRoom || scene.isUnplaced() || !overlap(scene))
        return;
    std::vector<const BlockView *> drawn;
    for (const BlockView &block : scene.blocks())
        drawn.push_back(&block);
    std::stable_sort(drawn.begin(), drawn.end(), [](const BlockView *a, const BlockView *b) { return a->rect.top() < b->rect.top(); });
    QStringList blocks;
    for (const BlockView *block : drawn)
        blocks.append(block->id);
    ask(blocks, true);
}

void AutoLayout::ask(const QStringList &blocks, bool isStep)
{
    // What nobody asked for gives way.
    if (blocks.isEmpty() || (m_ask.isBusy() && (m_isStep || !isStep)))
        return;
    m_asked = blocks;
    m_isStep = isStep;
    m_ask.now();
}

void AutoLayout::late()
{
    if (m_isStep)
        m_session.setNotice(tr("The flowgraph changed meanwhile, so the blocks stay"));
    else
        arrangeUnplaced(); // another project, or what became of this one
    emit finished();
}

void AutoLayout::receive(const CliAnswer &answer)
{
    if (answer.isFine())
        place(answer.output);
    else if (m_isStep)
        m_session.setNotice(tr("The blocks were not laid out: %1").arg(answer.explanation()));
    emit finished();
}

void AutoLayout::place(const QByteArray &output)
{
    const bool whole = isWhole();
    const auto placement = layoutAnswer(m_session.scene(), m_asked, output.toStdString(), !whole);
    if (!placement) {
        m_session.setNotice(tr("The blocks were not laid out: the answer does not name them"));
        return;
    }
    if (!m_isStep) {
        QHash<QString, QPointF> places;
        for (const auto &[id, place] : *placement)
            places.insert(QString::fromStdString(id), place);
        m_session.scene().setAutomaticPlaces(places);
        emit arranged();
        return;
    }
    m_session.edit(whole ? tr("Lay out the graph") : tr("Lay out %n block(s)", nullptr, static_cast<int>(m_asked.size())), [&](Transaction &t) {
        placeBlocks(t, *placement);
        // Points that led wires around what has moved would lead them astray.
        decor::removePoints(t, among(m_session.scene(), m_asked));
    });
    if (whole)
        emit arranged();
}
