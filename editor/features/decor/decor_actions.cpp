#include "features/decor/decor_controller.h"

#include "shell/session/session.h"

namespace weir::editor {

void DecorController::registerActions() {
    Actions& actions = m_session.actions();
    const auto onCanvas = [this] { return m_session.view() == QLatin1String("canvas"); };
    const auto oneBlock = [this] { return !m_session.selection().onlyBlock().isEmpty(); };
    actions.add(
        {.id = QStringLiteral("graph.frame"),
         .group = ActionGroup::Graph,
         .title = tr("Add a frame"),
         .shortcuts = {QStringLiteral("Ctrl+Alt+G")},
         .enabled = onCanvas,
         .run = [this] { frameSelection(place()); },
         .hint = tr(
             "Drawn around the selected blocks, with a title: it moves what is in it and changes nothing of the run. "
             "A group makes them one unit, which can be repeated.")});
    const auto named = [this] {
        return chosenKind() == QLatin1String("frame") || (chosenKind().isEmpty() && chosenGroup());
    };
    actions.add({.id = QStringLiteral("graph.rename"),
                 .group = ActionGroup::Graph,
                 .title = tr("Rename the group or frame…"),
                 .shortcuts = {QStringLiteral("F2")},
                 .enabled = named,
                 .run = [this] { editChosen(); }});
    actions.add({.id = QStringLiteral("graph.edit_note"),
                 .group = ActionGroup::Graph,
                 .title = tr("Edit the note"),
                 .enabled = [this] { return chosenKind() == QLatin1String("note"); },
                 .run = [this] { editChosen(); }});
    actions.add({.id = QStringLiteral("graph.note"),
                 .group = ActionGroup::Graph,
                 .title = tr("Add a note"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+M")},
                 .enabled = onCanvas,
                 .run = [this] { addNote(place()); }});
    actions.add({.id = QStringLiteral("graph.comment"),
                 .group = ActionGroup::Graph,
                 .title = tr("Comment on the block"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+K")},
                 .enabled = oneBlock,
                 .run = [this] { editComment(); }});
    actions.add({.id = QStringLiteral("view.minimap"),
                 .group = ActionGroup::View,
                 .title = tr("Map of the graph"),
                 .shortcuts = {QStringLiteral("M")},
                 .run =
                     [this] {
                         m_minimap = !m_minimap;
                         emit minimapChanged();
                     },
                 .checked = [this] { return m_minimap; },
                 .canvas = true});
}

} // namespace weir::editor
