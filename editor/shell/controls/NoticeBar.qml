import QtQuick
import Weir

/// What was done, or could not be done and why. A failure stays until it is dismissed or the next thing succeeds.
Rectangle {
    id: root

    required property Editor editor

    readonly property color accent: editor.noticeIsGood ? Theme.ok : Theme.error

    objectName: "notice"
    implicitHeight: message.implicitHeight + Theme.space4
    visible: editor.notice !== ""
    radius: Theme.radiusButton
    color: editor.noticeIsGood ? Theme.okBackground : Theme.errorBackground
    border.color: accent
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
        color: root.accent
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
