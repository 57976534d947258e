import QtQuick

/// A parameter of a block and its value. Where both do not fit, the value has the room, and what is left of the name is
/// shown where it can tell something.
Item {
    id: root

    required property int index
    required property var parameter ///< null between two blocks
    required property real letters
    required property bool muted

    width: parent?.width ?? 0

    readonly property real nameRoom: Math.min(key.implicitWidth, width - 8 - value.implicitWidth)

    BlockText {
        id: key
        width: root.nameRoom
        visible: width >= Math.min(implicitWidth, 28 * root.letters)
        anchors.verticalCenter: parent.verticalCenter
        text: root.parameter?.name ?? ""
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.letters
        color: Theme.text3
    }
    BlockText {
        id: value
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        width: parent.width - (key.visible ? key.width + 8 : 0)
        horizontalAlignment: Text.AlignRight
        text: root.parameter?.value ?? ""
        elide: Text.ElideRight
        font.family: Theme.mono
        size: Theme.sizeTiny * root.letters
        color: root.muted ? Theme.text3 : Theme.text
    }
}
