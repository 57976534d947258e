import QtQuick
import Weir

/// A thin line that says that the graph below is running, and how far it is where that is known.
Item {
    id: root

    required property RunController runner

    readonly property bool known: runner.progress >= 0

    objectName: "runStrip"
    height: 3
    visible: runner.runningHere
    clip: true
    Accessible.role: Accessible.ProgressBar
    Accessible.name: runner.status

    Rectangle {
        anchors.fill: parent
        color: Theme.line
    }
    Rectangle {
        id: bar

        property real at

        x: root.known ? 0 : at * root.width
        width: root.width * (root.known ? root.runner.progress : 0.2)
        height: parent.height
        color: Theme.accent

        NumberAnimation on at {
            running: root.visible && !root.known
            from: -0.2
            to: 1
            duration: Theme.sweep
            loops: Animation.Infinite
        }
    }
}
