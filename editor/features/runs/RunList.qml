pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// All runs of the project, one row each, newest first.
FocusScope {
    id: root

    required property Editor editor
    /// True beside the page: show few columns.
    property bool narrow: false

    /// Positions of the cells of a row. If space is short, the mark alone shows the status, then the baseline is
    /// hidden. The last cell takes the rest.
    readonly property var places: {
        const roomy = width >= 1000
        const widths = { status: roomy ? 80 : 0, time: 120, deployment: width >= 1200 ? 220 : roomy ? 150 : 120, throughput: 120,
                         delta: width >= 800 ? 84 : 0, p50: 84, p99: 76 }
        const found = {}
        let x = 40
        for (const name in widths) {
            found[name] = { x: x, width: widths[name] }
            x += widths[name] === 0 ? 0 : widths[name] + Theme.space2
        }
        x += Theme.space2
        found.note = { x: x, width: Math.max(0, width - x - Theme.space4) }
        return found
    }

    function head(caption: string, place: var, right: bool, hint: string): var {
        return { caption: caption, x: place.x, width: place.width, right: right, hint: hint }
    }

    readonly property Results results: editor.results
    readonly property RunLibrary library: results.library

    TextBox {
        id: filterBox

        objectName: root.narrow ? "runFilterSide" : "runFilter"
        x: 16
        y: 6
        width: root.narrow ? parent.width - Theme.space6 : 240
        implicitHeight: Theme.smallControl
        placeholderText: qsTr("Filter the runs")
        font.family: Theme.sans
        hoverEnabled: true
        Accessible.name: qsTr("Filter of the runs")
        Accessible.description: filterHint.text
        text: root.library.filter
        onTextEdited: root.library.filter = text
        Keys.onEscapePressed: root.library.filter = ""

        Hint {
            id: filterHint

            shown: filterBox.hovered && !filterBox.activeFocus
            text: qsTr("Searches the deployment, the status, the note and the reason")
        }
    }
    Row {
        x: filterBox.x + filterBox.width + Theme.space3
        y: filterBox.y
        height: filterBox.height
        spacing: Theme.space2
        visible: !root.narrow && root.library.lacking !== "" && root.library.filter === "" && root.width >= 800

        SmallText {
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("The newest run has too few latencies for a p99.")
        }
        MoreItemsButton {
            objectName: "giveRunsMoreItems"
            anchors.verticalCenter: parent.verticalCenter
            editor: root.editor
        }
    }
    SmallText {
        objectName: "runCount"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space4
        y: 10
        visible: !root.narrow
        text: root.library.busy !== "" ? root.library.busy + "…"
            : root.library.reading ? qsTr("reading the runs…")
            : root.editor.runner.runs > 1 ? qsTr("%n run(s), and %1 in progress, listed when all have ended", "", root.library.total).arg(root.editor.runner.runs)
            : root.library.filter === "" ? qsTr("%n run(s)", "", root.library.total)
            : qsTr("%1 of %n run(s)", "", root.library.total).arg(list.count)
        color: Theme.text3
    }
    TableHeader {
        y: 34
        width: parent.width
        visible: !root.narrow && list.count > 0
        columns: [
            root.head(qsTr("Status"), root.places.status, false, ""),
            root.head(qsTr("Time"), root.places.time, false, ""),
            root.head(qsTr("Deployment"), root.places.deployment, false, ""),
            root.head(qsTr("Throughput"), root.places.throughput, true, ""),
            root.head(qsTr("Change"), root.places.delta, true,
                      qsTr("Change of the throughput from the run chosen as A, the baseline. Without a baseline: from the previous run with the same settings, in grey")),
            root.head(qsTr("Latency p50"), root.places.p50, true, ""),
            root.head(qsTr("p99"), root.places.p99, true, ""),
            root.head(qsTr("Note or reason"), root.places.note, false, "")
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
        focus: true
        activeFocusOnTab: true
        keyNavigationEnabled: true
        currentIndex: -1
        // Show the focused run once the keys rest, as each run is a file to read.
        Keys.onPressed: event => {
            if ([Qt.Key_Up, Qt.Key_Down, Qt.Key_PageUp, Qt.Key_PageDown, Qt.Key_Home, Qt.Key_End].includes(event.key))
                resting.restart()
        }
        Keys.onLeftPressed: if ((currentItem as RunRow)?.open) (currentItem as RunRow).toggle()
        Keys.onRightPressed: if ((currentItem as RunRow)?.closed) (currentItem as RunRow).toggle()
        Keys.onReturnPressed: if (currentItem) (currentItem as RunRow).choose()
        Keys.onEnterPressed: if (currentItem) (currentItem as RunRow).choose()
        Accessible.name: qsTr("Runs")
        first: Math.max(0, root.library.rowOf(root.results.run.path))

        /// Focused run, by path: rows move when runs are added.
        property string current
        /// Run on the page. If the previous one had the focus, or there was none, the focus follows.
        readonly property string shown: root.results.run.path
        property string shownBefore

        onShownChanged: {
            resting.stop() // another run was selected meanwhile
            if (currentIndex >= 0 && (shownBefore === "" || ((currentItem as RunRow)?.path ?? current) === shownBefore)) {
                current = shown
                found.start()
            }
            shownBefore = shown
        }

        Connections {
            target: root.library.runs
            function onModelAboutToBeReset() { resting.stop(); list.current = (list.currentItem as RunRow)?.path ?? list.current }
            function onModelReset() { found.start() }
        }
        Timer {
            id: resting

            interval: 200
            onTriggered: if (list.activeFocus) (list.currentItem as RunRow)?.choose()
        }
        Timer {
            id: found

            interval: 0 // wait until the list has its new rows
            onTriggered: list.currentIndex = root.library.rowOf(list.current)
        }

        delegate: RunRow {
            results: root.results
            places: root.places
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
            : root.library.reading ? qsTr("Reading the runs…")
            : root.library.total > 0 ? qsTr("No run matches the filter.")
            : root.editor.runner.running ? qsTr("The first run is in progress.")
            : qsTr("No run yet. Press Run (F6) to measure throughput and latency.")
    }
}
