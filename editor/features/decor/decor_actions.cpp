#include "decor_actions.h"

#include "editor.h"

void registerDecorActions(Editor &editor)
{
    Actions &actions = editor.actions();
    const auto onCanvas = [&editor] { return editor.view() == QLatin1String("canvas"); };
    const auto oneBlock = [&editor] { return !editor.selection().onlyBlock().isEmpty(); };
    DecorController &decor = *editor.decor();
    actions.add({.id = QStringLiteral("graph.frame"), .group = ActionGroup::Graph, .title = Editor::tr("Frame selection"),
                 .shortcuts = {QStringLiteral("Ctrl+Alt+G")}, .enabled = onCanvas,
                 .run = [&decor] { decor.frameSelection(decor.place()); }});
    actions.add({.id = QStringLiteral("graph.note"), .group = ActionGroup::Graph, .title = Editor::tr("Add a note"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+M")}, .enabled = onCanvas,
                 .run = [&decor] { decor.addNote(decor.place()); }});
    actions.add({.id = QStringLiteral("graph.comment"), .group = ActionGroup::Graph, .title = Editor::tr("Comment on the block"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+K")}, .enabled = oneBlock, .run = [&decor] { decor.editComment(); }});
    actions.add({.id = QStringLiteral("view.minimap"), .group = ActionGroup::View, .title = Editor::tr("Map of the graph"),
                 .shortcuts = {QStringLiteral("M")}, .run = [&decor] { decor.setMinimap(!decor.hasMinimap()); },
                 .checked = [&decor] { return decor.hasMinimap(); }, .canvas = true});
}
