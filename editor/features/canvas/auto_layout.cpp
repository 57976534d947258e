#include "features/canvas/auto_layout.h"

#include "core/decor/decor_edits.h"
#include "core/graph/layout_question.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

std::vector<Connection> among(const GraphScene& scene, const QStringList& blocks) {
    const QSet<QString> moved(blocks.begin(), blocks.end());
    std::vector<Connection> wires;
    for (const WireView& wire : scene.wires())
        if (moved.contains(QString::fromStdString(wire.connection.source)) &&
            moved.contains(QString::fromStdString(wire.connection.target)))
            wires.push_back(wire.connection);
    return wires;
}

} // namespace

AutoLayout::AutoLayout(Session& session)
    : QObject(&session), m_session(session),
      m_ask(session.command(),
            {.key = [this] { return QString::number(m_session.document().revision()); },
             .request =
                 [this] {
                     return CliRequest{{QStringLiteral("format"), QStringLiteral("--layout"), QStringLiteral("--boxes"),
                                        QStringLiteral("-")},
                                       QByteArray::fromStdString(
                                           layoutQuestion(m_session.scene(), m_blocks, isWhole() ? m_room : QSizeF())),
                                       m_session.document().folder()};
                 },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .late = [this] { late(); }},
            nullptr) {
    connect(&m_ask, &Ask::stateChanged, this, &AutoLayout::runningChanged);
    connect(&session, &Session::documentReplaced, this, [this] {
        m_ask.forget(); // the question was about another project
        arrangeUnplaced();
    });
    connect(&session, &Session::catalogChanged, this, &AutoLayout::arrangeUnplaced);
}

QStringList AutoLayout::allBlocks() const {
    QStringList blocks;
    for (const BlockView& block : m_session.scene().blocks()) blocks.append(block.id);
    return blocks;
}

bool AutoLayout::isWhole() const {
    return m_blocks.size() == static_cast<qsizetype>(m_session.scene().blocks().size());
}

void AutoLayout::setRoom(QSizeF room) {
    m_room = room;
    emit roomChanged(room);
}

void AutoLayout::layOutAll() { ask(allBlocks(), true); }

void AutoLayout::layOutSelection() {
    QStringList blocks;
    for (const BlockView& block : m_session.scene().blocks())
        if (m_session.selection().blocks().contains(block.id)) blocks.append(block.id);
    ask(blocks, true);
}

void AutoLayout::arrangeUnplaced() {
    // Without the catalog, the ports and sizes of blocks are unknown.
    if (m_session.isCatalogLoaded() && m_session.scene().isUnplaced()) ask(allBlocks(), false);
}

void AutoLayout::ask(const QStringList& blocks, bool isStep) {
    // The user's layout overrides an automatic one.
    if (blocks.isEmpty() || (m_ask.isBusy() && (m_isStep || !isStep))) return;
    m_blocks = blocks;
    m_isStep = isStep;
    m_ask.now();
}

void AutoLayout::late() {
    if (m_isStep) m_session.setNotice(tr("The flowgraph changed in the meantime, so the blocks were not moved"));
    else arrangeUnplaced(); // another project, or another revision of this one
    emit finished();
}

void AutoLayout::receive(const CliAnswer& answer) {
    if (answer.isFine()) place(answer.output);
    else if (m_isStep) m_session.setNotice(tr("The blocks were not laid out: %1").arg(answer.explanation()));
    emit finished();
}

void AutoLayout::place(const QByteArray& output) {
    const bool whole = isWhole();
    const auto placement = layoutAnswer(m_session.scene(), m_blocks, output, !whole);
    if (!placement) {
        m_session.setNotice(tr("The blocks were not laid out: the command's answer has no positions for them"));
        return;
    }
    if (!m_isStep) {
        QHash<QString, QPointF> places;
        for (const auto& [id, place] : *placement) places.insert(QString::fromStdString(id), place);
        m_session.scene().setAutomaticPlaces(places);
        emit arranged();
        return;
    }
    if (whole) takeAll(*placement);
    else take(tr("Lay out %n block(s)", nullptr, static_cast<int>(m_blocks.size())), *placement);
}

void AutoLayout::take(const QString& step, const Placement& placement) {
    QStringList blocks;
    for (const auto& [id, place] : placement) blocks.append(QString::fromStdString(id));
    m_session.edit(step, [&](Transaction& t) {
        placeBlocks(t, placement);
        // The points of wires at moved blocks no longer fit.
        decor::removePoints(t, among(m_session.scene(), blocks));
    });
}

void AutoLayout::takeAll(const Placement& placement) {
    take(tr("Lay out the graph"), placement);
    emit arranged();
}

} // namespace weir::editor
