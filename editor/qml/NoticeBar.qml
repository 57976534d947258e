import QtQuick
import Weir

/// What could not be done, and why; stays until it is dismissed or something succeeds.
Rectangle {
    id: root

    required property Editor editor

    objectName: "notice"
    implicitHeight: message.implicitHeight + 16
    visible: editor.notice !== ""
    radius: Theme.radiusButton
    color: Theme.errorBackground
    border.color: Theme.error
    Accessible.role: Accessible.AlertMessage
    Accessible.name: editor.notice

    PlainText {
        id: message
        x: 12
        y: 8
        width: parent.width - 48
        text: root.editor.notice
        wrapMode: Text.Wrap
        color: Theme.error
    }
    PlainText {
        anchors.right: parent.right
        anchors.rightMargin: 12
        y: 6
        text: "×"
        font.pixelSize: Theme.sizeHeading
        color: Theme.error
        Accessible.role: Accessible.Button
        Accessible.name: qsTr("Dismiss")
        Accessible.onPressAction: root.editor.dismissNotice()

        TapHandler { onTapped: root.editor.dismissNotice() }
    }
}
