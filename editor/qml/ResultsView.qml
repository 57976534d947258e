pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// The runs of this session above, the latency of the chosen one, pair by pair, below.
Item {
    id: root

    required property RunController runner

    PlainText {
        x: 16
        y: 12
        visible: runs.count === 0
        color: Theme.text3
        text: root.runner.running ? qsTr("Running …") : qsTr("No run yet. Press Run (F6) to measure throughput and latency.")
    }
    TableHeader {
        width: parent.width
        visible: runs.count > 0
        columns: [
            { caption: qsTr("Time"), x: 36, width: 70 },
            { caption: qsTr("Deployment"), x: 110, width: 150 },
            { caption: qsTr("Throughput"), x: 260, width: 140, right: true },
            { caption: qsTr("Latency p50"), x: 410, width: 90, right: true },
            { caption: qsTr("p95"), x: 510, width: 80, right: true },
            { caption: qsTr("p99"), x: 600, width: 80, right: true },
            { caption: qsTr("p99.9"), x: 690, width: 80, right: true },
            { caption: qsTr("max"), x: 780, width: 80, right: true },
            { caption: qsTr("Trace"), x: 880, width: 70 }
        ]
    }
    ListView {
        id: runs

        objectName: "runs"
        y: 24
        width: parent.width
        height: Math.min(contentHeight, (parent.height - 24) / 2)
        clip: true
        model: root.runner.results
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

        delegate: Rectangle {
            id: run

            required property int index
            required property string time
            required property string deployment
            required property string status
            required property string reason
            required property string throughput
            required property string p50
            required property string p95
            required property string p99
            required property string p999
            required property string maximum
            required property string trace
            required property bool stale

            readonly property color ink: stale ? Theme.text3 : Theme.text

            width: ListView.view.width
            height: 26
            color: index === root.runner.currentResult ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: qsTr("%1, %2, %3, median latency %4").arg(deployment).arg(status).arg(throughput).arg(p50)
            Accessible.onPressAction: root.runner.currentResult = index

            Rectangle {
                x: 16
                y: 9
                width: 8
                height: 8
                radius: run.status === "ok" ? 4 : 1
                color: run.status === "ok" ? Theme.ok : run.status === "partial" ? Theme.warning : Theme.error
            }
            TableCell { x: 36; width: 70; number: false; text: run.time; color: run.ink }
            TableCell { x: 110; width: 150; number: false; text: run.deployment; color: run.ink }
            TableCell { x: 260; width: 140; text: run.throughput; color: run.ink }
            TableCell { x: 410; width: 90; text: run.p50; color: run.ink }
            TableCell { x: 510; width: 80; text: run.p95; color: run.ink }
            TableCell { x: 600; width: 80; text: run.p99; color: run.ink }
            TableCell { x: 690; width: 80; text: run.p999; color: run.ink }
            TableCell { x: 780; width: 80; text: run.maximum; color: run.ink }
            TableCell { x: 880; width: 70; number: false; text: run.trace; color: run.ink }
            TableCell {
                x: 950
                width: parent.width - x - 16
                number: false
                text: run.status !== "ok" ? run.status + (run.reason === "" ? "" : ": " + run.reason)
                    : run.stale ? qsTr("earlier version") : ""
                color: run.status === "ok" ? Theme.text3 : run.status === "partial" ? Theme.warning : Theme.error
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.runner.currentResult = run.index }
        }
    }
    Divider {
        y: pairHeader.y
        width: parent.width
        visible: pairs.count > 0
    }
    TableHeader {
        id: pairHeader

        y: 24 + runs.height + 8
        width: parent.width
        visible: pairs.count > 0
        columns: [
            { caption: qsTr("Latency from source to sink"), x: 36, width: 300 },
            { caption: qsTr("Pairs"), x: 300, width: 80, right: true },
            { caption: qsTr("Lost"), x: 390, width: 60, right: true },
            { caption: qsTr("Mean"), x: 460, width: 80, right: true },
            { caption: qsTr("p5"), x: 550, width: 80, right: true },
            { caption: qsTr("p50"), x: 640, width: 80, right: true },
            { caption: qsTr("p95"), x: 730, width: 80, right: true },
            { caption: qsTr("p99"), x: 820, width: 80, right: true },
            { caption: qsTr("max"), x: 910, width: 80, right: true }
        ]
    }
    ListView {
        id: pairs

        objectName: "latency"
        anchors.top: pairHeader.bottom
        anchors.bottom: parent.bottom
        width: parent.width
        clip: true
        model: root.runner.latency
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

        delegate: Item {
            id: pair

            required property string name
            required property string pairs
            required property string lost
            required property string mean
            required property string p5
            required property string p50
            required property string p95
            required property string p99
            required property string maximum

            width: ListView.view.width
            height: 26

            TableCell { x: 36; width: 260; number: false; text: pair.name }
            TableCell { x: 300; width: 80; text: pair.pairs }
            TableCell { x: 390; width: 60; text: pair.lost }
            TableCell { x: 460; width: 80; text: pair.mean }
            TableCell { x: 550; width: 80; text: pair.p5 }
            TableCell { x: 640; width: 80; text: pair.p50 }
            TableCell { x: 730; width: 80; text: pair.p95 }
            TableCell { x: 820; width: 80; text: pair.p99 }
            TableCell { x: 910; width: 80; text: pair.maximum }
        }
    }
}
