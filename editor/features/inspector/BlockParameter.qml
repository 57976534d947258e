import QtQuick

Item {
    id: root

    required property int index
    required property var parameter ///< null between two blocks
    required property real zoom
    required property bool muted

    width: parent?.width ?? 0
    height: 18 * zoom

    BlockText {
        id: key
        width: Math.min(implicitWidth, parent.width * 0.55)
        text: root.parameter?.name ?? ""
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.zoom
        color: Theme.text3
    }
    BlockText {
        anchors.right: parent.right
        width: parent.width - key.width - 8
        horizontalAlignment: Text.AlignRight
        text: root.parameter?.value ?? ""
        elide: Text.ElideRight
        font.family: Theme.mono
        size: Theme.sizeTiny * root.zoom
        color: root.muted ? Theme.text3 : Theme.text
    }
}
