import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Weir

/// Options of the next run that override the project.
PanePopup {
    id: root

    required property Editor editor

    readonly property RunController runner: editor.runner
    readonly property RunOptions options: runner.options
    readonly property var backends: ["", "lttng", "memory", "off"]

    property string itemsOfProject
    property string repetitionsOfProject
    property string traceOfProject

    onAboutToShow: {
        itemsOfProject = editor.deploymentSettings.runValue("items")
        repetitionsOfProject = editor.deploymentSettings.runValue("repetitions")
        traceOfProject = editor.deploymentSettings.runValue("backend")
    }

    objectName: "runOptionsPopup"
    width: 380
    padding: Theme.space4
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutsideParent

    contentItem: ColumnLayout {
        spacing: Theme.space3

        PlainText {
            text: qsTr("Options of Run (F6)")
            font.weight: Font.DemiBold
        }
        GridLayout {
            columns: 2
            columnSpacing: Theme.space3
            rowSpacing: Theme.space2

            SmallText {
                text: qsTr("Repetitions")
            }
            TextBox {
                objectName: "runRepetitions"
                focus: true
                Layout.fillWidth: true
                text: root.options.repetitions
                placeholderText: qsTr("as in the project, %1").arg(root.repetitionsOfProject)
                inputMethodHints: Qt.ImhDigitsOnly
                validator: IntValidator { bottom: 1; top: 100000 }
                Accessible.name: qsTr("Repetitions")
                onTextEdited: root.options.repetitions = acceptableInput ? text : ""
            }
            SmallText {
                text: qsTr("Items")
            }
            TextBox {
                objectName: "runItems"
                Layout.fillWidth: true
                text: root.options.items
                placeholderText: qsTr("as in the project, %1").arg(root.itemsOfProject)
                validator: RegularExpressionValidator { regularExpression: /[0-9]+ ?[kMGT]?/ }
                Accessible.name: qsTr("Items")
                onTextEdited: root.options.items = acceptableInput ? text : ""
            }
            SmallText {
                text: qsTr("Trace")
            }
            ChoiceBox {
                objectName: "runTrace"
                Layout.fillWidth: true
                model: [qsTr("as in the project, %1").arg(root.traceOfProject), "lttng", "memory", "off"]
                currentIndex: Math.max(root.backends.indexOf(root.options.trace), 0)
                Accessible.name: qsTr("Back-end of the trace")
                onActivated: index => root.options.trace = root.backends[index]
            }
        }
        PushButton {
            objectName: "runAllDeployments"
            Layout.fillWidth: true
            icon.name: root.options.allDeployments ? "checkbox_on" : "checkbox"
            text: qsTr("All deployments, in turns")
            hint: qsTr("Run the deployments in turns, in random order, so that machine drift affects all of them alike")
            checkable: true
            checked: root.options.allDeployments
            enabled: root.editor.deployments.length > 1
            Accessible.role: Accessible.CheckBox
            onToggled: root.options.allDeployments = checked
        }
        Divider { Layout.fillWidth: true }
        SmallText {
            text: qsTr("To compare now (Shift+F6)")
        }
        PushButton {
            readonly property string times: root.options.repetitions === "" ? "8" : root.options.repetitions

            objectName: "runAll"
            Layout.fillWidth: true
            text: root.editor.deployments.length < 2 ? qsTr("Run × %1").arg(times)
                : qsTr("Run all %n deployment(s) × %1", "", root.editor.deployments.length).arg(times)
            hint: qsTr("Run each deployment often enough to compare them, in turns (Shift+F6)")
            onClicked: {
                root.close()
                root.runner.runRepeated(8)
            }
        }
        TinyText {
            Layout.fillWidth: true
            wrapMode: Text.WrapAnywhere
            text: qsTr("Run directories go to %1").arg(root.runner.folder)
        }
    }
}
