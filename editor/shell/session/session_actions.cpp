#include "shell/session/session.h"

namespace weir::editor {
namespace {

void registerEdit(Session& session) {
    Actions& actions = session.actions();
    actions.add({.id = QStringLiteral("edit.undo"),
                 .group = ActionGroup::Edit,
                 .title = Session::tr("Undo"),
                 .shortcuts = {QStringLiteral("Ctrl+Z")},
                 .enabled = [&session] { return session.document().canUndo(); },
                 .run = [&session] { session.undo(); },
                 .detail = [&session] { return session.undoText(); }});
    actions.add({.id = QStringLiteral("edit.redo"),
                 .group = ActionGroup::Edit,
                 .title = Session::tr("Redo"),
                 .shortcuts = {QStringLiteral("Ctrl+Shift+Z"), QStringLiteral("Ctrl+Y")},
                 .enabled = [&session] { return session.document().canRedo(); },
                 .run = [&session] { session.redo(); },
                 .detail = [&session] { return session.redoText(); }});
    actions.add({.id = QStringLiteral("edit.delete"),
                 .group = ActionGroup::Edit,
                 .title = Session::tr("Delete"),
                 .shortcuts = {QStringLiteral("Del"), QStringLiteral("Backspace")},
                 .enabled = [&session] { return !session.selection().isEmpty(); },
                 .run = [&session] { session.removeSelection(); },
                 .canvas = true});
    actions.add({.id = QStringLiteral("edit.select_all"),
                 .group = ActionGroup::Edit,
                 .title = Session::tr("Select all"),
                 .shortcuts = {QStringLiteral("Ctrl+A")},
                 .enabled = [&session] { return !session.isEmpty(); },
                 .run = [&session] { session.selectAll(); },
                 .canvas = true});
}

void registerViews(Session& session) {
    int number = 0;
    for (const View& view : session.views()->all())
        session.actions().add({.id = QStringLiteral("view.") + view.name,
                               .group = ActionGroup::View,
                               .title = view.action,
                               .shortcuts = {QStringLiteral("Alt+%1").arg(++number)},
                               .run =
                                   [&session, name = view.name] {
                                       if (session.view() == name) emit session.viewChosenAgain();
                                       session.setView(name);
                                   },
                               .checked = [&session, name = view.name] { return session.view() == name; }});
    for (const auto& [id, title, shortcuts] :
         {std::tuple(QStringLiteral("view.palette"), Session::tr("Show or hide the palette"),
                     QStringList{QStringLiteral("Ctrl+B")}),
          std::tuple(QStringLiteral("view.inspector"), Session::tr("Show or hide the inspector"),
                     QStringList{QStringLiteral("Ctrl+E")}),
          std::tuple(QStringLiteral("view.bottom"), Session::tr("Show or hide problems, runs and log"),
                     QStringList{QStringLiteral("Ctrl+R")}),
          std::tuple(QStringLiteral("view.problems"), Session::tr("Show the problems"), QStringList()),
          std::tuple(QStringLiteral("view.runs"), Session::tr("Show the list of runs"), QStringList()),
          std::tuple(QStringLiteral("view.log"), Session::tr("Show the log"), QStringList()),
          std::tuple(QStringLiteral("view.zoom_in"), Session::tr("Zoom in"),
                     QStringList{QStringLiteral("Ctrl++"), QStringLiteral("Ctrl+=")}),
          std::tuple(QStringLiteral("view.zoom_out"), Session::tr("Zoom out"), QStringList{QStringLiteral("Ctrl+-")}),
          std::tuple(QStringLiteral("view.actual_size"), Session::tr("Zoom to 100 %"),
                     QStringList{QStringLiteral("Ctrl+1")}),
          std::tuple(QStringLiteral("view.fit"), Session::tr("Zoom to fit the graph into the view"),
                     QStringList{QStringLiteral("Ctrl+0")}),
          std::tuple(QStringLiteral("view.theme"), Session::tr("Switch between light and dark"),
                     QStringList{QStringLiteral("Ctrl+Shift+L")}),
          std::tuple(QStringLiteral("view.commands"), Session::tr("Show every command"),
                     QStringList{QStringLiteral("Ctrl+Shift+P")}),
          std::tuple(QStringLiteral("view.menu"), Session::tr("Open the menu"), QStringList{QStringLiteral("F10")}),
          std::tuple(QStringLiteral("view.next_pane"), Session::tr("Go to the next pane"),
                     QStringList{QStringLiteral("Ctrl+F6")}),
          std::tuple(QStringLiteral("view.previous_pane"), Session::tr("Go to the previous pane"),
                     QStringList{QStringLiteral("Ctrl+Shift+F6")})})
        session.actions().add({.id = id, .group = ActionGroup::View, .title = title, .shortcuts = shortcuts});
    // Who types text types the second one.
    session.actions().add({.id = QStringLiteral("help.keys"),
                           .group = ActionGroup::Help,
                           .title = Session::tr("Keyboard shortcuts"),
                           .shortcuts = {QStringLiteral("F1"), QStringLiteral("?")}});
}

} // namespace

void Session::registerActions() {
    registerEdit(*this);
    registerViews(*this);
}

} // namespace weir::editor
