pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Report on each part of a flowgraph that was imported or exported.
FocusScope {
    id: root

    required property ExchangeReport report

    signal blockChosen(block: string)

    PlainText {
        id: title
        x: Theme.space4
        height: head.height
        verticalAlignment: Text.AlignVCenter
        text: root.report.title
        font.weight: Font.DemiBold
    }
    SmallText {
        objectName: "reportCounts"
        anchors.left: title.right
        anchors.leftMargin: Theme.space4
        anchors.right: head.left
        height: head.height
        verticalAlignment: Text.AlignVCenter
        text: root.report.counts
        elide: Text.ElideRight
    }
    SmallButton {
        id: head
        objectName: "reportClose"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        text: qsTr("Close the report")
        onClicked: root.report.close()
    }
    ScrollList {
        objectName: "report"
        width: parent.width
        anchors.top: head.bottom
        anchors.bottom: parent.bottom
        model: root.report.lines
        focus: true
        activeFocusOnTab: true
        ringed: false // each row draws its own ring, below the heading
        Keys.onReturnPressed: (currentItem as ReportRow)?.choose()
        Keys.onEnterPressed: (currentItem as ReportRow)?.choose()
        Keys.onSpacePressed: (currentItem as ReportRow)?.choose()
        Accessible.name: root.report.title
        delegate: ReportRow {
            width: ListView.view.width
            onChosen: root.blockChosen(block)
        }
    }
}
