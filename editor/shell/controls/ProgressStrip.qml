import QtQuick

/// Thin progress bar; indeterminate while the progress is unknown.
Item {
    id: root

    property real progress: -1 ///< 0 to 1; negative: unknown

    readonly property bool known: progress >= 0

    height: 3
    clip: true
    Accessible.role: Accessible.ProgressBar

    Rectangle {
        anchors.fill: parent
        color: Theme.line
    }
    Rectangle {
        id: bar

        property real at

        x: root.known ? 0 : at * root.width
        width: root.width * (root.known ? root.progress : 0.2)
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
