import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Run options, and the Run button, which is Stop during a run.
Row {
    id: root

    required property Editor editor
    /// True if texts beside icons do not fit.
    property bool brief: false

    readonly property RunController runner: editor.runner

    spacing: Theme.space2

    PushButton {
        objectName: "runOptions"
        icon.name: "options"
        text: root.runner.options.any ? qsTr("Options •") : qsTr("Options")
        flat: true
        display: root.brief && !root.runner.options.any ? AbstractButton.IconOnly : AbstractButton.TextBesideIcon
        hint: root.runner.options.any ? qsTr("Options of the run: some differ from the project")
            : qsTr("Options of the run")
        enabled: !root.runner.running
        onClicked: options.visible ? options.close() : options.open()

        RunOptionsPopup {
            id: options

            y: parent.height + Theme.space1
            x: parent.width - width
            editor: root.editor
        }
        Connections {
            target: root.editor.actions
            function onRequested(id: string) {
                if (id === "run.options")
                    options.open()
            }
        }
    }
    PushButton {
        objectName: "run"
        primary: true
        icon.name: root.runner.running || root.runner.stopping ? "stop" : "run"
        text: root.runner.stopping ? qsTr("Stop now") : root.runner.running ? qsTr("Stop") : qsTr("Run")
        hint: root.runner.stopping ? qsTr("Request the stop again; the third request stops the run at once (F7)")
            : root.runner.running ? qsTr("Stop (F7); the measurements so far are kept as a partial result")
            : root.editor.hindrances !== "" ? qsTr("The project cannot run yet: %1").arg(root.editor.hindrances)
            : qsTr("Run (F6). Run directories go to %1").arg(root.runner.folder)
        onClicked: root.runner.running ? root.runner.cancel() : root.runner.run()
    }
}
