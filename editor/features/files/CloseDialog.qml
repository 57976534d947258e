import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Weir

/// Asks whether to save or discard changes before they are lost.
Dialog {
    id: root

    required property Editor editor

    property string answer
    property bool quits: false

    /// "save", "discard", or "" to continue editing.
    signal answered(answer: string)

    function answerWith(choice: string) {
        answer = choice
        close()
    }

    anchors.centerIn: parent
    width: 420
    padding: Theme.space5
    modal: true
    focus: true
    onOpened: {
        save.forceActiveFocus(Qt.TabFocusReason)
        save.focusReason = Qt.TabFocusReason // otherwise the focus ring of the default button is hidden
    }
    onAboutToShow: answer = ""
    onClosed: answered(answer)
    T.Overlay.modal: Rectangle { color: Qt.alpha(Theme.text, Theme.dark ? 0.1 : 0.3) }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.line
    }
    Column {
        spacing: Theme.space4

        HeadingText {
            width: root.availableWidth
            wrapMode: Text.Wrap
            text: qsTr("Save the changes of %1?").arg(root.editor.documentName)
        }
        PlainText {
            objectName: "closeNoFile"
            width: root.availableWidth
            visible: !root.editor.hasFile
            wrapMode: Text.Wrap
            text: root.editor.exchange.report.title !== ""
                  ? qsTr("The import has no project file yet: Save asks for one. The imported file stays unchanged.")
                  : qsTr("The project has no file yet: Save asks for one.")
            color: Theme.text2
        }
        PlainText {
            objectName: "closeRun"
            width: root.availableWidth
            visible: root.quits && root.editor.runner.running
            wrapMode: Text.Wrap
            text: qsTr("This also stops the run in progress.")
            color: Theme.text2
        }
        Row {
            spacing: Theme.space2

            PushButton {
                id: save

                objectName: "closeSave"
                primary: true
                text: qsTr("Save")
                onClicked: root.answerWith("save")
            }
            PushButton {
                objectName: "closeDiscard"
                text: qsTr("Discard")
                onClicked: root.answerWith("discard")
            }
            PushButton {
                text: qsTr("Cancel")
                onClicked: root.answerWith("")
            }
        }
    }
}
