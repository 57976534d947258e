pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// What the colours on the canvas mean, and which run they are of.
Rectangle {
    id: root

    required property Editor editor

    readonly property HeatMap heat: editor.results.heat

    objectName: "heatLegend"
    width: words.implicitWidth + 24
    height: words.implicitHeight + 16
    visible: heat.enabled
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.line
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("Legend: colour of a block is its share of the work time, of a wire how full its buffer is")

    Column {
        id: words

        x: 12
        y: 8
        spacing: 5

        Row {
            spacing: 8

            PlainText {
                text: root.heat.run
                font.pixelSize: Theme.sizeSmall
                font.weight: Font.DemiBold
            }
            Pill {
                objectName: "heatStale"
                visible: root.heat.stale
                text: qsTr("from earlier version")
                foreground: Theme.warning
                background: Theme.warningBackground
            }
        }
        Row {
            spacing: 8

            PlainText {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Work time, of the hottest")
                font.pixelSize: Theme.sizeTiny
                color: Theme.text2
            }
            Row {
                anchors.verticalCenter: parent.verticalCenter

                Repeater {
                    model: 5

                    Rectangle {
                        id: step

                        required property int index

                        width: 36
                        height: 18
                        color: Theme.heatFills[index]

                        PlainText {
                            anchors.centerIn: parent
                            text: (step.index + 1) * 20 + (step.index === 4 ? " %" : "")
                            font.pixelSize: Theme.sizeTiny
                            color: Theme.heatTexts[step.index]
                        }
                    }
                }
            }
        }
        Row {
            spacing: 8

            PlainText {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Buffer, mean fill")
                font.pixelSize: Theme.sizeTiny
                color: Theme.text2
            }
            Repeater {
                model: 5

                Rectangle {
                    id: wire

                    required property int index

                    anchors.verticalCenter: parent?.verticalCenter
                    width: 24
                    height: 2 + wire.index
                    radius: height / 2
                    color: Theme.heatLines[wire.index]
                }
            }
            PlainText {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("0 to 100 %")
                font.pixelSize: Theme.sizeTiny
                color: Theme.text3
            }
        }
        PlainText {
            visible: text !== ""
            text: root.heat.remark
            font.pixelSize: Theme.sizeTiny
            color: Theme.warning
        }
    }
}
