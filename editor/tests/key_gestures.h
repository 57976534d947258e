#pragma once

#include "edit_gestures.h"

namespace weir::editor {

/// Tests of drawing and selecting with the keyboard alone.
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
