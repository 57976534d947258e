#pragma once

#include "heat_fixture.h"

namespace weir::editor {

/// Tests of the numbers beside blocks and wires, and of the choice of their run.
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
    void theLegendSaysWhyAPercentileIsMissing();
    void coloursForAMoveGiveWayToTheNextRun();
    void aRunOfAnotherProgramIsOnTheGraphUntilADeploymentIsChosen();
};

} // namespace weir::editor
