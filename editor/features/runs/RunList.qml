pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// All runs of the project: a row each, the newest first.
Item {
    id: root

    required property Editor editor
    /// Few columns, for the side of the page.
    property bool narrow: false

    readonly property Results results: editor.results
    readonly property RunLibrary library: results.library

    TextBox {
        id: filterBox

        objectName: root.narrow ? "runFilterSide" : "runFilter"
        x: 16
        y: 6
        width: root.narrow ? parent.width - Theme.space6 : 240
        implicitHeight: Theme.smallControl
        placeholderText: qsTr("Filter: deployment, status, note …")
        font.family: Theme.sans
        Accessible.name: qsTr("Filter of the runs")
        text: root.library.filter
        onTextEdited: root.library.filter = text
        Keys.onEscapePressed: root.library.filter = ""
    }
    PlainText {
        anchors.right: parent.right
        anchors.rightMargin: Theme.space4
        y: 10
        visible: !root.narrow
        text: root.library.busy !== "" ? root.library.busy + " …"
            : root.library.reading ? qsTr("reading the runs …")
            : list.count === root.library.total ? qsTr("%n run(s)", "", list.count)
            : qsTr("%1 of %n run(s)", "", root.library.total).arg(list.count)
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    TableHeader {
        y: 34
        width: parent.width
        visible: !root.narrow && list.count > 0
        columns: [
            { caption: qsTr("Status"), x: 40, width: 80 },
            { caption: qsTr("Time"), x: 128, width: 120 },
            { caption: qsTr("Deployment"), x: 256, width: 150 },
            { caption: qsTr("Throughput"), x: 410, width: 130, right: true },
            { caption: qsTr("vs. baseline"), x: 548, width: 84, right: true },
            { caption: qsTr("Latency p50"), x: 640, width: 84, right: true },
            { caption: qsTr("p99"), x: 732, width: 76, right: true },
            { caption: qsTr("Note or reason"), x: 828, width: 200 }
        ]
    }
    ScrollList {
        id: list

        readonly property int rowHeight: root.narrow ? 44 : 26

        objectName: root.narrow ? "runsSide" : "runs"
        y: root.narrow ? 40 : 58
        width: parent.width
        height: Math.floor((parent.height - y) / rowHeight) * rowHeight
        model: root.library.runs
        activeFocusOnTab: true
        keyNavigationEnabled: true
        currentIndex: -1
        Keys.onReturnPressed: if (currentItem) (currentItem as RunRow).choose()
        onActiveFocusChanged: if (activeFocus && currentIndex < 0) currentIndex = 0

        /// The run that the keys are at: rows move when runs come.
        property string current

        Connections {
            target: root.library.runs
            function onModelAboutToBeReset() { list.current = (list.currentItem as RunRow)?.path ?? "" }
            function onModelReset() { found.start() }
        }
        Timer {
            id: found

            interval: 0 // once the list itself knows its rows
            onTriggered: list.currentIndex = root.library.rowOf(list.current)
        }

        delegate: RunRow {
            results: root.results
            narrow: root.narrow
            focused: ListView.isCurrentItem && list.activeFocus
        }
    }
    PlainText {
        x: 16
        y: 44
        width: parent.width - Theme.space6
        visible: list.count === 0
        wrapMode: Text.Wrap
        color: root.library.failure === "" ? Theme.text3 : Theme.error
        text: root.library.failure !== "" ? root.library.failure
            : root.library.reading ? qsTr("Reading the runs …")
            : root.library.total > 0 ? qsTr("No run matches the filter.")
            : qsTr("No run yet. Press Run (F6) to measure throughput and latency.")
    }
}
