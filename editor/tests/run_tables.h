#pragma once

#include <QObject>

namespace weir::editor {

/// Tests of the tables of runs.
class RunTables : public QObject {
    Q_OBJECT

  private slots:
    void tablesAreSortedAndWhatWasNotMeasuredComesLast();
    void everyTableHasTheNumbersOfTheRun();
    void blocksOfTwoSidesAreComparedByTheirMedians();
};

} // namespace weir::editor
