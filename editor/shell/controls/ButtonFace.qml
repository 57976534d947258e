import QtQuick

/// Content of a button: an icon, text, or both.
Item {
    id: root

    property string icon
    property string text
    property color color
    property font font
    property int iconSize: Theme.icon

    readonly property real beside: icon === "" ? 0 : text === "" ? iconSize : iconSize + Theme.space2

    // Size of the full content, independent of the room: the layout computes the room from it.
    implicitWidth: beside + (text === "" ? 0 : words.implicitWidth)
    implicitHeight: Math.max(iconSize, words.implicitHeight)

    Row {
        anchors.centerIn: parent
        spacing: Theme.space2

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
            width: Math.max(0, Math.min(Math.ceil(implicitWidth), root.width - root.beside))
            text: root.text
            font: root.font
            color: root.color
            elide: Text.ElideRight
        }
    }
}
