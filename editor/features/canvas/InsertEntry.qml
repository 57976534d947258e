import QtQuick
import QtQuick.Controls.Basic

/// A block type in the insert popup.
Rectangle {
    id: root

    required property int index
    required property string type
    required property string title
    required property string family
    required property string category
    required property string documentation

    signal chosen(type: string)

    objectName: "insert:" + type
    height: 28
    radius: Theme.radiusField
    color: ListView.isCurrentItem ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.ListItem
    Accessible.name: title
    Accessible.description: documentation
    Accessible.onPressAction: chosen(type)

    CategoryChip {
        x: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        category: root.category
        type: root.type
    }
    PlainText {
        id: words

        x: 36
        width: parent.width - x - 8
        anchors.verticalCenter: parent.verticalCenter
        elide: Text.ElideRight
        text: root.title
    }
    Hint {
        shown: hover.hovered
        text: words.truncated ? root.title + "\n" + root.documentation : root.documentation
    }
    HoverHandler { id: hover }
    TapHandler { onTapped: root.chosen(root.type) }
}
