pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Legend of one colour on the canvas: its name, its steps, and an explanation on hover.
Item {
    id: root

    required property string name
    required property string explanation
    /// True if the steps are those of wires instead of blocks.
    property bool lines: false

    implicitWidth: row.implicitWidth
    implicitHeight: row.implicitHeight
    Accessible.role: Accessible.StaticText
    Accessible.name: name + ": " + explanation

    Row {
        id: row

        spacing: Theme.space2

        TinyText {
            anchors.verticalCenter: parent.verticalCenter
            width: Math.max(implicitWidth, 144)
            text: root.name
            color: Theme.text2
        }
        Row {
            anchors.verticalCenter: parent.verticalCenter
            spacing: root.lines ? Theme.space2 : 0

            TinyText {
                anchors.verticalCenter: parent.verticalCenter
                visible: root.lines
                text: "0"
                color: Theme.text2
            }
            Repeater {
                model: 5

                Rectangle {
                    id: step

                    required property int index

                    anchors.verticalCenter: parent?.verticalCenter
                    width: root.lines ? 28 : 36
                    height: root.lines ? 8 + step.index : 18
                    radius: root.lines ? Theme.stroke : 0
                    color: root.lines ? Theme.fillBands[step.index] : Theme.heatFills[step.index]

                    Rectangle {
                        anchors.verticalCenter: parent.verticalCenter
                        width: parent.width
                        height: Theme.strokeStrong
                        visible: root.lines
                        color: Theme.text2
                    }
                    TinyText {
                        anchors.centerIn: parent
                        visible: !root.lines
                        text: qsTr("≤ %1").arg((step.index + 1) * 20)
                        color: Theme.heatTexts[step.index]
                    }
                }
            }
            TinyText {
                anchors.verticalCenter: parent.verticalCenter
                visible: root.lines
                text: "100 %"
                color: Theme.text2
            }
        }
    }
    HoverHandler { id: hover }
    Hint {
        shown: hover.hovered
        text: root.explanation
    }
}
