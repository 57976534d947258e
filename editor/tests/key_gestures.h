#pragma once

#include "edit_gestures.h"

namespace weir::editor {

/// Drawing and selecting by keys alone.
class KeyGestures : public EditGestures {
    Q_OBJECT

  private slots:
    void tabAndTypingAddABlock();
    void withNothingSelectedTheOnlyOpenStreamGoesOn();
    void aNewBlockIsJoinedToTheSelectedOne();
    void atTheEdgeOfTheViewNothingIsCovered();
    void aChainIsDrawnWithoutLeavingThePopup();
    void tabAsksWhateverLedToTheGraph();
    void lettersEnableDisableAndBypass();
    void severalBlocksAreSelectedByKeysAlone();
    void theMenuOfTheSelectionOpensByKey();
    void whatWasSelectedIsSoAgainOnceAnInsertIsUndone();
};

} // namespace weir::editor
