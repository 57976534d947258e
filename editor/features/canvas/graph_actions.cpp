#include "graph_actions.h"

#include "editor.h"

using namespace weir::editor;

namespace {

using Enabled = std::function<bool()>;

Enabled atLeast(Editor &editor, int blocks)
{
    return [&editor, blocks] { return editor.selection().blocks().size() >= blocks; };
}

void add(Editor &editor, const char *id, const QString &title, const QStringList &shortcuts, const Enabled &enabled,
         std::function<void(Editor &)> run)
{
    editor.actions().add({.id = QLatin1String(id),
                          .group = ActionGroup::Graph,
                          .title = title,
                          .shortcuts = shortcuts,
                          .enabled = enabled,
                          .run = [&editor, run = std::move(run)] { run(editor); },
                          .canvas = true});
}

void registerChanges(Editor &editor)
{
    add(editor, "graph.insert", Editor::tr("Insert block…"), {QStringLiteral("Ins")}, {},
        [](Editor &e) {
            e.setView(QStringLiteral("canvas"));
            emit e.graph()->insertRequested();
        });
    add(editor, "graph.insert_on_wire", Editor::tr("Insert block into the wire…"), {},
        [&editor] { return editor.selection().wires().size() == 1; },
        [](Editor &e) {
            const Connection wire = *e.selection().wires().begin();
            for (const WireView &view : e.scene().wires())
                if (view.connection == wire)
                    e.inserter()->askOn(wire, (view.from + view.to) / 2);
        });
    add(editor, "graph.connect", Editor::tr("Connect from this block"), {QStringLiteral("C")},
        [&editor] { return !editor.selection().onlyBlock().isEmpty(); }, [](Editor &e) { emit e.graph()->connectRequested(); });
    add(editor, "graph.remove_and_heal", Editor::tr("Delete and join the neighbours"),
        {QStringLiteral("Ctrl+Del"), QStringLiteral("Ctrl+Backspace")}, atLeast(editor, 1),
        [](Editor &e) { e.graph()->removeAndHeal(); });
    add(editor, "graph.group", Editor::tr("Group"), {QStringLiteral("Ctrl+G")}, atLeast(editor, 1),
        [](Editor &e) { e.graph()->group(); });
    add(editor, "graph.repeat", Editor::tr("Repeat in series…"), {QStringLiteral("R")},
        [&editor] { return !editor.graph()->repeatTarget().isEmpty(); }, [](Editor &e) { emit e.graph()->repeatRequested(); });
    add(editor, "graph.unfold", Editor::tr("Show the instances"), {QStringLiteral("U")},
        [&editor] { return editor.unfolding()->isStack(editor.selection().onlyBlock()); },
        [](Editor &e) { e.unfolding()->unfold(e.selection().onlyBlock()); });
    add(editor, "graph.ungroup", Editor::tr("Ungroup"), {QStringLiteral("Ctrl+Shift+G")}, atLeast(editor, 1),
        [](Editor &e) { e.graph()->ungroup(); });
}

void registerStates(Editor &editor)
{
    for (const auto &[id, title, key, state] :
         {std::tuple("graph.enable", Editor::tr("Enable"), QStringLiteral("E"), QStringLiteral("enabled")),
          std::tuple("graph.disable", Editor::tr("Disable"), QStringLiteral("D"), QStringLiteral("disabled")),
          std::tuple("graph.bypass", Editor::tr("Bypass"), QStringLiteral("B"), QStringLiteral("bypassed"))})
        add(editor, id, title, {key}, atLeast(editor, 1), [state = state](Editor &e) { e.graph()->setState(state); });
}

void registerPlaces(Editor &editor)
{
    for (const auto &[id, title, key, alignment] :
         {std::tuple("graph.align_left", Editor::tr("Align left edges"), QStringLiteral("Shift+L"), Alignment::Left),
          std::tuple("graph.align_centre", Editor::tr("Align centres in a column"), QStringLiteral("Shift+C"), Alignment::Centre),
          std::tuple("graph.align_right", Editor::tr("Align right edges"), QStringLiteral("Shift+R"), Alignment::Right),
          std::tuple("graph.align_top", Editor::tr("Align top edges"), QStringLiteral("Shift+T"), Alignment::Top),
          std::tuple("graph.align_middle", Editor::tr("Align middles in a row"), QStringLiteral("Shift+M"), Alignment::Middle),
          std::tuple("graph.align_bottom", Editor::tr("Align bottom edges"), QStringLiteral("Shift+B"), Alignment::Bottom)})
        add(editor, id, title, {key}, atLeast(editor, 2), [alignment = alignment](Editor &e) { e.graph()->align(alignment); });
    add(editor, "graph.distribute_horizontally", Editor::tr("Distribute horizontally"), {QStringLiteral("Shift+H")},
        atLeast(editor, 3), [](Editor &e) { e.graph()->distribute(Direction::Horizontal); });
    add(editor, "graph.distribute_vertically", Editor::tr("Distribute vertically"), {QStringLiteral("Shift+V")},
        atLeast(editor, 3), [](Editor &e) { e.graph()->distribute(Direction::Vertical); });
    add(editor, "graph.layout", Editor::tr("Lay out the graph"), {QStringLiteral("Ctrl+L")},
        [&editor] { return !editor.isEmpty() && !editor.autoLayout()->isRunning(); },
        [](Editor &e) { e.autoLayout()->layOutAll(); });
    add(editor, "graph.layout_selection", Editor::tr("Lay out the selection"), {QStringLiteral("Ctrl+Alt+L")},
        [&editor] { return editor.selection().blocks().size() > 1 && !editor.autoLayout()->isRunning(); },
        [](Editor &e) { e.autoLayout()->layOutSelection(); });
}

} // namespace

void registerGraphActions(Editor &editor)
{
    registerChanges(editor);
    registerStates(editor);
    registerPlaces(editor);
    editor.actions().add({.id = QStringLiteral("edit.find"), .group = ActionGroup::Edit, .title = Editor::tr("Find in the graph"),
                          .shortcuts = {QStringLiteral("Ctrl+F")}, .run = [&editor] {
                              // In the code the same keys find text.
                              if (editor.actions().trigger(QStringLiteral("code.find")))
                                  return;
                              editor.setView(QStringLiteral("canvas"));
                              emit editor.finder()->requested();
                          }});
}
