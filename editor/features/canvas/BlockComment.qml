import QtQuick

/// Author's comment below a block: as many lines as fit. While the pointer is on the block, the whole comment shows on
/// an opaque background.
Item {
    id: root

    required property string blockId
    required property string comment
    required property real letters
    required property int lines ///< number that fits
    required property bool open

    implicitHeight: words.implicitHeight + 2 * Theme.space1
    visible: open || lines > 0

    Rectangle {
        anchors.fill: parent
        anchors.leftMargin: -Theme.space1
        anchors.rightMargin: -Theme.space1
        visible: root.open
        radius: Theme.radiusField
        color: Theme.pane
        border.color: Theme.line
    }
    BlockText {
        id: words

        objectName: "comment:" + root.blockId
        y: Theme.space1
        width: parent.width
        text: root.comment
        wrapMode: Text.Wrap
        maximumLineCount: root.open ? 8 : Math.max(1, root.lines)
        elide: Text.ElideRight
        size: Theme.sizeSmall * root.letters
        color: root.open ? Theme.text2 : Theme.text3
    }
}
