import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Field for the number of copies of a block or group in series.
Popup {
    id: root

    required property GraphCommands graph

    function openAt(point: point) {
        label.text = qsTr("Copies of %1 in series").arg(graph.repeatTarget())
        field.text = graph.repeatText()
        x = Math.max(4, Math.min(point.x, parent.width - width - 4))
        y = Math.max(4, Math.min(point.y + 8, parent.height - height - 4))
        open()
    }

    objectName: "repeatPopup"
    width: 240
    enter: FadeIn {}
    height: 80
    padding: 0
    focus: true
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onOpened: {
        field.forceActiveFocus(Qt.PopupFocusReason)
        field.selectAll()
    }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }

    PlainText {
        id: label

        x: 12
        y: 12
        width: parent.width - Theme.space5
        elide: Text.ElideMiddle
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
    TextBox {
        id: field

        objectName: "repeatField"
        x: 12
        y: 38
        width: parent.width - Theme.space5
        placeholderText: qsTr("a number, or = an expression")
        Accessible.name: label.text
        onAccepted: {
            root.close()
            root.graph.setRepeat(text)
        }
    }
}
