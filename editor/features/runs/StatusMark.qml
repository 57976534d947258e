import QtQuick
import Weir

/// How a run ended: an icon, a colour and, in the hint, the reason. Only a round mark is a good one.
Item {
    id: root

    required property string status
    property bool word: false

    readonly property bool good: status === "ok"
    readonly property color ink: good ? Theme.ok : status === "partial" || status === "incomplete" ? Theme.warning
        : Theme.error
    readonly property color paper: good ? Theme.okBackground : status === "partial" || status === "incomplete"
                                   ? Theme.warningBackground : Theme.errorBackground

    implicitWidth: word ? label.implicitWidth + Theme.space4 : 16
    implicitHeight: word ? 22 : 16
    Accessible.role: Accessible.StaticText
    Accessible.name: Theme.statusName(status)

    Rectangle {
        anchors.fill: parent
        radius: height / 2
        color: root.paper
        border.width: root.good ? 0 : 1
        border.color: root.ink
    }
    MarkedText {
        id: label

        anchors.centerIn: parent
        icon: root.good ? "check" : root.status === "partial" ? "partial" : root.status === "incomplete" ? "more" : "close"
        iconSize: Theme.space3
        text: root.word ? Theme.statusName(root.status) : ""
        font.pixelSize: root.word ? Theme.sizeSmall : Theme.sizeTiny
        font.weight: Font.DemiBold
        color: root.ink
    }
}
