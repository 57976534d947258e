pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Table of the requested, planned and granted values.
Rectangle {
    id: root

    required property MappingController mapping
    required property bool stale
    property bool open: true

    readonly property real column: Math.max(90, (width - 470) / 3)

    readonly property int rowHeight: 26

    // Whole rows, a few at a time.
    implicitHeight: open ? table.y + Math.min(Math.max(table.count, 1), 5) * rowHeight + Theme.space1 : 32
    color: Theme.pane

    Divider { width: parent.width }
    PushButton {
        id: button

        x: 4
        y: 4
        implicitHeight: Theme.smallControl
        flat: true
        objectName: "valuesButton"
        icon.name: root.open ? "chevron_down" : "chevron_right"
        text: qsTr("Requested, planned, granted")
        onClicked: root.open = !root.open
    }
    Pill {
        x: button.x + button.width + Theme.space2
        y: 7
        visible: root.mapping.differences > 0
        text: qsTr("%1 differ").arg(root.mapping.differences)
        foreground: Theme.warning
        background: Theme.warningBackground
    }
    TableHeader {
        y: 30
        width: parent.width
        visible: root.open
        columns: [
            { caption: qsTr("Part"), x: 16, width: 190 },
            { caption: qsTr("Setting"), x: 216, width: 90 },
            { caption: qsTr("Requested"), x: 316, width: root.column, right: true },
            { caption: qsTr("Planned"), x: 316 + root.column, width: root.column, right: true },
            { caption: root.stale ? qsTr("Granted before") : qsTr("Granted"), x: 316 + 2 * root.column, width: root.column, right: true },
            { caption: qsTr("Difference"), x: 336 + 3 * root.column, width: 120 }
        ]
    }
    ScrollList {
        id: table

        objectName: "values"
        y: 54
        width: parent.width
        height: parent.height - y - Theme.space1
        visible: root.open
        model: root.mapping.values
        activeFocusOnTab: true
        Accessible.role: Accessible.Table
        Accessible.name: qsTr("Requested, planned and granted values")

        delegate: Item {
            id: value

            required property string subject
            required property string what
            required property string requested
            required property string planned
            required property string granted
            required property string verdict
            required property bool wrong

            width: table.width
            height: root.rowHeight

            Rectangle {
                anchors.fill: parent
                visible: value.ListView.isCurrentItem && table.activeFocus
                color: Theme.selectedRow
            }
            Accessible.role: Accessible.Row
            Accessible.name: qsTr("%1 %2: requested %3, planned %4, granted %5 %6")
                .arg(subject).arg(what).arg(requested).arg(planned).arg(granted || qsTr("not known")).arg(verdict)

            TableCell { x: 16; width: 190; number: false; font.family: Theme.mono; text: value.subject }
            TableCell { x: 216; y: 4; width: 90; number: false; color: Theme.text2; text: value.what }
            TableCell { x: 316; width: root.column; text: value.requested; color: Theme.text2 }
            TableCell { x: 316 + root.column; width: root.column; text: value.planned }
            TableCell {
                x: 316 + 2 * root.column
                width: root.column
                text: value.granted || "–"
                color: value.granted ? Theme.text : Theme.text3
            }
            Pill {
                x: 336 + 3 * root.column
                y: 4
                visible: value.verdict !== ""
                text: value.verdict
                foreground: value.wrong ? Theme.error : Theme.warning
                background: value.wrong ? Theme.errorBackground : Theme.warningBackground
            }
        }
    }
    Item {
        anchors.fill: table

        FocusRing {
            objectName: "valuesRing"
            anchors.margins: Theme.stroke
            shown: table.activeFocus
        }
    }
}
