#include "app/editor.h"

#include "app/all_views.h"

namespace weir::editor {

Editor::Editor(const CliCommand& command, QObject* parent)
    : Session(command, allViews(), parent), m_fields(*this), m_code(*this), m_runner(*this), m_results(*this, m_runner),
      m_comparison(*this, *m_results.library(), *m_results.run()), m_decor(*this), m_files(*this, m_runner),
      m_clipboard(*this), m_exchange(*this, m_files), m_welcome(*this, m_files), m_palette(*this),
      m_tools(*this, m_palette, m_decor, m_clipboard),
      m_deployments(*this, m_fields, m_runner, m_results.library()->list()), m_mapping(*this, *m_results.shown()),
      m_inspector(*this, m_fields, *m_results.shown()), m_projectParameters(*this, m_fields),
      m_wire(*this, m_mapping, m_results), m_tuner(*this), m_sweep(*this, m_fields),
      m_sweepRunner(*this, m_runner, m_results, m_sweep),
      m_problemGuide(*this, m_inspector, m_projectParameters, m_deployments, m_mapping), m_doctor(*this),
      m_recovery(*this, m_files) {
    // Each overlay colours the blocks, so the one requested last replaces the others.
    connect(&m_mapping, &MappingController::coloursChanged, this, [this] {
        if (m_mapping.isColourByWorker()) m_tuner.setOnGraph(false);
        m_results.heat()->giveWay(m_mapping.isColourByWorker() || m_tuner.isPreviewing());
    });
    connect(m_results.heat(), &HeatMap::changed, this, [this] {
        if (!m_results.heat()->isEnabled()) return;
        m_mapping.setColourByWorker(false);
        m_tuner.setOnGraph(false);
    });
    connect(&m_tuner, &Tuner::previewChanged, this, [this] {
        if (m_tuner.isPreviewing()) m_mapping.setColourByWorker(false);
        m_results.heat()->giveWay(m_mapping.isColourByWorker() || m_tuner.isPreviewing());
    });
    connect(&m_runner, &RunController::unfiledChanged, this,
            [this] { m_recovery.journal().keepRuns(m_runner.unfiled()); });
    connect(&m_recovery, &Recovery::recovered, this, [this](const QStringList& runs) {
        m_runner.recoverUnfiled(runs);
        m_results.library()->refresh();
    });
    // When several deployments run, show their comparison.
    connect(&m_runner, &RunController::started, this, [this] {
        if (m_runner.runsSeveral()) m_comparison.followNewest();
    });
    const auto measure = [this] {
        m_doctor.setQuiet(m_runner.isRunning() || m_sweepRunner.isRunning() || m_tuner.isRunning());
    };
    connect(&m_runner, &RunController::stateChanged, this, measure);
    connect(&m_sweepRunner, &SweepRunner::changed, this, measure);
    connect(&m_tuner, &Tuner::changed, this, measure);
    // Queued: sizes change several times while the window is built.
    connect(m_tools.autoLayout(), &AutoLayout::roomChanged, &m_exchange, &Exchange::setRoom, Qt::QueuedConnection);
    connect(&m_exchange, &Exchange::laidOut, m_tools.autoLayout(), &AutoLayout::takeAll);
    m_files.registerQuit(); // last entry of the menu
}

Editor::~Editor() = default;

void Editor::remember(const UserPlaces& places) {
    memory()->use(places.settingsFile);
    m_files.remember(places.lockFolder);
    m_recovery.start(places.recoveryFolder);
}

} // namespace weir::editor
