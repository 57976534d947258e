import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor
    required property real zoom

    signal problemsRequested()

    implicitHeight: 24
    color: Theme.alt

    Row {
        x: 16
        anchors.verticalCenter: parent.verticalCenter
        spacing: 24

        PlainText {
            text: root.editor.summary
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        PlainText {
            text: root.editor.selectionSummary
            visible: text !== ""
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        PlainText {
            text: !root.editor.checked ? qsTr("checking …")
                : root.editor.problemCount === 0 ? qsTr("no problems")
                : root.editor.problemCount === 1 ? qsTr("1 problem") : qsTr("%1 problems").arg(root.editor.problemCount)
            font.pixelSize: Theme.sizeSmall
            color: root.editor.problemCount > 0 ? Theme.error : Theme.text2

            TapHandler { onTapped: root.problemsRequested() }
        }
    }
    PlainText {
        anchors.right: parent.right
        anchors.rightMargin: 16
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("%1 %").arg(Math.round(root.zoom * 100))
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
    Divider { width: parent.width }
}
