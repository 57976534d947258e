import QtQuick

/// A parameter of a block and its value. Where both do not fit, the value has the room, but for what the name needs to
/// be told from others. What nobody has set is paler.
Item {
    id: root

    required property int index
    required property var parameter ///< null between two blocks
    required property real letters
    required property bool muted

    width: parent?.width ?? 0

    readonly property real nameRoom: Math.min(key.implicitWidth, Math.max(0.4 * width, width - gap - value.implicitWidth))
    readonly property real gap: Theme.space2

    BlockText {
        id: key
        width: root.nameRoom
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
        width: parent.width - key.width - root.gap
        horizontalAlignment: Text.AlignRight
        text: root.parameter?.value ?? ""
        elide: Text.ElideRight
        font.family: Theme.mono
        size: Theme.sizeTiny * root.letters
        color: root.muted || (root.parameter?.isDefault ?? false) ? Theme.text3 : Theme.text
    }
}
