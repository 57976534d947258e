import QtQuick
import Weir

/// Size and progress of the sweep, and the buttons that start and stop it.
Item {
    id: root

    required property SweepDesign design
    required property SweepRunner runner

    height: words.height + Theme.space3 + Theme.space3

    Divider { width: parent.width }
    Column {
        id: words

        x: Theme.space4
        y: Theme.space3
        width: parent.width - Theme.space6
        spacing: Theme.space2

        NoteText {
            objectName: "sweepPlan"
            width: parent.width
            visible: text !== "" && !root.runner.running
            text: root.design.plan
        }
        MarkedText {
            objectName: "sweepProblem"
            width: parent.width
            visible: root.design.problem !== "" && !root.runner.running
            icon: "warning"
            text: root.design.problem
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            color: Theme.error
            Accessible.role: Accessible.AlertMessage
            Accessible.name: text
        }
        NoteText {
            objectName: "sweepFailure"
            width: parent.width
            visible: root.runner.failure !== "" && !root.runner.running
            text: root.runner.hint === "" ? root.runner.failure : qsTr("%1 · %2").arg(root.runner.failure).arg(root.runner.hint)
            color: Theme.error
            Accessible.role: Accessible.AlertMessage
            Accessible.name: text
        }
        NoteText {
            objectName: "sweepStatus"
            width: parent.width
            visible: root.runner.running
            text: root.runner.remaining === "" ? root.runner.status : qsTr("%1 · %2").arg(root.runner.status).arg(root.runner.remaining)
        }
        ProgressStrip {
            width: parent.width
            visible: root.runner.running
            progress: root.runner.progress
            Accessible.name: qsTr("Progress of the sweep")
        }
        PushButton {
            id: go

            objectName: "sweepGo"
            width: parent.width
            primary: !root.runner.complete || root.runner.running
            enabled: root.runner.running || root.runner.canGoOn || root.runner.canBegin
            icon.name: root.runner.running ? "stop" : "run"
            text: root.runner.stopping ? qsTr("Stop now") : root.runner.running ? qsTr("Stop")
                : root.runner.canGoOn ? qsTr("Resume") : root.runner.complete ? qsTr("Measure again") : qsTr("Measure")
            hint: root.runner.running ? qsTr("Stop; the measurements are kept, and you can resume the sweep")
                : root.runner.canGoOn ? qsTr("Measure the missing points of the project as it was when the sweep began")
                : root.runner.complete ? qsTr("Measure once more, into a new folder") : qsTr("Build and measure every point")
            onClicked: root.runner.running ? root.runner.stop() : root.runner.canGoOn ? root.runner.goOn() : root.runner.begin()
        }
        PushButton {
            objectName: "sweepAnew"
            width: parent.width
            flat: true
            visible: root.runner.canGoOn
            enabled: root.runner.canBegin
            text: qsTr("Start over")
            hint: qsTr("Measure into a new folder; earlier measurements are kept")
            onClicked: root.runner.begin()
        }
    }
}
