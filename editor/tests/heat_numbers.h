#pragma once

#include "heat_fixture.h"

namespace weir::editor {

/// Numbers beside blocks and wires, and the run that they come from.
class HeatNumbers : public HeatFixture {
    Q_OBJECT

  private slots:
    void legendHasTheKindsOfPillsThatAreThereWithoutNumbers();
    void profileSaysWhichWorkerHasMostToDo();
    void theScaleOfBuffersStandsWhereAWireHasABand();
    void numbersOfNeighboursDoNotTouchAndAreWhole();
    void whatComesUpCoversNoBlockWhereverTheUserPutIt_data();
    void whatComesUpCoversNoBlockWhereverTheUserPutIt();
    void aNumberIsTheSameWhereverItIsShown();
    void theNumbersAreThoseOfTheChosenDeployment();
    void aConnectionShowsItsBufferAndWhatItCarried();
};

} // namespace weir::editor
