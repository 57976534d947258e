import QtQuick
import Weir

/// Run in a list.
Rectangle {
    id: root

    required property Results results
    required property var places ///< of the cells, same as in the list's header; unused if narrow
    required property bool narrow
    required property bool focused
    required property int index
    required property string path
    required property string runId
    required property string time
    required property string deployment
    required property string scheduler
    required property string status
    required property string reason
    required property list<string> warnings
    required property string throughput
    required property string p50
    required property string p99
    required property string lackingP99
    required property string delta
    required property int tone
    required property string beside
    required property string note
    required property string size
    required property string differs
    required property string differsInShort
    required property bool profiled
    required property bool unverified
    /// number of runs in its group; the row is the group's head, or a member of an open group
    required property int members
    required property bool head
    required property bool open
    required property string group

    readonly property bool closed: head && !open
    readonly property int indent: open && !head ? Theme.space3 : 0

    readonly property bool chosen: results.run.path === path
                                   || (closed && results.library.groupOf(results.run.path) === group)
    readonly property bool stale: differs !== ""
    readonly property bool counts: status === "ok"
    readonly property color ink: !counts || stale ? Theme.text3 : Theme.text

    function toggle() {
        if (members > 1)
            results.library.toggle(group)
    }
    function choose() {
        results.show(path)
    }

    objectName: (narrow ? "side:" : "run:") + index
    width: ListView.view.width
    height: narrow ? 44 : 26
    color: chosen ? Theme.selectedRow : hover.hovered || focused ? Theme.alt : "transparent"
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("%1, %2, %3, median latency %4").arg(deployment).arg(mark.says).arg(throughput).arg(p50)
    Accessible.description: Array.of(reason, ...warnings, note, lackingP99, beside === "" ? "" : delta + ", " + beside, profiled ? qsTr("profiled") : "", unverified ? qsTr("not verified") : "").filter(text => text !== "").join(". ")
    Accessible.onPressAction: choose()

    Hatch {
        anchors.fill: parent
        visible: !root.counts
        color: Qt.alpha(mark.ink, 0.12)
    }
    Rectangle {
        width: 3
        height: parent.height
        visible: root.chosen
        color: Theme.accent
    }
    SmallButton {
        objectName: "openRuns:" + root.index
        x: 0
        width: 18
        anchors.verticalCenter: parent.verticalCenter
        visible: root.head
        icon.name: root.open ? "chevron_down" : "chevron_right"
        hint: root.open ? qsTr("Show one row for the %n run(s)", "", root.members) : qsTr("Show each of the %n run(s)", "", root.members)
        onClicked: root.toggle()
    }
    StatusMark {
        id: mark

        x: 18 + (root.narrow ? root.indent : 0) // otherwise the time is there
        y: (root.height - height) / 2
        status: root.status
        warned: root.warnings.length > 0
    }
    SmallText {
        x: root.places.status.x
        y: 5
        width: root.places.status.width
        visible: !root.narrow && width > 0
        text: Theme.statusName(root.status)
        color: mark.good ? Theme.text2 : mark.ink
    }
    TableCell {
        x: root.places.time.x
        width: root.places.time.width
        visible: !root.narrow
        number: false
        text: root.time
        color: root.ink
    }
    TableCell {
        x: (root.narrow ? 40 : root.places.deployment.x) + root.indent
        y: 5
        width: root.narrow ? parent.width - x - Theme.space4 : root.places.deployment.width
        number: false
        elide: Text.ElideMiddle // names of runs of one deployment differ at the end
        text: root.closed && root.narrow ? qsTr("%1 · %n run(s)", "", root.members).arg(root.deployment)
            : root.profiled && !root.narrow ? qsTr("%1 · profiled").arg(root.deployment) : root.deployment
        font.weight: root.narrow ? Font.DemiBold : Font.Normal
        color: root.ink
    }
    TableCell {
        id: side

        x: root.narrow ? parent.width - width - Theme.space4 : root.places.throughput.x
        y: root.narrow ? 23 : 5
        width: root.narrow ? implicitWidth : root.places.throughput.width
        text: root.throughput
        color: root.ink
    }
    TableCell {
        x: root.places.delta.x
        width: root.places.delta.width
        visible: !root.narrow && width > 0
        text: root.delta
        color: root.tone > 0 ? Theme.ok : root.tone < 0 ? Theme.error : Theme.text3

        HoverHandler {
            id: overDelta
            enabled: root.beside !== ""
        }
    }
    TableCell {
        x: root.places.p50.x
        width: root.places.p50.width
        visible: !root.narrow
        text: root.p50
        color: root.ink
    }
    TableCell {
        x: root.places.p99.x
        width: root.places.p99.width
        visible: !root.narrow
        text: root.p99
        color: root.ink
    }
    TableCell {
        x: root.narrow ? 40 : root.places.note.x
        y: root.narrow ? 23 : 5
        width: root.narrow ? parent.width - x - Theme.space4 - side.width - Theme.space2 : root.places.note.width
        number: false
        text: {
            const parts = []
            if (root.closed)
                parts.push(root.narrow ? qsTr("median") : qsTr("median of %n", "", root.members))
            if (root.profiled && root.narrow)
                parts.push(qsTr("profiled"))
            if (root.unverified)
                parts.push(qsTr("not verified"))
            if (root.narrow)
                parts.push(root.counts ? root.time : Theme.statusName(root.status))
            if (root.stale && !root.narrow)
                parts.push(root.differsInShort)
            if (root.note !== "")
                parts.push(root.note)
            if (root.reason !== "")
                parts.push(root.reason)
            if (mark.doubtful) // if space is short, put it after the time, which identifies the run
                parts.splice(root.narrow ? parts.length : root.closed ? 1 : 0, 0, root.results.library.firstWords(root.warnings[0]))
            return parts.join(" · ")
        }
        color: mark.good ? Theme.text2 : mark.ink
    }
    Hint {
        shown: hover.hovered && (root.lackingP99 !== "" || root.reason !== "" || root.warnings.length > 0 || root.note !== "" || root.stale || root.profiled || overDelta.hovered)
        text: Array.of(overDelta.hovered ? root.beside : "", root.reason, ...root.warnings, root.note, root.lackingP99,
                       root.profiled ? qsTr("profiled: measuring the time of each call cost throughput") : "",
                       root.stale ? qsTr("%1: the project has changed since this run, or the run had other options; its scheduler: %2").arg(root.differs).arg(root.scheduler) : "",
                       root.runId).filter(line => line !== "").join("\n")
    }
    HoverHandler { id: hover }
    TapHandler {
        onTapped: {
            root.ListView.view.currentIndex = root.index // keys continue from this row
            root.choose()
        }
    }
}
