#pragma once

#include "results_window.h"

namespace weir::editor {

/// Whether all of a page of numbers can be read, whatever it has and however large the window is.
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
