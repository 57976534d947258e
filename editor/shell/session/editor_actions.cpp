#include "editor_actions.h"

#include "editor.h"

using namespace weir::editor;

namespace {

void registerEdit(Editor &editor)
{
    Actions &actions = editor.actions();
    actions.add({.id = QStringLiteral("edit.undo"), .group = ActionGroup::Edit, .title = Editor::tr("Undo"),
                 .shortcuts = {QStringLiteral("Ctrl+Z")},
                 .enabled = [&editor] { return editor.document().undoStack().canUndo(); },
                 .run = [&editor] { editor.undo(); }, .detail = [&editor] { return editor.undoText(); }});
    actions.add({.id = QStringLiteral("edit.redo"), .group = ActionGroup::Edit, .title = Editor::tr("Redo"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+Z"), QStringLiteral("Ctrl+Y")},
                 .enabled = [&editor] { return editor.document().undoStack().canRedo(); },
                 .run = [&editor] { editor.redo(); }, .detail = [&editor] { return editor.redoText(); }});
    actions.add({.id = QStringLiteral("edit.delete"), .group = ActionGroup::Edit, .title = Editor::tr("Delete"),
                 .shortcuts = {QStringLiteral("Del"), QStringLiteral("Backspace")},
                 .enabled = [&editor] { return !editor.selection().isEmpty(); },
                 .run = [&editor] { editor.removeSelection(); }, .canvas = true});
    actions.add({.id = QStringLiteral("edit.select_all"), .group = ActionGroup::Edit, .title = Editor::tr("Select all"),
                 .shortcuts = {QStringLiteral("Ctrl+A")}, .run = [&editor] { editor.selectAll(); }, .canvas = true});
    actions.add({.id = QStringLiteral("edit.find_block_type"), .group = ActionGroup::Edit,
                 .title = Editor::tr("Search the palette"), .shortcuts = {QStringLiteral("Ctrl+Shift+F")}});
}

void registerRun(Editor &editor)
{
    Actions &actions = editor.actions();
    const auto idle = [&editor] { return !editor.runner()->isRunning(); };
    actions.add({.id = QStringLiteral("run.generate"), .group = ActionGroup::Run, .title = Editor::tr("Generate and show the code"),
                 .shortcuts = {QStringLiteral("F5")}, .run = [&editor] {
                     editor.setView(QStringLiteral("code"));
                     editor.code()->generateNow();
                 }});
    actions.add({.id = QStringLiteral("code.find"), .group = ActionGroup::Run, .title = Editor::tr("Find in the code"),
                 .enabled = [&editor] { return editor.view() == QLatin1String("code"); }});
    actions.add({.id = QStringLiteral("run.build"), .group = ActionGroup::Run, .title = Editor::tr("Compile"),
                 .shortcuts = {QStringLiteral("Shift+F5")}, .enabled = idle, .run = [&editor] { editor.runner()->build(); }});
    actions.add({.id = QStringLiteral("run.run"), .group = ActionGroup::Run, .title = Editor::tr("Run"),
                 .shortcuts = {QStringLiteral("F6")}, .enabled = idle, .run = [&editor] { editor.runner()->run(); }});
    actions.add({.id = QStringLiteral("run.all"), .group = ActionGroup::Run, .title = Editor::tr("Run all deployments × 8"),
                 .shortcuts = {QStringLiteral("Shift+F6")},
                 .enabled = [&editor, idle] { return idle() && editor.deployments().size() > 1; },
                 .run = [&editor] { editor.runner()->runRepeated(8); }});
    actions.add({.id = QStringLiteral("run.stop"), .group = ActionGroup::Run, .title = Editor::tr("Stop the run"),
                 .shortcuts = {QStringLiteral("F7")}, .enabled = [&editor] { return editor.runner()->isRunning(); },
                 .run = [&editor] { editor.runner()->cancel(); }});
}

void registerViews(Editor &editor)
{
    int number = 0;
    for (const View &view : Views::all())
        editor.actions().add({.id = QStringLiteral("view.") + view.name, .group = ActionGroup::View, .title = view.action,
                              .shortcuts = {QStringLiteral("Alt+%1").arg(++number)},
                              .run = [&editor, name = view.name] { editor.setView(name); },
                              .checked = [&editor, name = view.name] { return editor.view() == name; }});
    for (const auto &[id, title, shortcuts] :
         {std::tuple(QStringLiteral("view.palette"), Editor::tr("Show or hide the palette"), QStringList{QStringLiteral("Ctrl+B")}),
          std::tuple(QStringLiteral("view.inspector"), Editor::tr("Show or hide the inspector"), QStringList{QStringLiteral("Ctrl+E")}),
          std::tuple(QStringLiteral("view.bottom"), Editor::tr("Show or hide problems, runs and log"), QStringList{QStringLiteral("Ctrl+R")}),
          std::tuple(QStringLiteral("view.zoom_in"), Editor::tr("Zoom in"), QStringList{QStringLiteral("Ctrl++"), QStringLiteral("Ctrl+=")}),
          std::tuple(QStringLiteral("view.zoom_out"), Editor::tr("Zoom out"), QStringList{QStringLiteral("Ctrl+-")}),
          std::tuple(QStringLiteral("view.actual_size"), Editor::tr("Zoom to 100 %"), QStringList{QStringLiteral("Ctrl+1")}),
          std::tuple(QStringLiteral("view.fit"), Editor::tr("Fit the graph into the view"), QStringList{QStringLiteral("Ctrl+0")}),
          std::tuple(QStringLiteral("view.theme"), Editor::tr("Switch between light and dark"), QStringList{QStringLiteral("Ctrl+Shift+L")}),
          std::tuple(QStringLiteral("view.commands"), Editor::tr("Show every command"), QStringList{QStringLiteral("Ctrl+Shift+P")})})
        editor.actions().add({.id = id, .group = ActionGroup::View, .title = title, .shortcuts = shortcuts});
}

} // namespace

void registerEditorActions(Editor &editor)
{
    registerEdit(editor);
    registerRun(editor);
    registerViews(editor);
}
