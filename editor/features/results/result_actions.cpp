#include "features/results/results.h"

#include "features/run/run_controller.h"
#include "shell/session/session.h"

namespace weir::editor {

void Results::registerActions() {
    Actions& actions = m_session.actions();
    const auto shown = [this] { return m_run.isShown(); };
    actions.add({.id = QStringLiteral("results.heat"),
                 .group = ActionGroup::Results,
                 .title = tr("Show the run's numbers on the graph"),
                 .shortcuts = {QStringLiteral("Ctrl+H")},
                 .enabled = [this] { return m_heat.isKnown(); },
                 .run = [this] { m_heat.toggle(); },
                 .checked = [this] { return m_heat.isEnabled(); }});
    actions.add({.id = QStringLiteral("results.profile"),
                 .group = ActionGroup::Results,
                 .title = tr("Profile this run"),
                 .enabled = [this] { return !withoutProfile().isEmpty() && !m_runner.isRunning(); },
                 .run = [this] { profile(withoutProfile()); }});
    actions.add({.id = QStringLiteral("results.report"),
                 .group = ActionGroup::Results,
                 .title = tr("Open the report of the chosen run"),
                 .enabled = shown,
                 .run = [this] { m_library.openReport(m_run.path()); }});
    actions.add({.id = QStringLiteral("results.folder"),
                 .group = ActionGroup::Results,
                 .title = tr("Open the folder of the chosen run"),
                 .enabled = shown,
                 .run = [this] { m_library.openFolder(m_run.path()); }});
    actions.add({.id = QStringLiteral("results.refresh"),
                 .group = ActionGroup::Results,
                 .title = tr("Read the list of runs again"),
                 .run = [this] { m_library.refresh(); }});
}

} // namespace weir::editor
