#pragma once

#include <QObject>

namespace weir::editor {

/// What the tables of runs have.
class RunTables : public QObject {
    Q_OBJECT

  private slots:
    void tablesAreSortedAndWhatWasNotMeasuredComesLast();
    void everyTableHasTheNumbersOfTheRun();
    void blocksOfTwoSidesAreComparedByTheirMedians();
};

} // namespace weir::editor
