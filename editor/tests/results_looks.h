#pragma once

#include "results_window.h"

namespace weir::editor {

/// Tests that a page of numbers is fully readable, whatever its content and the size of the window.
class ResultsLooks : public ResultsWindow {
    Q_OBJECT

  private slots:
    void withoutLatencyTheTableOfBlocksHasTheRoomOfTheCurves();
    void theListOfRunsIsNotCut_data();
    void theListOfRunsIsNotCut();
    void theBottomPanelLeavesTheRoomToThePages();
    void nothingIsCutAtCommonSizes_data();
    void nothingIsCutAtCommonSizes();
    void aTableWiderThanItsRoomKeepsItsBarAndGoesByKeys();
    void emptyPagesSayWhatToDo();
};

} // namespace weir::editor
