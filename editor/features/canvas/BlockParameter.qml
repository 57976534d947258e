import QtQuick

/// Parameter of a block and its value. If both do not fit, the name is cut first, as long as it stays distinct; then
/// both are cut. `= sample_rate` names its parameter itself. Default values are paler.
Item {
    id: root

    required property int index
    required property var parameter ///< null between two blocks
    required property real letters
    required property bool muted

    width: parent?.width ?? 0

    readonly property real spare: width - gap - value.implicitWidth
    readonly property bool saysItself: spare < key.implicitWidth && spare + gap >= 0 && value.text.startsWith("=")
                                      && value.text.split(/\W+/).includes(key.text)
    readonly property real nameRoom: Math.min(key.implicitWidth, spare >= 0.3 * width ? spare : 0.4 * width)
    readonly property real gap: Theme.space2

    BlockText {
        id: key
        width: root.nameRoom
        visible: !root.saysItself
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
        width: parent.width - (root.saysItself ? 0 : key.width + root.gap)
        horizontalAlignment: Text.AlignRight
        text: root.parameter?.value ?? ""
        elide: Text.ElideRight
        font.family: Theme.mono
        size: Theme.sizeTiny * root.letters
        color: root.muted || (root.parameter?.isDefault ?? false) ? Theme.text3 : Theme.text
    }
}
