import QtQuick
import Weir

/// Shows a notice, which disappears by itself, or a failure, which stays until it is dismissed or an action succeeds.
Rectangle {
    id: root

    required property Editor editor

    readonly property color ink: editor.noticeIsGood ? Theme.text : Theme.error

    objectName: "notice"
    implicitHeight: message.implicitHeight + Theme.space4
    visible: editor.notice !== ""
    radius: Theme.radiusButton
    color: editor.noticeIsGood ? Theme.alt : Theme.errorBackground
    border.color: editor.noticeIsGood ? Theme.control : Theme.error
    Accessible.role: Accessible.AlertMessage
    Accessible.name: editor.notice

    Timer {
        interval: 8000
        running: root.visible && root.editor.noticeIsGood
        onTriggered: root.editor.dismissNotice()
    }
    PlainText {
        id: message
        x: Theme.space3
        y: Theme.space2
        width: parent.width - 4 * Theme.space3
        text: root.editor.notice
        wrapMode: Text.Wrap
        color: root.ink
    }
    IconButton {
        objectName: "dismissNotice"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space1
        y: Theme.space1
        icon.name: "close"
        hint: qsTr("Dismiss")
        onClicked: root.editor.dismissNotice()
    }
}
