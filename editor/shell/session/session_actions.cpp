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
    const struct {
        const char* id;
        QString title;
        const char* keys = "";
    } viewActions[] = {{"palette", Session::tr("Show or hide the palette"), "Ctrl+B"},
                       {"inspector", Session::tr("Show or hide the inspector"), "Ctrl+E"},
                       {"bottom", Session::tr("Show or hide problems, runs and log"), "Ctrl+R"},
                       {"problems", Session::tr("Show the problems")},
                       {"runs", Session::tr("Show the list of runs")},
                       {"log", Session::tr("Show the log")},
                       {"zoom_in", Session::tr("Zoom in"), "Ctrl++ Ctrl+="},
                       {"zoom_out", Session::tr("Zoom out"), "Ctrl+-"},
                       {"actual_size", Session::tr("Zoom to 100 %"), "Ctrl+1"},
                       {"fit", Session::tr("Zoom to fit the graph into the view"), "Ctrl+0"},
                       {"theme", Session::tr("Switch between light and dark"), "Ctrl+Shift+L"},
                       {"commands", Session::tr("Show every command"), "Ctrl+Shift+P"},
                       {"menu", Session::tr("Open the menu"), "F10"},
                       {"next_pane", Session::tr("Go to the next pane"), "Ctrl+F6"},
                       {"previous_pane", Session::tr("Go to the previous pane"), "Ctrl+Shift+F6"}};
    for (const auto& [id, title, keys] : viewActions)
        session.actions().add({.id = QStringLiteral("view.") + QLatin1String(id),
                               .group = ActionGroup::View,
                               .title = title,
                               .shortcuts = QString::fromLatin1(keys).split(u' ', Qt::SkipEmptyParts)});
    // The second key is for users who are typing text.
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
