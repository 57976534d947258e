#pragma once

#include "features/run/run_controller.h"

#include <QTest>

namespace weir::editor {

/// Reason why a run is not as a test expects: its state, its failure, and its log.
inline QString toldBy(RunController& runner) {
    QStringList said{runner.state(), runner.status(), runner.failure()};
    const QAbstractItemModel& log = *runner.log();
    for (int row = 0; row < log.rowCount(); ++row) said.append(log.index(row, 0).data().toString());
    return said.join(u'\n');
}

/// Waits until it holds: false as soon as nothing runs any more without it, or after so long.
template <class Holds> bool comesInTheRun(const RunController& runner, Holds holds, int ms) {
    return QTest::qWaitFor([&] { return holds() || !runner.isRunning(); }, ms) && holds();
}

inline bool ends(const RunController& runner, int ms) {
    return QTest::qWaitFor([&] { return !runner.isRunning(); }, ms);
}

} // namespace weir::editor
