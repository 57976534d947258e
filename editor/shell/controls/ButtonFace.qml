import QtQuick

/// What a button shows: an icon, words, or both.
Item {
    id: root

    property string icon
    property string text
    property color color
    property font font
    property int iconSize: Theme.icon

    implicitWidth: parts.implicitWidth
    implicitHeight: Math.max(iconSize, words.implicitHeight)

    Row {
        id: parts

        anchors.centerIn: parent
        spacing: root.icon !== "" && root.text !== "" ? Theme.space2 : 0

        Icon {
            anchors.verticalCenter: parent.verticalCenter
            visible: root.icon !== ""
            name: root.icon
            color: root.color
            size: root.iconSize
        }
        PlainText {
            id: words

            anchors.verticalCenter: parent.verticalCenter
            visible: root.text !== ""
            width: Math.min(implicitWidth, root.width - (root.icon === "" ? 0 : root.iconSize + parts.spacing))
            text: root.text
            font: root.font
            color: root.color
            elide: Text.ElideRight
        }
    }
}
