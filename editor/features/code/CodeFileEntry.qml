import QtQuick
import Weir

/// A file, below the title of its group if it is the first.
Item {
    id: root

    required property int index
    required property string path
    required property string name
    required property string heading
    required property bool differs
    required property CodeController code

    readonly property bool current: path === code.file

    objectName: "codeFileEntry:" + path
    height: row.y + row.height
    Accessible.role: Accessible.ListItem
    Accessible.name: differs ? qsTr("%1, differs").arg(path) : path
    Accessible.selected: current
    Accessible.onPressAction: code.file = path

    PlainText {
        x: 16
        y: root.index === 0 ? Theme.space1 : Theme.space3
        visible: root.heading !== ""
        text: root.heading
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.Medium
        color: Theme.text3
    }
    Rectangle {
        id: row

        objectName: "codeFile:" + root.path
        y: root.heading === "" ? 0 : root.index === 0 ? Theme.space5 : Theme.space6
        width: parent.width
        height: Theme.tableRow
        color: root.current ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"

        PlainText {
            x: 16
            width: parent.width - (root.differs ? 44 : 24)
            anchors.verticalCenter: parent.verticalCenter
            text: root.name
            elide: Text.ElideMiddle
            font.family: Theme.mono
            font.pixelSize: Theme.sizeSmall
            font.weight: root.current ? Font.DemiBold : Font.Normal
        }
        Icon {
            anchors.right: parent.right
            anchors.rightMargin: Theme.space3
            anchors.verticalCenter: parent.verticalCenter
            visible: root.differs
            name: "unequal"
            color: Theme.warning
        }
        HoverHandler { id: hover }
        TapHandler { onTapped: root.code.file = root.path }
    }
}
