import QtQuick
import QtQuick.Layouts
import Weir

/// Line above the lanes that says what they show, or why they are empty.
Rectangle {
    id: root

    property alias text: label.text
    property string kind: "note"
    property string action
    property string otherAction

    signal acted()
    signal otherActed()

    readonly property color foreground: kind === "error" ? Theme.error : kind === "warning" ? Theme.warning
        : Theme.text2

    implicitHeight: Math.max(36, label.implicitHeight + Theme.space4)
    color: kind === "error" ? Theme.errorBackground : kind === "warning" ? Theme.warningBackground : Theme.alt
    Accessible.role: Accessible.StaticText
    Accessible.name: text

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space4
        anchors.rightMargin: Theme.space3
        spacing: Theme.space2

        NoteText {
            id: label

            Layout.fillWidth: true
            color: root.foreground
        }
        PushButton {
            implicitHeight: Theme.smallControl
            visible: root.otherAction !== ""
            text: root.otherAction
            objectName: "bannerOther"
            onClicked: root.otherActed()
        }
        PushButton {
            implicitHeight: Theme.smallControl
            visible: root.action !== ""
            primary: true
            text: root.action
            objectName: "bannerAction"
            onClicked: root.acted()
        }
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
