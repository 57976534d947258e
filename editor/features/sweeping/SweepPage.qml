pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Sweeps of the project: the varied settings, the figure, which grows during the measurement, and the runs behind a
/// point.
Rectangle {
    id: root

    required property Editor editor

    readonly property SweepDesign design: editor.sweep
    readonly property SweepRunner runner: editor.sweepRunner
    readonly property bool any: design.names.length > 0
    readonly property Item home: any ? form.home : first
    readonly property Item first: beginning

    color: Theme.canvas

    Rectangle {
        id: side

        width: Math.max(272, Math.min(320, root.width * 0.3))
        height: parent.height
        visible: root.any
        color: Theme.pane

        ScrollPage {
            objectName: "sweepScroll"
            width: parent.width
            height: foot.y
            needed: form.y + form.height + Theme.space3

            SweepForm {
                id: form

                x: Theme.space4
                y: Theme.space3
                width: side.width - Theme.space6
                editor: root.editor
            }
        }
        SweepFoot {
            id: foot

            y: parent.height - height
            width: parent.width
            design: root.design
            runner: root.runner
        }
        Divider {
            anchors.right: parent.right
            height: parent.height
        }
    }
    ScrollPage {
        id: page

        objectName: "sweepFigures"
        anchors.fill: parent
        anchors.leftMargin: root.any ? side.width : 0
        needed: head.height + 2 * Theme.space3 + 260 + Theme.space3 + 160 + Theme.space3
        visible: (root.any || root.runner.opened !== "") && (root.runner.shown || root.runner.runningHere)

        Column {
            id: head

            x: Theme.space4
            y: Theme.space3
            width: page.width - Theme.space6
            spacing: Theme.space1

            PlainText {
                objectName: "sweepSummary"
                width: parent.width
                text: root.runner.summary
                wrapMode: Text.Wrap
                font.weight: Font.DemiBold
            }
            Item {
                width: parent.width
                height: Theme.smallControl
                visible: root.runner.opened !== ""

                ElidedText {
                    objectName: "sweepOpened"
                    width: parent.width - close.width - Theme.space1
                    height: parent.height
                    verticalAlignment: Text.AlignVCenter
                    elide: Text.ElideMiddle
                    text: qsTr("Opened from %1").arg(root.runner.opened)
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text2
                }
                IconButton {
                    id: close

                    objectName: "sweepClose"
                    anchors.right: parent.right
                    width: Theme.smallControl
                    height: Theme.smallControl
                    icon.name: "close"
                    hint: qsTr("Back to the sweep of the project")
                    onClicked: root.runner.closeOpened()
                }
            }
            MarkedText {
                objectName: "sweepDiffers"
                width: parent.width
                visible: root.runner.differs !== ""
                icon: "info"
                text: qsTr("Measured with another version of the project: %1").arg(root.runner.differs)
                wrapMode: Text.Wrap
                font.pixelSize: Theme.sizeSmall
                color: Theme.warning
            }
            Repeater {
                // Remarks come worst first. The report has all of them.
                model: Array.from(root.runner.remarks).slice(0, 4)

                ElidedText {
                    required property string modelData

                    width: head.width
                    text: modelData
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text2
                }
            }
            Row {
                visible: root.runner.quantities.length > 0
                topPadding: Theme.space1
                spacing: Theme.space4

                TabStrip {
                    objectName: "sweepQuantities"
                    labels: root.runner.quantities
                    current: root.runner.quantity
                    room: head.width - (figures.visible ? figures.width + Theme.space4 : 0)
                    onChosen: index => root.runner.quantity = index
                }
                ChoiceBox {
                    id: figures

                    objectName: "sweepFigure"
                    anchors.verticalCenter: parent.verticalCenter
                    width: 200
                    visible: root.runner.figures.length > 1
                    model: root.runner.figures
                    currentIndex: root.runner.figure
                    Accessible.name: qsTr("Figure to show")
                    onActivated: index => root.runner.figure = index
                }
            }
        }
        PlotPane {
            id: figure

            x: Theme.space4
            y: head.y + head.height + Theme.space2
            width: page.width - Theme.space6
            height: page.contentHeight - y - 2 * Theme.space3 - point.height
            editor: root.editor
            plot: plot
            title: root.runner.figureTitle
            explanation: root.runner.explanation

            SweepPlot {
                id: plot

                objectName: "sweepPlot"
                anchors.fill: parent
                activeFocusOnTab: true
                runner: root.runner
                style: Theme.plotStyle
                Accessible.role: Accessible.Graphic
                Accessible.name: qsTr("%1; arrow keys choose a point, Enter shows its runs").arg(root.runner.figureTitle)
                Accessible.description: Array.of(root.runner.chosenName, root.runner.chosenText).filter(word => word !== "").join(": ")
                onRunsWanted: point.takeKeys()
            }
        }
        SweepPointPane {
            id: point

            x: Theme.space4
            y: page.contentHeight - height - Theme.space3
            width: page.width - Theme.space6
            height: Math.max(160, Math.min(280, page.contentHeight * 0.32))
            runner: root.runner
        }
    }
    EmptyPage {
        x: side.width + (parent.width - side.width - width) / 2
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(400, parent.width - side.width - Theme.space6)
        visible: root.any && !page.visible
        title: root.runner.reading ? qsTr("Reading the runs…") : qsTr("Not measured yet")
        text: root.runner.reading ? ""
            : qsTr("Choose the values on the left, then press Measure. The figure grows here with every round.")
    }
    EmptyPage {
        anchors.centerIn: parent
        visible: !root.any && !page.visible
        title: qsTr("No sweep yet")
        text: qsTr("A sweep measures the project with every combination of the varied settings. To vary a field, click "
                   + "the chart icon beside its name, or press Ctrl+Shift+V in the field.")

        PushButton {
            id: beginning

            objectName: "sweepFirst"
            anchors.horizontalCenter: parent.horizontalCenter
            primary: true
            enabled: !root.editor.empty
            text: qsTr("New sweep")
            hint: qsTr("Create a sweep that varies the deployment")
            onClicked: root.design.add()
        }
    }
}
