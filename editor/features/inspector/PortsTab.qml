pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Each port with its item type, its rate, and where it leads.
Column {
    id: root

    required property Inspector inspector

    spacing: 12

    PlainText {
        width: root.width
        visible: root.inspector.ports.length === 0
        text: qsTr("This block has no ports.")
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    Repeater {
        model: root.inspector.ports

        Item {
            id: port

            required property var modelData

            objectName: "port:" + modelData.name
            width: root.width
            height: facts.height

            // As the canvas draws it: filled where it is joined.
            PortMark {
                objectName: "portMark:" + port.modelData.name
                y: 3
                width: 14
                height: 14
                type: port.modelData.itemType
                ring: 1
                color: Theme.typeColor(port.modelData.itemType)
                fill: Theme.pane
                connected: port.modelData.peers.length > 0
            }
            Column {
                id: facts

                x: 24
                width: parent.width - x
                spacing: 2

                Item {
                    width: parent.width
                    height: 20

                    PlainText {
                        width: 120
                        text: port.modelData.name
                        elide: Text.ElideRight
                        font.weight: Font.DemiBold
                    }
                    PlainText {
                        anchors.right: parent.right
                        text: port.modelData.output ? qsTr("output") : qsTr("input")
                        font.pixelSize: Theme.sizeSmall
                        color: Theme.text3
                    }
                }
                PlainText {
                    width: parent.width
                    text: port.modelData.itemType !== ""
                          ? qsTr("%1 · %2 a firing").arg(port.modelData.itemType).arg(port.modelData.rate)
                          : qsTr("%1 (nothing decides yet) · %2 a firing").arg(port.modelData.allowedTypes.join(", "))
                            .arg(port.modelData.rate)
                    wrapMode: Text.Wrap
                    font.family: Theme.mono
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text2
                }
                PlainText {
                    visible: port.modelData.peers.length === 0
                    text: qsTr("not connected")
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text3
                }
                Repeater {
                    model: port.modelData.peers

                    LinkText {
                        required property var modelData

                        objectName: "peer:" + modelData.block
                        width: Math.min(implicitWidth, facts.width)
                        height: 20
                        icon: port.modelData.output ? "arrow_right" : "arrow_left"
                        text: modelData.block + "." + modelData.port
                        onActivated: root.inspector.goToBlock(modelData.block)
                    }
                }
            }
        }
    }
}
