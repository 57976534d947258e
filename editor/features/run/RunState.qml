import QtQuick
import Weir

/// State of the run, or the next step before a run is possible.
Row {
    id: root

    required property Editor editor

    /// Width of its container.
    property real room: 0

    signal problemsRequested()
    signal logRequested()

    spacing: Theme.space2

    RunPill {
        anchors.verticalCenter: parent.verticalCenter
        runner: root.editor.runner
        onActivated: {
            if (runner.detailsPart === "results")
                root.editor.view = "results"
            else if (runner.detailsPart === "problems")
                root.problemsRequested()
            else
                root.logRequested()
        }
    }
    LinkText {
        objectName: "hindrances"
        anchors.verticalCenter: parent.verticalCenter
        visible: text !== "" && !root.editor.runner.running
        text: root.editor.hindrances
        color: Theme.severityColor(root.editor.worstSeverity)
        onActivated: root.problemsRequested()
    }
    DoctorLink {
        anchors.verticalCenter: parent.verticalCenter
        doctor: root.editor.doctor
        shown: root.editor.hindrances === "" && !root.editor.runner.running
        room: root.editor.runner.state === "" ? root.room : 0
    }
}
