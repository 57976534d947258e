#include "features/canvas/canvas_tools.h"

#include "features/palette/block_palette.h"
#include "shell/session/session.h"

namespace weir::editor {

CanvasTools::CanvasTools(Session& session, BlockPalette& palette, DecorController& decor, Clipboard& clipboard,
                         QObject* parent)
    : QObject(parent), m_session(session), m_decor(decor), m_clipboard(clipboard),
      m_inserter(session, palette.habits()), m_graph(session), m_finder(session), m_autoLayout(session),
      m_unfolding(session) {
    registerActions();
}

std::function<bool()> CanvasTools::atLeast(int blocks) const {
    return [this, blocks] { return m_session.selection().blocks().size() >= blocks; };
}

void CanvasTools::add(const char* id, const QString& title, const QStringList& shortcuts, std::function<bool()> enabled,
                      std::function<void()> run, const QString& hint) {
    m_session.actions().add({.id = QLatin1String(id),
                             .group = ActionGroup::Graph,
                             .title = title,
                             .shortcuts = shortcuts,
                             .enabled = std::move(enabled),
                             .run = std::move(run),
                             .canvas = true,
                             .hint = hint});
}

void CanvasTools::registerChanges() {
    add("graph.insert", tr("Insert block…"), {QStringLiteral("Ins")}, {}, [this] {
        m_session.setView(QStringLiteral("canvas"));
        emit m_graph.insertRequested();
    });
    add(
        "graph.insert_on_wire", tr("Insert block into the wire…"), {},
        [this] { return m_session.selection().wires().size() == 1; },
        [this] {
            const Connection wire = *m_session.selection().wires().begin();
            for (const WireView& view : m_session.scene().wires())
                if (view.connection == wire) m_inserter.askOn(wire, (view.from + view.to) / 2);
        });
    add(
        "graph.connect", tr("Connect from this block by a wire"), {QStringLiteral("C")},
        [this] { return !m_session.selection().onlyBlock().isEmpty(); }, [this] { emit m_graph.connectRequested(); });
    add("graph.remove_and_heal", tr("Delete and join the neighbours"),
        {QStringLiteral("Ctrl+Del"), QStringLiteral("Ctrl+Backspace")}, atLeast(1),
        [this] { m_graph.removeAndHeal(); });
    add(
        "graph.group", tr("Group"), {QStringLiteral("Ctrl+G")}, atLeast(1), [this] { m_graph.group(); },
        tr("The blocks become one unit that can be repeated as a whole. This changes the program. A frame is only "
           "drawn "
           "around them."));
    add(
        "graph.repeat", tr("Repeat in series…"), {QStringLiteral("R")},
        [this] { return !m_graph.repeatTarget().isEmpty(); }, [this] { emit m_graph.repeatRequested(); });
    add(
        "graph.unfold", tr("Show the instances"), {QStringLiteral("U")},
        [this] { return m_unfolding.isStack(m_session.selection().onlyBlock()); },
        [this] { m_unfolding.unfold(m_session.selection().onlyBlock()); });
    add(
        "graph.ungroup", tr("Ungroup"), {QStringLiteral("Ctrl+Shift+G")}, [this] { return m_graph.canUngroup(); },
        [this] { m_graph.ungroup(); });
}

void CanvasTools::registerStates() {
    for (const auto& [id, title, key, state] :
         {std::tuple("graph.enable", tr("Enable"), QStringLiteral("E"), BlockState::Enabled),
          std::tuple("graph.disable", tr("Disable"), QStringLiteral("D"), BlockState::Disabled),
          std::tuple("graph.bypass", tr("Bypass"), QStringLiteral("B"), BlockState::Bypassed)})
        add(
            id, title, {key}, [this, state = state] { return m_graph.canSetState(state); },
            [this, state = state] { m_graph.setState(state); });
}

void CanvasTools::registerPlaces() {
    for (const auto& [id, title, key, alignment] :
         {std::tuple("graph.align_left", tr("Align left edges"), QStringLiteral("Shift+L"), Alignment::Left),
          std::tuple("graph.align_centre", tr("Align centres in a column"), QStringLiteral("Shift+C"),
                     Alignment::Centre),
          std::tuple("graph.align_right", tr("Align right edges"), QStringLiteral("Shift+R"), Alignment::Right),
          std::tuple("graph.align_top", tr("Align top edges"), QStringLiteral("Shift+T"), Alignment::Top),
          std::tuple("graph.align_middle", tr("Align middles in a row"), QStringLiteral("Shift+M"), Alignment::Middle),
          std::tuple("graph.align_bottom", tr("Align bottom edges"), QStringLiteral("Shift+B"), Alignment::Bottom)})
        add(id, title, {key}, atLeast(2), [this, alignment = alignment] { m_graph.align(alignment); });
    add("graph.distribute_horizontally", tr("Distribute horizontally"), {QStringLiteral("Shift+H")}, atLeast(3),
        [this] { m_graph.distribute(Direction::Horizontal); });
    add("graph.distribute_vertically", tr("Distribute vertically"), {QStringLiteral("Shift+V")}, atLeast(3),
        [this] { m_graph.distribute(Direction::Vertical); });
    add(
        "graph.layout", tr("Lay out the graph"), {QStringLiteral("Ctrl+L")},
        [this] { return !m_session.isEmpty() && !m_autoLayout.isRunning(); }, [this] { m_autoLayout.layOutAll(); });
    add(
        "graph.layout_selection", tr("Lay out the selection"), {QStringLiteral("Ctrl+Alt+L")},
        [this] { return m_session.selection().blocks().size() > 1 && !m_autoLayout.isRunning(); },
        [this] { m_autoLayout.layOutSelection(); });
}

/// List the keys of the graph in the list of keys.
void CanvasTools::tellKeys() {
    const auto listKeys = [this](const QString& title, const QStringList& keys) {
        m_session.actions().listKeys(ActionGroup::Graph, title, keys);
    };
    listKeys(tr("Insert a block, with nothing selected or at an open output"), {tr("Tab there")});
    listKeys(tr("Select the next or the previous block along the signal"), {tr("arrows"), tr("Tab"), tr("Shift+Tab")});
    listKeys(tr("Select the first or the last block"), {tr("Home"), tr("End")});
    listKeys(tr("Extend the selection along the signal"), {tr("Shift+arrows")});
    listKeys(tr("Go along the signal without selecting; then add or remove a block"),
             {tr("Ctrl+arrows"), tr("Ctrl+Space")});
    listKeys(tr("Move the selection by a grid step"), {tr("Alt+arrows")});
    listKeys(tr("Edit the parameters of the block"), {tr("Enter")});
    listKeys(tr("Open the menu of the selection"), {tr("Menu"), tr("Shift+F10")});
    listKeys(tr("Select nothing"), {tr("Esc")});
}

void CanvasTools::registerActions() {
    tellKeys();
    registerChanges();
    registerStates();
    registerPlaces();
    m_session.actions().add({.id = QStringLiteral("edit.find"),
                             .group = ActionGroup::Edit,
                             .title = tr("Find in the graph"),
                             .shortcuts = {QStringLiteral("Ctrl+F")},
                             .enabled = [this] { return !m_session.isEmpty(); },
                             .run =
                                 [this] {
                              // In the code view, the same keys find text.
                                     if (m_session.actions().trigger(QStringLiteral("code.find"))) return;
                                     m_session.setView(QStringLiteral("canvas"));
                                     emit m_finder.requested();
                                 }});
}

} // namespace weir::editor
