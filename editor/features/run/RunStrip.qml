import QtQuick
import Weir

/// Mark that the graph below is running.
ProgressStrip {
    id: root

    required property RunController runner

    objectName: "runStrip"
    visible: runner.runningHere
    progress: runner.progress
    Accessible.name: runner.status
}
