import QtQuick

/// Text with an optional icon before it; wrapped lines align beside the icon.
PlainText {
    id: root

    property string icon
    property int iconSize: Theme.icon

    leftPadding: icon === "" ? 0 : iconSize + (text === "" ? 0 : Theme.space1)

    Icon {
        y: root.lineCount > 1 ? 0 : (root.height - height) / 2
        visible: root.icon !== ""
        name: root.icon
        color: root.color
        size: root.iconSize
    }
}
