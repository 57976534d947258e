import QtQuick
import Weir

/// Buttons for a design that does not give the taps. They stay in view below the scrolling part.
Item {
    id: root

    required property FilterDesign design

    readonly property bool proposed: design.state === FilterDesign.Proposed

    /// Focus the button that uses the design.
    function takeFocus() {
        use.forceActiveFocus(Qt.TabFocusReason)
    }

    objectName: "designFoot"
    implicitHeight: words.height + Theme.space4

    Divider { width: parent.width }
    Flow {
        id: words

        x: Theme.space4
        y: Theme.space2
        width: parent.width - Theme.space6
        spacing: Theme.space2

        PushButton {
            id: use

            objectName: "applyDesign"
            primary: root.proposed
            text: root.proposed ? qsTr("Use this design") : qsTr("Design again")
            hint: qsTr("Replace the taps of the block with those of the design")
            // A focused button stays enabled: a fault found now must not take the focus away.
            enabled: root.design.sound || activeFocus
            onClicked: root.design.apply()
        }
        PushButton {
            objectName: "dropDesign"
            flat: true
            text: root.proposed ? qsTr("Cancel") : qsTr("Discard the design")
            hint: qsTr("Keep the taps of the block")
            onClicked: root.proposed ? root.design.discard() : root.design.forget()
        }
        Pill {
            objectName: "designUnused"
            visible: root.proposed
            text: qsTr("not used yet")
            foreground: Theme.warning
            background: Theme.warningBackground
        }
    }
}
