#pragma once

#include "features/canvas/canvas_tools.h"
#include "features/clipboard/clipboard.h"
#include "features/code/code_controller.h"
#include "features/compare/run_comparison.h"
#include "features/decor/decor_controller.h"
#include "features/deployment/deployments.h"
#include "features/doctor/doctor.h"
#include "features/files/document_files.h"
#include "features/files/exchange.h"
#include "features/files/recovery.h"
#include "features/inspector/inspector.h"
#include "features/inspector/project_parameters.h"
#include "features/inspector/wire_inspector.h"
#include "features/mapping/mapping_controller.h"
#include "features/palette/block_palette.h"
#include "features/problems/problem_guide.h"
#include "features/results/results.h"
#include "features/run/run_controller.h"
#include "features/sweeping/sweep_design.h"
#include "features/sweeping/sweep_runner.h"
#include "features/tuning/tuner.h"
#include "features/welcome/welcome.h"
#include "shell/fields/fields.h"
#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

/// The session with all its features, which the window binds to. A feature is a folder of features/ that registers its
/// own actions; it becomes part of the program as a member here.
class Editor : public weir::editor::Session {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by main")

    Q_PROPERTY(weir::editor::Fields* fields READ fields CONSTANT)
    Q_PROPERTY(weir::editor::CodeController* code READ code CONSTANT)
    Q_PROPERTY(weir::editor::RunController* runner READ runner CONSTANT)
    Q_PROPERTY(weir::editor::Results* results READ results CONSTANT)
    Q_PROPERTY(weir::editor::RunComparison* comparison READ comparison CONSTANT)
    Q_PROPERTY(weir::editor::DecorController* decor READ decor CONSTANT)
    Q_PROPERTY(weir::editor::DocumentFiles* files READ files CONSTANT)
    Q_PROPERTY(weir::editor::Exchange* exchange READ exchange CONSTANT)
    Q_PROPERTY(weir::editor::Welcome* welcome READ welcome CONSTANT)
    Q_PROPERTY(weir::editor::BlockPalette* palette READ palette CONSTANT)
    Q_PROPERTY(weir::editor::CanvasTools* tools READ tools CONSTANT)
    Q_PROPERTY(weir::editor::Deployments* deploymentSettings READ deploymentSettings CONSTANT)
    Q_PROPERTY(weir::editor::MappingController* mapping READ mapping CONSTANT)
    Q_PROPERTY(weir::editor::Inspector* inspector READ inspector CONSTANT)
    Q_PROPERTY(weir::editor::ProjectParameters* projectParameters READ projectParameters CONSTANT)
    Q_PROPERTY(weir::editor::WireInspector* wire READ wire CONSTANT)
    Q_PROPERTY(weir::editor::Tuner* tuner READ tuner CONSTANT)
    Q_PROPERTY(weir::editor::SweepDesign* sweep READ sweep CONSTANT)
    Q_PROPERTY(weir::editor::SweepRunner* sweepRunner READ sweepRunner CONSTANT)
    Q_PROPERTY(weir::editor::ProblemGuide* problemGuide READ problemGuide CONSTANT)
    Q_PROPERTY(weir::editor::Doctor* doctor READ doctor CONSTANT)

  public:
    explicit Editor(const CliCommand& command, QObject* parent = nullptr);
    ~Editor() override; // in editor.cpp, so that not every file compiles it

    Fields* fields() { return &m_fields; }
    CodeController* code() { return &m_code; }
    RunController* runner() { return &m_runner; }
    Results* results() { return &m_results; }
    RunComparison* comparison() { return &m_comparison; }
    DecorController* decor() { return &m_decor; }
    DocumentFiles* files() { return &m_files; }
    Clipboard* clipboard() { return &m_clipboard; }
    Exchange* exchange() { return &m_exchange; }
    Welcome* welcome() { return &m_welcome; }
    Recovery& recovery() { return m_recovery; }
    BlockPalette* palette() { return &m_palette; }
    CanvasTools* tools() { return &m_tools; }
    Deployments* deploymentSettings() { return &m_deployments; }
    MappingController* mapping() { return &m_mapping; }
    Inspector* inspector() { return &m_inspector; }
    ProjectParameters* projectParameters() { return &m_projectParameters; }
    WireInspector* wire() { return &m_wire; }
    Tuner* tuner() { return &m_tuner; }
    SweepDesign* sweep() { return &m_sweep; }
    SweepRunner* sweepRunner() { return &m_sweepRunner; }
    ProblemGuide* problemGuide() { return &m_problemGuide; }
    Doctor* doctor() { return &m_doctor; }

    /// From now on, keeps the user's settings between starts, and unsaved changes for after a crash.
    void remember(const UserPlaces& places);

  private:
    // Each member uses only those before it.
    Fields m_fields;
    CodeController m_code;
    RunController m_runner;
    Results m_results;
    RunComparison m_comparison;
    DecorController m_decor;
    DocumentFiles m_files;
    Clipboard m_clipboard;
    Exchange m_exchange;
    Welcome m_welcome;
    BlockPalette m_palette;
    CanvasTools m_tools;
    Deployments m_deployments;
    MappingController m_mapping;
    Inspector m_inspector;
    ProjectParameters m_projectParameters;
    WireInspector m_wire;
    Tuner m_tuner;
    SweepDesign m_sweep;
    SweepRunner m_sweepRunner;
    ProblemGuide m_problemGuide;
    Doctor m_doctor;
    Recovery m_recovery; ///< its destructor writes the document a last time
};

} // namespace weir::editor
