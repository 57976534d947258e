import QtQuick
import Weir

/// How the run goes, or what is to be done before there can be one.
Row {
    id: root

    required property Editor editor

    signal problemsRequested()

    spacing: Theme.space2

    RunPill {
        anchors.verticalCenter: parent.verticalCenter
        runner: root.editor.runner
    }
    LinkText {
        objectName: "hindrances"
        anchors.verticalCenter: parent.verticalCenter
        visible: text !== "" && !root.editor.runner.running
        text: root.editor.hindrances
        color: Theme.severityColor(root.editor.worstSeverity)
        onActivated: root.problemsRequested()
    }
}
