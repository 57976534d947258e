pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Two sides beside each other: verdict, curves, differences with their intervals, and other differences.
Rectangle {
    id: root

    required property Editor editor

    readonly property Results results: editor.results
    readonly property RunComparison comparison: editor.comparison
    readonly property bool ready: comparison.choices.length > 1

    readonly property bool latency: comparison.curves.count > 0

    color: Theme.canvas

    ScrollPage {
        id: page

        objectName: "compareScroll"
        anchors.fill: parent
        needed: tables.y + 220
        visible: root.ready

        Item {
            id: bar

            x: Theme.space4
            y: Theme.space3
            width: page.width - Theme.space6
            height: Theme.barControl

            Row {
                spacing: Theme.space2

                SideChoice {
                    name: "A"
                    colour: Theme.seriesColors[0]
                    choices: root.comparison.choices
                    index: root.comparison.a
                    width: Math.min(420, (bar.width - 260) / 2)
                    onChosen: index => root.comparison.a = index
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    icon.name: "swap"
                    hint: qsTr("Exchange A and B")
                    onClicked: root.comparison.swap()
                }
                SideChoice {
                    name: "B"
                    colour: Theme.seriesColors[1]
                    choices: root.comparison.choices
                    index: root.comparison.b
                    width: Math.min(420, (bar.width - 260) / 2)
                    onChosen: index => root.comparison.b = index
                }
            }
            SmallButton {
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Copy as Markdown")
                hint: qsTr("For a pull request or an issue")
                enabled: root.comparison.verdict !== ""
                onClicked: root.comparison.copyMarkdown()
            }
        }
        VerdictBar {
            id: verdict

            x: Theme.space4
            y: bar.y + bar.height + Theme.space3
            width: page.width - Theme.space6
            editor: root.editor
        }
        Grid {
            id: plots

            readonly property bool pair: page.width >= 620
            readonly property int half: Math.max(220, Math.min(340, (page.height - y) * 0.55))
            readonly property var metrics: root.comparison.metrics
            /// Height of its lines, if there is nothing beside it.
            readonly property int few: Math.min(half, 120 + metrics.count * Theme.row)

            x: Theme.space4
            y: verdict.y + verdict.height + Theme.space3
            width: page.width - Theme.space6
            columns: pair && root.latency ? 2 : 1
            spacing: Theme.space3

            PlotPane {
                width: plots.columns === 2 ? Math.round((plots.width - plots.spacing) / 2) : plots.width
                height: plots.half
                visible: root.latency
                editor: root.editor
                plot: curves
                title: qsTr("Latency by percentile, A and B")
                explanation: curves.explanation

                PercentilePlot {
                    id: curves

                    objectName: "comparePlot"
                    anchors.fill: parent
                    curves: root.comparison.curves
                    style: Theme.plotStyle
                    logarithmic: true
                    Accessible.role: Accessible.Graphic
                    Accessible.name: qsTr("Latency of A and B by percentile; arrow keys read values")
                }
            }
            PlotPane {
                width: plots.columns === 2 ? plots.width - plots.spacing - Math.round((plots.width - plots.spacing) / 2) : plots.width
                height: root.latency ? plots.half : plots.few
                editor: root.editor
                plot: intervals
                toggle: false
                title: qsTr("Differences and their intervals")

                IntervalPlot {
                    id: intervals

                    objectName: "intervalPlot"
                    anchors.fill: parent
                    comparison: root.comparison
                    style: Theme.plotStyle
                    Accessible.role: Accessible.Graphic
                    Accessible.name: root.comparison.summary
                }
            }
        }
        Rectangle {
            id: tables

            objectName: "compareTablePane"
            x: Theme.space4
            y: plots.y + plots.height + Theme.space3
            width: page.width - Theme.space6
            height: page.contentHeight - y - Theme.space3
            color: Theme.pane
            border.color: Theme.line
            radius: Theme.radiusNode

            TabStrip {
                id: tabs

                objectName: "compareTables"
                x: Theme.space4
                room: parent.width - 2 * x
                onChosen: index => tabs.current = index
                labels: [qsTr("Metrics"), qsTr("Blocks"), qsTr("Differences"),
                    qsTr("Remarks %1").arg(root.comparison.remarks.length)]
            }
            Row {
                anchors.right: parent.right
                anchors.rightMargin: Theme.space2
                y: Theme.space1
                spacing: Theme.space1
                visible: tabs.current === 1

                ProfileButton {
                    objectName: "profileA"
                    visible: !root.comparison.profiledA
                    text: qsTr("Profile A")
                    editor: root.editor
                    run: root.comparison.runOfA
                }
                ProfileButton {
                    objectName: "profileB"
                    visible: !root.comparison.profiledB
                    text: qsTr("Profile B")
                    editor: root.editor
                    run: root.comparison.runOfB
                }
            }
            Divider {
                x: 1
                y: Theme.barControl
                width: parent.width - Theme.space0
            }
            DataTable {
                objectName: "compareTable"
                anchors.fill: parent
                anchors.topMargin: Theme.barControl + Theme.strokeStrong
                anchors.bottomMargin: Theme.strokeStrong + (notes.visible ? notes.height + Theme.space2 : 0)
                visible: tabs.current < 3
                table: [root.comparison.metrics, root.comparison.blocks,
                    root.comparison.differences][Math.min(tabs.current, 2)]
                onBlockChosen: block => root.editor.goTo(block)
                caption: tabs.labels[tabs.current]
            }
            Column {
                id: notes

                x: Theme.space4
                y: parent.height - height - Theme.space1
                spacing: Theme.space0
                visible: tabs.current === 0 && (root.comparison.uncertain || root.comparison.fromPairs)

                TinyText {
                    objectName: "pairsNote"
                    visible: root.comparison.fromPairs
                    text: qsTr("B over A is estimated from pairs of runs, not from the two medians. If runs scatter, the ratio of the medians can differ from this estimate.")
                    color: Theme.text2
                }
                Row {
                    objectName: "uncertainNote"
                    spacing: Theme.space2
                    visible: root.comparison.uncertain

                    TinyText {
                        anchors.verticalCenter: parent.verticalCenter
                        text: qsTr("* Uncertain: the window of these runs is shorter than 0.2 s.")
                        color: Theme.text2
                    }
                    MoreItemsButton {
                        objectName: "giveMoreItems"
                        editor: root.editor
                        text: qsTr("Use more items")
                    }
                }
            }
            ScrollList {
                anchors.fill: parent
                anchors.topMargin: Theme.barControl + Theme.space2
                visible: tabs.current === 3
                spacing: Theme.space2
                model: root.comparison.remarks
                delegate: PlainText {
                    required property string modelData

                    x: Theme.space4
                    width: ListView.view.width - Theme.space6
                    wrapMode: Text.Wrap
                    font.pixelSize: Theme.sizeSmall
                    text: modelData
                }

                PlainText {
                    x: Theme.space4
                    visible: root.comparison.remarks.length === 0
                    color: Theme.text3
                    text: qsTr("All runs count, and none has a warning.")
                }
            }
        }
    }
    EmptyPage {
        anchors.centerIn: parent
        visible: !root.ready
        title: root.results.library.reading ? qsTr("Reading the runs…") : qsTr("Nothing to compare yet")
        text: root.results.library.reading ? "" : root.comparison.advice

        PushButton {
            objectName: "runForCompare"
            anchors.horizontalCenter: parent.horizontalCenter
            visible: !root.results.library.reading && root.editor.deployments.length > 1
            primary: true
            enabled: !root.editor.runner.running && !root.editor.empty
            text: qsTr("Run all deployments 8 times")
            hint: qsTr("weir run --repeat 8, all deployments in turns, in random order")
            onClicked: root.editor.runner.runRepeated(8)
        }
        PushButton {
            objectName: "addForCompare"
            anchors.horizontalCenter: parent.horizontalCenter
            visible: !root.results.library.reading && root.editor.deployments.length < 2
            primary: true
            enabled: !root.editor.empty
            text: qsTr("Add a deployment")
            onClicked: {
                root.editor.view = "canvas" // its name and scheduler are chosen there
                root.editor.actions.trigger("deployment.add")
            }
        }
    }
}
