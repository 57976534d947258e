pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Ports with their item types, their rates, and their connections.
Column {
    id: root

    required property Inspector inspector

    spacing: Theme.space3

    SmallText {
        width: root.width
        visible: ports.count === 0
        text: qsTr("This block has no ports.")
        color: Theme.text3
    }
    Repeater {
        id: ports

        model: root.inspector.ports

        Item {
            id: port

            required property string name
            required property bool output
            required property string itemType
            required property var allowedTypes
            required property string rate
            required property var peers

            objectName: "port:" + name
            width: root.width
            height: facts.height

            // Drawn as on the canvas: filled if it is connected.
            PortMark {
                objectName: "portMark:" + port.name
                y: 3
                width: 14
                height: 14
                type: port.itemType
                ring: 1
                color: Theme.typeColor(port.itemType)
                fill: Theme.pane
                connected: port.peers.length > 0
            }
            Column {
                id: facts

                x: 24
                width: parent.width - x
                spacing: Theme.space0

                Item {
                    width: parent.width
                    height: Theme.iconLarge

                    PlainText {
                        width: 120
                        text: port.name
                        elide: Text.ElideRight
                        font.weight: Font.DemiBold
                    }
                    SmallText {
                        anchors.right: parent.right
                        text: port.output ? qsTr("output") : qsTr("input")
                        color: Theme.text3
                    }
                }
                NoteText {
                    width: parent.width
                    text: port.itemType !== ""
                          ? qsTr("%1 · %2 per firing").arg(port.itemType).arg(port.rate)
                          : qsTr("%1 (not decided yet) · %2 per firing").arg(port.allowedTypes.join(", "))
                            .arg(port.rate)
                    font.family: Theme.mono
                }
                SmallText {
                    visible: port.peers.length === 0
                    text: qsTr("not connected")
                    color: Theme.text3
                }
                Repeater {
                    model: port.peers

                    LinkText {
                        required property string modelData

                        readonly property string block: modelData.slice(0, modelData.lastIndexOf("."))

                        objectName: "peer:" + block
                        width: Math.min(implicitWidth, facts.width)
                        height: 20
                        icon: port.output ? "arrow_right" : "arrow_left"
                        text: modelData
                        onActivated: root.inspector.goToBlock(block)
                    }
                }
            }
        }
    }
}
