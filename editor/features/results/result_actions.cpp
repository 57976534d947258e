#include "result_actions.h"

#include "editor.h"

void registerResultActions(Editor &editor)
{
    Actions &actions = editor.actions();
    Results *results = editor.results();
    const auto shown = [results] { return results->run()->isShown(); };
    const auto idle = [&editor] { return !editor.runner()->isRunning() && !editor.deployments().isEmpty(); };
    actions.add({.id = QStringLiteral("results.heat"),
                 .group = ActionGroup::Results,
                 .title = Editor::tr("Show the run's numbers on the graph"),
                 .shortcuts = {QStringLiteral("Ctrl+H")},
                 .enabled = [results] { return results->heat()->isKnown(); },
                 .run = [results] { results->heat()->toggle(); },
                 .checked = [results] { return results->heat()->isEnabled(); }});
    actions.add({.id = QStringLiteral("results.repeat"), .group = ActionGroup::Results,
                 .title = Editor::tr("Run all deployments 8 times, to compare them"), .enabled = idle,
                 .run = [&editor] { editor.runner()->runRepeated(8); }});
    actions.add({.id = QStringLiteral("results.compare"), .group = ActionGroup::Results,
                 .title = Editor::tr("Compare others with the chosen run"), .enabled = shown,
                 .run = [results, &editor] {
                     results->compareFrom(results->run()->path());
                     editor.setView(QStringLiteral("compare"));
                 }});
    actions.add({.id = QStringLiteral("results.swap"),
                 .group = ActionGroup::Results,
                 .title = Editor::tr("Exchange A and B of the comparison"),
                 .enabled = [results] { return results->comparison()->choices().size() > 1; },
                 .run = [results] { results->comparison()->swap(); }});
    actions.add({.id = QStringLiteral("results.report"),
                 .group = ActionGroup::Results,
                 .title = Editor::tr("Open the report of the chosen run"),
                 .enabled = shown,
                 .run = [results] { results->library()->openReport(results->run()->path()); }});
    actions.add({.id = QStringLiteral("results.folder"),
                 .group = ActionGroup::Results,
                 .title = Editor::tr("Open the folder of the chosen run"),
                 .enabled = shown,
                 .run = [results] { results->library()->openFolder(results->run()->path()); }});
    actions.add({.id = QStringLiteral("results.refresh"),
                 .group = ActionGroup::Results,
                 .title = Editor::tr("Read the list of runs again"),
                 .run = [results] { results->library()->refresh(); }});
}
