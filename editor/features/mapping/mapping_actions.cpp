#include "mapping_actions.h"

#include "editor.h"

void registerMappingActions(Editor &editor)
{
    MappingController &mapping = *editor.mapping();
    Actions &actions = editor.actions();
    const auto add = [&actions](const char *id, const QString &title, const QStringList &shortcuts,
                                std::function<bool()> enabled, std::function<void()> run,
                                std::function<bool()> checked = {}) {
        actions.add({.id = QLatin1String(id), .group = ActionGroup::Mapping, .title = title, .shortcuts = shortcuts,
                     .enabled = std::move(enabled), .run = std::move(run), .checked = std::move(checked)});
    };
    add("mapping.map_to", MappingController::tr("Map the selected blocks to…"), {QStringLiteral("Ctrl+M")},
        [&editor] { return !editor.selection().blocks().isEmpty() || !editor.mapping()->selection().isEmpty(); }, {});
    add(
        "mapping.colour_by_worker", MappingController::tr("Colour blocks by worker"), {QStringLiteral("Ctrl+Alt+M")},
        {}, [&mapping] { mapping.setColourByWorker(!mapping.isColourByWorker()); },
        [&mapping] { return mapping.isColourByWorker(); });
    add(
        "mapping.unfold", MappingController::tr("Show copies one by one"), {},
        [&mapping] { return mapping.hasCopies(); }, [&mapping] { mapping.setUnfolded(!mapping.isUnfolded()); },
        [&mapping] { return mapping.isUnfolded(); });
    add("mapping.only_used", MappingController::tr("Hide CPUs without a worker"), {}, {},
        [&mapping] { mapping.setOnlyUsed(!mapping.isOnlyUsed()); }, [&mapping] { return mapping.isOnlyUsed(); });
    add("mapping.load_machine", MappingController::tr("Plan for a machine file…"), {}, {}, {});
    add(
        "mapping.this_machine", MappingController::tr("Plan for this machine"), {},
        [&mapping] { return !mapping.machineFile().isEmpty(); }, [&mapping] { mapping.thisMachine(); });
    add(
        "mapping.apply_preview", MappingController::tr("Apply the placement shown"), {},
        [&mapping] { return !mapping.preview().isEmpty(); }, [&mapping] { mapping.applyPreview(); });
}
