pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// One run in full, beside the list of all runs.
Rectangle {
    id: root

    required property Editor editor

    readonly property Results results: editor.results
    readonly property Item home: side.visible ? runs : null
    readonly property RunView run: results.run
    /// Tables of the run. A table with `always` is always shown, and says why it is empty. The others are shown only
    /// with content.
    readonly property var tables: Array.of(
        { "title": qsTr("Latency"), "table": run.latency, "always": true },
        { "title": qsTr("Late"), "table": run.late, "always": false },
        { "title": qsTr("Blocks"), "table": run.blocks, "always": true },
        { "title": qsTr("Threads"), "table": run.threads, "always": true },
        { "title": qsTr("Granted"), "table": run.granted, "always": false },
        { "title": qsTr("Machine"), "table": run.machine, "always": false },
        { "title": qsTr("Streams"), "table": run.edges, "always": true },
        { "title": qsTr("Hops"), "table": run.hops, "always": true },
        { "title": qsTr("Environment"), "table": run.environment, "always": true }
    ).filter(part => part.always || part.table.count > 0 || part.table.remark !== "")
    /// True if there are latency curves; otherwise the table of blocks is the most useful.
    readonly property bool latency: run.curves.count > 0
    property string hovered

    color: Theme.canvas

    Rectangle {
        id: side

        width: Math.max(248, Math.min(280, root.width * 0.24))
        height: parent.height
        visible: root.results.library.total > 0
        color: Theme.pane

        RunList {
            id: runs

            anchors.fill: parent
            focus: true
            editor: root.editor
            narrow: true
        }
        Divider {
            anchors.right: parent.right
            height: parent.height
        }
    }
    ScrollPage {
        id: page

        objectName: "resultsScroll"
        anchors.fill: parent
        anchors.leftMargin: side.visible ? side.width : 0
        needed: tables.y + 220
        visible: root.run.shown

        RunHeader {
            id: header

            x: Theme.space4
            y: Theme.space3
            width: page.width - Theme.space6
            editor: root.editor
        }
        Grid {
            id: plots

            readonly property bool pair: page.width >= 620
            readonly property int half: Math.max(220, Math.min(340, (page.height - y) * 0.58))

            x: Theme.space4
            y: header.y + header.height + Theme.space3
            width: page.width - Theme.space6
            height: visible ? implicitHeight : -spacing
            visible: root.latency
            columns: pair ? 2 : 1
            spacing: Theme.space3

            PlotPane {
                width: plots.pair ? Math.round((plots.width - plots.spacing) * 0.55) : plots.width
                height: plots.half
                editor: root.editor
                plot: percentiles
                title: qsTr("Latency by percentile")
                explanation: percentiles.explanation

                PercentilePlot {
                    id: percentiles

                    objectName: "percentilePlot"
                    anchors.fill: parent
                    curves: root.run.curves
                    style: Theme.plotStyle
                    logarithmic: true
                    Accessible.role: Accessible.Graphic
                    Accessible.name: qsTr("Latency by percentile; arrow keys read values")
                }
            }
            PlotPane {
                width: plots.pair ? plots.width - plots.spacing - Math.round((plots.width - plots.spacing) * 0.55) : plots.width
                height: plots.half
                editor: root.editor
                plot: histogram
                title: qsTr("Distribution")
                logarithmicHint: qsTr("Logarithmic: shows rare latencies")

                HistogramPlot {
                    id: histogram

                    objectName: "histogramPlot"
                    anchors.fill: parent
                    curves: root.run.curves
                    style: Theme.plotStyle
                    Accessible.role: Accessible.Graphic
                    Accessible.name: qsTr("Histogram of latency; arrow keys read values")
                }
            }
        }
        Rectangle {
            id: tables

            objectName: "resultTablePane"
            x: Theme.space4
            y: plots.y + plots.height + Theme.space3
            width: page.width - Theme.space6
            height: page.contentHeight - y - Theme.space3
            color: Theme.pane
            border.color: Theme.line
            radius: Theme.radiusNode

            TabStrip {
                id: tabs

                objectName: "resultTables"
                x: Theme.space4
                room: parent.width - 2 * x
                property string picked
                readonly property string title: labels.includes(picked) ? picked : root.latency ? labels[0] : qsTr("Blocks")
                current: labels.indexOf(title)
                onChosen: index => picked = labels[index]
                labels: root.tables.map(part => part.title)
            }
            SmallButton {
                anchors.right: parent.right
                anchors.rightMargin: Theme.space2
                y: Theme.space1
                text: qsTr("Copy table")
                hint: qsTr("As text with tabs, for a spreadsheet")
                onClicked: root.results.copyText(root.tables[tabs.current].table.asText())
            }
            Divider {
                x: 1
                y: Theme.barControl
                width: parent.width - Theme.space0
            }
            DataTable {
                objectName: "resultTable"
                anchors.fill: parent
                anchors.topMargin: Theme.barControl + Theme.strokeStrong
                anchors.bottomMargin: Theme.strokeStrong
                table: (root.tables[tabs.current] ?? root.tables[0]).table // a run with fewer tables has fewer tabs
                caption: tabs.title
                highlighted: root.hovered
                onBlockChosen: block => root.editor.goTo(block)
                onBlockHovered: block => root.hovered = block
            }
        }
    }
    EmptyPage {
        anchors.centerIn: parent
        width: 400
        visible: !root.run.shown
        title: root.results.library.reading ? qsTr("Reading the runs…")
            : root.editor.runner.running ? qsTr("The first run is in progress") : qsTr("Nothing measured yet")
        text: root.results.library.reading ? ""
            : qsTr("A run measures throughput and latency. Its numbers appear here and on the graph, and are stored in %1.")
                .arg(root.editor.runner.folder)

        PushButton {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: !root.results.library.reading
            primary: true
            enabled: !root.editor.runner.running && !root.editor.empty
            text: qsTr("Run")
            hint: qsTr("Run (F6)")
            onClicked: root.editor.runner.run()
        }
    }
}
