pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Chosen point: its number, the runs behind it, and its actions.
Rectangle {
    id: root

    required property SweepRunner runner

    function takeKeys() {
        runs.forceActiveFocus(Qt.TabFocusReason)
    }

    objectName: "sweepPoint"
    color: Theme.pane
    border.color: Theme.line
    radius: Theme.radiusNode

    Item {
        id: head

        x: Theme.space4
        y: Theme.space2
        width: parent.width - 2 * x
        height: Math.max(words.height, buttons.height)

        Column {
            id: words

            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - buttons.width - Theme.space3
            spacing: Theme.space0

            ElidedText {
                objectName: "sweepPointName"
                width: parent.width
                text: root.runner.chosen < 0 ? qsTr("No point is chosen") : root.runner.chosenName
                font.weight: Font.DemiBold
            }
            NoteText {
                objectName: "sweepPointText"
                width: parent.width
                visible: text !== ""
                text: root.runner.chosenText
            }
        }
        Row {
            id: buttons

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            spacing: Theme.space2

            SmallButton {
                objectName: "sweepBest"
                text: qsTr("Best point")
                hint: qsTr("Choose the best point of the figure")
                onClicked: root.runner.chooseBest()
            }
            SmallButton {
                objectName: "sweepUse"
                framed: true
                enabled: root.runner.canUse
                text: qsTr("Use these settings")
                hint: qsTr("Copy the point's values to the project and its settings to a deployment, as one undo step")
                onClicked: root.runner.use()
            }
        }
    }
    Divider {
        id: edge

        x: 1
        y: head.y + head.height + Theme.space2
        width: parent.width - Theme.space0
    }
    ScrollList {
        id: runs

        objectName: "sweepRuns"
        y: edge.y + Theme.stroke
        width: parent.width
        height: parent.height - y - Theme.space1
        model: root.runner.runs
        activeFocusOnTab: count > 0
        keyNavigationEnabled: true
        currentIndex: -1
        Accessible.name: qsTr("Runs of %1").arg(root.runner.chosenName)
        Keys.onReturnPressed: root.runner.open(currentIndex)
        Keys.onEnterPressed: root.runner.open(currentIndex)

        delegate: Rectangle {
            id: row

            required property int index
            required property string round
            required property string value
            required property string status
            required property string remark

            objectName: "sweepRun:" + index
            width: ListView.view.width
            height: Theme.row
            color: hover.hovered ? Theme.alt : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: Array.of(round, value, Theme.statusName(status), remark).filter(word => word !== "").join(", ")
            Accessible.onPressAction: root.runner.open(index)

            Row {
                x: Theme.space4
                height: parent.height
                spacing: Theme.space3

                StatusMark {
                    anchors.verticalCenter: parent.verticalCenter
                    status: row.status
                    warned: row.remark !== ""
                }
                SmallText {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 72
                    text: row.round
                }
                PlainText {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 120
                    horizontalAlignment: Text.AlignRight
                    text: row.value
                    font.pixelSize: Theme.sizeSmall
                    font.weight: Font.DemiBold
                }
                ElidedText {
                    anchors.verticalCenter: parent.verticalCenter
                    width: row.width - x - 2 * Theme.space4
                    text: row.remark
                    font.pixelSize: Theme.sizeTiny
                    color: Theme.text3
                }
            }
            Hint {
                shown: hover.hovered
                text: qsTr("Open the run in Results")
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.runner.open(row.index) }
        }
    }
    PlainText {
        anchors.horizontalCenter: parent.horizontalCenter
        y: runs.y + (runs.height - height) / 2
        width: Math.min(implicitWidth, parent.width - 2 * Theme.space4)
        visible: root.runner.chosen < 0
        horizontalAlignment: Text.AlignHCenter
        wrapMode: Text.Wrap
        text: qsTr("Click a point of the figure, or choose one with the arrow keys, to see its runs.")
        color: Theme.text3
    }
}
