import QtQuick
import Weir

/// Buttons for the chosen deployment.
Item {
    id: root

    required property Tuner tuner

    /// Emitted once the result is gone, since the button that had the keyboard focus is gone, too.
    signal emptied()

    objectName: "tuneFoot"
    height: words.height + Theme.space4

    Divider { width: parent.width }
    Column {
        id: words

        x: Theme.space4
        y: Theme.space2
        width: parent.width - Theme.space6
        spacing: Theme.space2

        MarkedText {
            objectName: "tuneRefusal"
            width: parent.width
            visible: text !== ""
            icon: root.tuner.stale ? "warning" : "info"
            text: root.tuner.refusal
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            color: root.tuner.stale ? Theme.warning : Theme.text2
            Accessible.role: Accessible.AlertMessage
            Accessible.name: text
        }
        Row {
            spacing: Theme.space2

            PushButton {
                objectName: "tuneApply"
                primary: true
                enabled: root.tuner.canApply
                text: qsTr("Apply")
                hint: root.tuner.canApply ? qsTr("Add this deployment to the project as %1").arg(root.tuner.wantedName) : "" // else see above
                // Apply works once. Move the focus, because a disabled button cannot keep it.
                onClicked: if (root.tuner.apply()) forget.forceActiveFocus(Qt.TabFocusReason)
            }
            PushButton {
                id: forget

                objectName: "tuneDiscard"
                flat: true
                text: qsTr("Discard")
                hint: qsTr("Discard the result; the project stays unchanged")
                onClicked: {
                    root.tuner.discard()
                    root.emptied()
                }
            }
        }
    }
}
