#include "features/canvas/graph_reader.h"

#include "core/graph/graph_scene.h"
#include "core/graph/signal_order.h"
#include "core/json/json.h"
#include "features/canvas/graph_accessible.h"

#include <QCoreApplication>

namespace weir::editor {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GraphReader)
};

/// Return the blocks connected to its inputs or outputs, each once.
QStringList neighbours(const GraphScene& scene, const BlockView& block, bool outputs) {
    QStringList ids;
    for (const WireView& wire : scene.wires()) {
        const std::string& here = outputs ? wire.connection.source : wire.connection.target;
        const QString there = QString::fromStdString(outputs ? wire.connection.target : wire.connection.source);
        if (QString::fromStdString(here) == block.id && !ids.contains(there)) ids.append(there);
    }
    return ids;
}

/// Describe a block for screen readers: its id and title, its state, its sources and its sinks.
QString blockWords(const GraphScene& scene, const BlockView& block) {
    QStringList words{block.id, block.title};
    if (!block.badge.isEmpty()) words.append(block.badge);
    if (block.ghost) words.append(Words::tr("of unknown type"));
    if (block.state != BlockState::Enabled)
        words.append(block.state == BlockState::Disabled ? Words::tr("disabled") : Words::tr("bypassed"));
    const QStringList sources = neighbours(scene, block, false), targets = neighbours(scene, block, true);
    if (!sources.isEmpty()) words.append(Words::tr("from %1").arg(sources.join(u' ')));
    if (!targets.isEmpty()) words.append(Words::tr("to %1").arg(targets.join(u' ')));
    if (sources.isEmpty() && targets.isEmpty()) words.append(Words::tr("not connected"));
    return words.join(QStringLiteral(", "));
}

/// `wire from src.out to sink.in, f32`
QString wireWords(const WireView& wire) {
    const Connection& ends = wire.connection;
    const QString words = Words::tr("wire from %1.%2 to %3.%4")
                              .arg(QString::fromStdString(ends.source), QString::fromStdString(ends.sourcePort),
                                   QString::fromStdString(ends.target), QString::fromStdString(ends.targetPort));
    return wire.itemType.isEmpty() ? words : words + QStringLiteral(", ") + wire.itemType;
}

} // namespace

GraphReader::GraphReader(QQuickItem* parent) : QQuickItem(parent), m_active(QAccessible::isActive()) {
    QAccessible::installActivationObserver(this);
    static const bool known = (QAccessible::installFactory(graphAccessible), true);
    Q_UNUSED(known);
}

GraphReader::~GraphReader() {
    QAccessible::removeActivationObserver(this);
    for (const QAccessible::Id id : std::as_const(m_parts)) QAccessible::deleteAccessibleInterface(id);
}

/// The view has its session at this point.
void GraphReader::componentComplete() {
    QQuickItem::componentComplete();
    Session* session = m_view->session();
    connect(session, &Session::selectionChanged, this, &GraphReader::follow);
    connect(m_view, &QQuickItem::activeFocusChanged, this, &GraphReader::follow);
    connect(m_view, &GraphView::walked, this, [this] {
        // A single selected block was already announced.
        if (const QString at = m_view->walkedBlock(); m_active && !at.isEmpty() && at != chosenKey())
            tell(QAccessible::Focus, at);
    });
    connect(&session->scene(), &GraphScene::changed, this, &GraphReader::followParts);
    connect(&session->scene(), &GraphScene::moved, this, &GraphReader::followMove);
    connect(m_view, &GraphView::gestureChanged, this, [this] {
        if (const QString text = m_view->announcement(); std::exchange(m_connecting, text) != text && !text.isEmpty())
            say(text);
    });
}

const QStringList& GraphReader::keys() const {
    if (m_keys.isEmpty() && m_view) {
        const GraphScene& scene = m_view->session()->scene();
        m_keys = signalOrder(scene);
        for (const WireView& wire : scene.wires())
            m_keys.append(QString::fromStdString(decor::wireKey(wire.connection)));
        m_keys.append(QString());
    }
    return m_keys;
}

QAccessibleInterface* GraphReader::part(const QString& key) {
    QAccessible::Id& id = m_parts[key];
    if (id == 0) id = QAccessible::registerAccessibleInterface(partAccessible(*this, key));
    return QAccessible::accessibleInterface(id);
}

bool GraphReader::has(const QString& key) const {
    return m_view && (key.isEmpty() || m_view->session()->scene().block(key) ||
                      m_view->session()->scene().wire(key.toStdString()));
}

QString GraphReader::nameOf(const QString& key) const {
    if (!m_view || key.isEmpty()) return m_said;
    const GraphScene& scene = m_view->session()->scene();
    if (const BlockView* block = scene.block(key))
        return tr("%1, %2 of %3", "a block, its place, their number")
            .arg(blockWords(scene, *block))
            .arg(keys().indexOf(key) + 1)
            .arg(scene.blocks().size());
    const WireView* wire = scene.wire(key.toStdString());
    return wire ? wireWords(*wire) : QString();
}

QString GraphReader::problemOf(const QString& key) const {
    if (m_view && !key.isEmpty())
        for (const Problem& problem : m_view->session()->problemModel().problems())
            if (problem.block == key || (problem.others.contains(key) && m_view->session()->isOfShown(problem)))
                return problem.message;
    return {};
}

QRect GraphReader::placeOf(const QString& key) const {
    if (!m_view || key.isEmpty()) return {};
    const GraphScene& scene = m_view->session()->scene();
    const BlockView* block = scene.block(key);
    const WireView* wire = block ? nullptr : scene.wire(key.toStdString());
    const QRectF rect = block ? block->rect : wire ? wire->bounds : QRectF();
    return QRectF(m_view->mapToGlobal(m_view->toView(rect.topLeft())), rect.size() * m_view->zoom()).toRect();
}

bool GraphReader::isChosen(const QString& key) const {
    if (!m_view || key.isEmpty()) return false;
    Selection& selection = m_view->session()->selection();
    const WireView* wire = m_view->session()->scene().wire(key.toStdString());
    return selection.blocks().contains(key) || (wire && selection.wires().contains(wire->connection));
}

bool GraphReader::isFocused(const QString& key) const {
    return m_view && m_view->hasActiveFocus() && !key.isEmpty() &&
           key == (m_view->walkedBlock().isEmpty() ? chosenKey() : m_view->walkedBlock());
}

void GraphReader::choose(const QString& key) {
    if (!m_view || key.isEmpty()) return;
    if (const WireView* wire = m_view->session()->scene().wire(key.toStdString()))
        m_view->session()->selection().set({}, {wire->connection});
    else m_view->session()->goTo(key);
}

QString GraphReader::chosenKey() const {
    const Selection& selection = m_view->session()->selection();
    if (selection.blocks().size() + static_cast<qsizetype>(selection.wires().size() + selection.decor().size()) != 1)
        return {};
    return selection.wires().empty() ? selection.onlyBlock()
                                     : QString::fromStdString(decor::wireKey(*selection.wires().begin()));
}

/// Report the focus of keys inside the graph. The canvas keeps the window's focus, but a screen reader needs the part
/// that keys act on.
void GraphReader::follow() {
    if (const BlockView* block = m_view->session()->scene().block(m_view->session()->selection().onlyBlock()))
        m_place = block->rect.topLeft();
    if (!m_active || !m_view->hasActiveFocus()) return;
    if (const QString key = chosenKey(); !key.isEmpty()) {
        tell(QAccessible::Focus, key);
    } else if (const QString chosen = m_view->session()->selectionSummary(); !chosen.isEmpty()) {
        say(chosen);
    } else {
        QAccessibleEvent focused(m_view, QAccessible::Focus);
        QAccessible::updateAccessibility(&focused);
    }
}

void GraphReader::followParts() {
    followPlace(); // the first move writes more than a position
    const QStringList before = std::exchange(m_keys, {});
    // A listener may query parts at once.
    QStringList gone;
    for (auto it = m_parts.cbegin(); it != m_parts.cend(); ++it)
        if (!has(it.key())) gone.append(it.key());
    for (const QString& key : std::as_const(gone)) {
        tell(QAccessible::ObjectDestroyed, key);
        QAccessible::deleteAccessibleInterface(m_parts.take(key));
    }
    if (before.isEmpty() || !m_active) return; // no client has seen them
    const QSet<QString> known(before.begin(), before.end());
    for (const QString& key : keys())
        if (!known.contains(key)) tell(QAccessible::ObjectCreated, key);
}

void GraphReader::followMove() {
    const Selection& selection = m_view->session()->selection();
    if (!selection.onlyBlock().isEmpty()) followPlace();
    else if (m_active && m_view->hasActiveFocus() && !selection.isEmpty())
        say(tr("%n part(s) moved", nullptr,
               static_cast<int>(selection.blocks().size()) + static_cast<int>(selection.decor().size())));
}

void GraphReader::followPlace() {
    const BlockView* block = m_view->session()->scene().block(m_view->session()->selection().onlyBlock());
    if (!block || std::exchange(m_place, block->rect.topLeft()) == block->rect.topLeft() || !m_view->hasActiveFocus())
        return;
    say(tr("%1 at %2, %3", "a block, its place").arg(block->id).arg(m_place.x()).arg(m_place.y()));
}

void GraphReader::say(const QString& text) {
    if (!m_active) return;
    m_said = text;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QAccessibleAnnouncementEvent said(m_view, text);
    QAccessible::updateAccessibility(&said);
    emit announced(QAccessible::Announcement, text);
#else
    // Before Qt 6.8 there are no announcements, but screen readers read aloud a note that comes into view.
    tell(QAccessible::NameChanged, {});
    tell(QAccessible::ObjectShow, {});
#endif
}

void GraphReader::tell(QAccessible::Event type, const QString& key) {
    QAccessibleEvent event(part(key), type);
    QAccessible::updateAccessibility(&event);
    emit announced(type, nameOf(key));
}

} // namespace weir::editor
