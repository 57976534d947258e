#pragma once

#include "features/run/run_controller.h"

#include <QTest>

namespace weir::editor {

/// Return the state, failure and log of a run, as the message of a failed test.
inline QString toldBy(RunController& runner) {
    QStringList said{runner.state(), runner.status(), runner.failure()};
    const QAbstractItemModel& log = *runner.log();
    for (int row = 0; row < log.rowCount(); ++row) said.append(log.index(row, 0).data().toString());
    return said.join(u'\n');
}

/// Waits until `holds` returns true. Returns false if the run ends first or after `ms` milliseconds.
template <class Holds> bool comesInTheRun(const RunController& runner, Holds holds, int ms) {
    return QTest::qWaitFor([&] { return holds() || !runner.isRunning(); }, ms) && holds();
}

inline bool ends(const RunController& runner, int ms) {
    return QTest::qWaitFor([&] { return !runner.isRunning(); }, ms);
}

} // namespace weir::editor
