#include "features/mapping/mapping_controller.h"

#include "shell/session/session.h"

namespace weir::editor {

void MappingController::registerActions() {
    Actions& actions = m_session.actions();
    const auto add = [&actions](const char* id, const QString& title, const QStringList& shortcuts,
                                std::function<bool()> enabled, std::function<void()> run,
                                std::function<bool()> checked = {}) {
        actions.add({.id = QLatin1String(id),
                     .group = ActionGroup::Mapping,
                     .title = title,
                     .shortcuts = shortcuts,
                     .enabled = std::move(enabled),
                     .run = std::move(run),
                     .checked = std::move(checked)});
    };
    add("mapping.map_to", tr("Map or pin the selected blocks to…"), {QStringLiteral("Ctrl+M")},
        [this] { return !m_session.selection().blocks().isEmpty() || !selection().isEmpty(); }, {});
    add(
        "mapping.colour_by_worker", tr("Colour blocks by worker"), {QStringLiteral("Ctrl+Alt+M")}, {},
        [this] { setColourByWorker(!isColourByWorker()); }, [this] { return isColourByWorker(); });
    add(
        "mapping.unfold", tr("Show copies one by one"), {}, [this] { return hasCopies(); },
        [this] { setUnfolded(!isUnfolded()); }, [this] { return isUnfolded(); });
    add(
        "mapping.only_used", tr("Hide CPUs without a worker"), {}, {}, [this] { setOnlyUsed(!isOnlyUsed()); },
        [this] { return isOnlyUsed(); });
    add("mapping.load_machine", tr("Plan for a machine file…"), {}, {}, {});
    add(
        "mapping.this_machine", tr("Plan for this machine"), {}, [this] { return !machineFile().isEmpty(); },
        [this] { thisMachine(); });
    add(
        "mapping.apply_preview", tr("Apply the placement shown"), {}, [this] { return !preview().isEmpty(); },
        [this] { applyPreview(); });
}

} // namespace weir::editor
