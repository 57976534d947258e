import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Weir

/// Asks before GNU Radio executes the code of a flowgraph for the first time.
Dialog {
    id: root

    required property TrustQuestion question

    property bool trusts: false

    function answerWith(trusts: bool) {
        root.trusts = trusts
        close()
    }

    objectName: "trustDialog"
    anchors.centerIn: parent
    width: 460
    padding: Theme.space5
    modal: true
    focus: true
    onAboutToShow: trusts = false
    onOpened: {
        cancel.forceActiveFocus(Qt.TabFocusReason)
        cancel.focusReason = Qt.TabFocusReason // otherwise the focus ring of the default button is hidden
    }
    onClosed: question.answer(trusts)
    T.Overlay.modal: Rectangle { color: Qt.alpha(Theme.text, Theme.dark ? 0.1 : 0.3) }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.line
    }

    Connections {
        target: root.question
        function onChanged() { root.visible = root.question.asking }
    }
    Column {
        spacing: Theme.space4

        HeadingText {
            width: root.availableWidth
            wrapMode: Text.Wrap
            text: qsTr("Let GNU Radio run this flowgraph?")
        }
        PlainText {
            objectName: "trustText"
            width: root.availableWidth
            wrapMode: Text.Wrap
            text: qsTr("GNU Radio would execute the expressions and the Python code of this flowgraph, with your rights. "
                       + "Nothing has been executed so far.")
            color: Theme.text2
        }
        PlainText {
            objectName: "trustCode"
            width: root.availableWidth
            visible: root.question.code !== ""
            wrapMode: Text.Wrap
            text: qsTr("Besides expressions, it has: %1").arg(root.question.code)
        }
        PlainText {
            width: root.availableWidth
            wrapMode: Text.Wrap
            text: qsTr("If you trust it, Weir remembers this until its code changes.")
            color: Theme.text2
        }
        Row {
            spacing: Theme.space2

            PushButton {
                objectName: "trustRun"
                primary: true
                text: qsTr("Trust and run")
                onClicked: root.answerWith(true)
            }
            PushButton {
                id: cancel

                objectName: "trustCancel"
                text: qsTr("Cancel")
                onClicked: root.answerWith(false)
            }
        }
    }
}
