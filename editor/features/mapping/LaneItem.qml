pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Header of a lane with the names of its workers.
Item {
    id: root

    required property string kind
    required property string title
    required property string detail
    required property string heading
    required property real load
    required property bool usable
    required property var warnings
    required property var rows
    required property rect rect

    property bool stale: false

    signal workerRemoved(worker: string)

    readonly property bool low: rect.height < 44
    readonly property bool isNew: kind === "new"

    objectName: "lane:" + title
    y: rect.y
    height: rect.height
    Accessible.role: Accessible.Grouping
    Accessible.name: title + ", " + detail + (warnings.length > 0 ? ", " + warningText() : "")

    TinyText {
        x: Theme.space4
        y: -20
        width: parent.width - Theme.space6
        visible: root.heading !== ""
        text: root.heading
        elide: Text.ElideRight
        font.weight: Font.Medium
    }
    DashedFrame {
        anchors.fill: parent
        anchors.margins: Theme.space2
        visible: root.isNew
        color: Theme.control
        radius: Theme.radiusNode
    }
    PlainText {
        id: name

        x: 16
        y: root.low ? (root.height - height) / 2 : root.isNew ? (root.height - height) / 2 : 9
        text: root.title
        font.weight: Font.DemiBold
        color: root.kind === "missing" ? Theme.error : root.usable ? Theme.text : Theme.text3
    }
    TinyText {
        x: root.low || root.isNew ? name.x + name.width + Theme.space2 : Theme.space4
        y: root.low || root.isNew ? name.y + Theme.space0 : 28
        width: root.low || root.isNew ? implicitWidth : 120 - 20
        text: root.isNew ? qsTr("Drop blocks here to give them a worker of their own") : root.detail
        elide: Text.ElideRight
    }
    Rectangle {
        x: Theme.space4
        y: 46
        width: 56
        height: Theme.mark
        radius: height / 2
        visible: root.load >= 0 && !root.low
        color: Theme.line

        Rectangle {
            width: Math.max(height, parent.width * Math.min(1, root.load))
            height: parent.height
            radius: height / 2
            color: root.stale ? Theme.control : Theme.fillLines[3] // a busy worker is no warning
        }
    }
    TinyText {
        objectName: "laneLoad:" + root.title
        // Leave room for the line that names the workers of the lane.
        x: 120 - width - Theme.space2
        y: 42
        visible: root.load >= 0 && !root.low
        text: qsTr("%1 %").arg(Math.round(root.load * 100))
        color: root.stale ? Theme.text3 : Theme.text2
    }
    Repeater {
        model: root.rows

        Item {
            id: row

            required property var modelData
            readonly property string threads: Array.from(modelData.threads).join("\n")

            x: 120
            y: modelData.rect.y - root.rect.y
            width: 72
            height: modelData.rect.height
            Accessible.role: Accessible.StaticText
            Accessible.name: qsTr("worker %1, %2").arg(modelData.label).arg(modelData.note)
            Accessible.description: [threads.replace(/\n/g, ", "), modelData.period, modelData.arena === "" ? "" : qsTr("arena of %1").arg(modelData.arena)]
                .filter(part => part !== "").join(", ")

            Pill {
                id: label

                x: 8
                y: 14 + row.modelData.lead
                room: 60
                elide: Text.ElideLeft // the block is beside it; the copy and pipe are at the end
                text: row.modelData.label
                foreground: row.modelData.echo || row.modelData.colour < 0 ? Theme.text2 : Theme.chipText
                background: row.modelData.echo || row.modelData.colour < 0 ? Theme.alt
                    : Theme.laneColor(row.modelData.colour)
                objectName: "worker:" + row.modelData.label

                HoverHandler { id: overLabel }
                Hint {
                    shown: overLabel.hovered && label.cut
                    text: row.modelData.label
                }
            }
            IconButton {
                x: 48
                y: 32 + row.modelData.lead
                width: Theme.iconLarge
                height: Theme.iconLarge
                objectName: "removeWorker:" + row.modelData.label
                visible: row.modelData.kept
                icon.name: "close"
                hint: qsTr("Remove the worker %1, which has no blocks").arg(row.modelData.label)
                onClicked: root.workerRemoved(row.modelData.worker)
            }
            TinyText {
                x: 8
                y: 34 + row.modelData.lead
                objectName: "note:" + row.modelData.label
                width: row.modelData.echo ? implicitWidth : 64
                // The CPU is also at the left of the lane; slack and block are in the hint.
                text: row.threads === "" ? row.modelData.note : row.modelData.threads[0].split(",")[0]
                elide: Text.ElideRight
                font.weight: row.threads === "" ? Font.Normal : Font.Medium
                color: row.threads === "" ? Theme.text3 : Theme.text2

                HoverHandler { id: overNote }
                Hint {
                    shown: overNote.hovered && row.threads !== ""
                    text: row.threads + "\n" + row.modelData.note
                }
            }
            LaneBuffers {
                // Its positions count from the left edge of the lanes, like those of the row.
                x: -row.x
                y: -row.modelData.rect.y
                row: row.modelData
            }
            Rectangle {
                x: -1
                y: 0
                width: 3
                height: parent.height - 1
                visible: row.modelData.colour >= 0
                opacity: row.modelData.echo ? 0.4 : 1
                color: Theme.laneColor(row.modelData.colour)
            }
        }
    }
    Pill {
        id: warning

        anchors.right: parent.right
        anchors.rightMargin: Theme.space3
        y: root.low ? (parent.height - height) / 2 : Theme.space1
        implicitHeight: 18
        visible: root.warnings.length > 0
        objectName: "laneWarning:" + root.title
        icon: "warning"
        text: visible ? root.brief(root.warnings[0].code) + (root.warnings.length > 1
            ? " +" + (root.warnings.length - 1) : "") : ""
        foreground: Theme.warning
        background: Theme.warningBackground
        Accessible.role: Accessible.AlertMessage
        Accessible.name: root.warningText()

        HoverHandler { id: overWarning }
        Hint {
            shown: overWarning.hovered
            text: root.warningText()
        }
    }

    function warningText(): string {
        return warnings.map(w => w.message + " (" + w.code + ")").join("\n")
    }

    function brief(code: string): string {
        return ({
            "W_CPU_MISSING": qsTr("CPU missing"),
            "W_OVERSUBSCRIBED": qsTr("oversubscribed"),
            "W_SPIN_SHARED": qsTr("spinning on one core"),
            "W_CORE_SHARED": qsTr("core shared"),
            "W_NUMA_CROSSED": qsTr("crosses NUMA nodes")
        })[code] ?? code
    }
}
