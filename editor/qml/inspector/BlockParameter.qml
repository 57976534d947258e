import QtQuick

Item {
    id: root

    required property var modelData
    required property real zoom
    required property bool muted

    width: parent?.width ?? 0
    height: 18 * zoom

    BlockText {
        id: key
        width: Math.min(implicitWidth, parent.width * 0.55)
        text: root.modelData.name
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.zoom
        color: Theme.text3
    }
    BlockText {
        anchors.right: parent.right
        width: parent.width - key.width - 8
        horizontalAlignment: Text.AlignRight
        text: root.modelData.value
        elide: Text.ElideRight
        font.family: Theme.mono
        size: Theme.sizeTiny * root.zoom
        color: root.muted ? Theme.text3 : Theme.text
    }
}
