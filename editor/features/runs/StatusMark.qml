import QtQuick
import Weir

/// Status of a run: an icon, a colour and, in the hint, the reason. Only a valid run without warnings has no border.
Item {
    id: root

    required property string status
    property bool word: false
    /// True if the run is valid, but its numbers have a warning.
    property bool warned: false

    readonly property bool doubtful: status === "ok" && warned
    readonly property bool good: status === "ok" && !warned
    readonly property bool careful: doubtful || status === "partial" || status === "incomplete"
    readonly property color ink: good ? Theme.ok : careful ? Theme.warning : Theme.error
    readonly property color paper: good ? Theme.okBackground : careful ? Theme.warningBackground : Theme.errorBackground
    readonly property string says: doubtful ? qsTr("done, with a warning") : Theme.statusName(status)

    implicitWidth: word ? label.implicitWidth + Theme.space4 : 16
    implicitHeight: word ? 22 : 16
    Accessible.role: Accessible.StaticText
    Accessible.name: says

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
        icon: root.good ? "check" : root.doubtful ? "warning" : root.status === "partial" ? "partial" : root.status === "incomplete" ? "more" : "close"
        iconSize: Theme.space3
        text: !root.word ? "" : root.doubtful ? qsTr("ok, with a warning") : Theme.statusName(root.status)
        font.pixelSize: root.word ? Theme.sizeSmall : Theme.sizeTiny
        font.weight: Font.DemiBold
        color: root.ink
    }
}
