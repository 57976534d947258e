pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Shapes
import Weir

/// How a block looks. What happens to it is the canvas's business.
Item {
    id: root

    required property string blockId
    required property string type
    required property string title
    required property string category
    required property string badge
    required property string blockState
    required property bool ghost
    required property bool probe
    required property real blockX
    required property real blockY
    required property real blockWidth
    required property real blockHeight
    required property var inputs
    required property var outputs
    required property var parameters
    required property int moreParameters
    required property bool selected
    required property string severity
    required property string problem
    required property GraphView view

    readonly property bool hovered: view.hoveredBlock === blockId
    readonly property bool detailed: view.zoom >= 0.6
    readonly property bool disabled: blockState === "disabled"
    readonly property bool wrong: severity === "error"
    readonly property int header: 40
    readonly property color fill: disabled || ghost ? Theme.canvas : Theme.node
    readonly property string pillText: wrong ? "!" : blockState === "disabled" ? qsTr("off")
                                     : blockState === "bypassed" ? qsTr("bypass")
                                     : severity === "warning" ? "!" : ghost ? qsTr("unknown") : ""

    objectName: "block:" + blockId
    x: blockX
    y: blockY
    width: blockWidth
    height: blockHeight
    z: selected ? 1 : 0
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("%1, %2").arg(blockId).arg(title)
    Accessible.description: problem

    Rectangle {
        anchors.fill: parent
        anchors.topMargin: root.hovered ? 3 : 2
        anchors.bottomMargin: root.hovered ? -4 : -3
        radius: Theme.radiusNode + 1
        color: root.disabled ? "transparent" : Theme.shadow
    }
    Repeater {
        model: root.badge === "" ? 0 : 2

        Rectangle {
            required property int index

            x: (2 - index) * 4
            y: (index - 2) * 4
            width: root.width
            height: root.height
            radius: Theme.radiusNode
            color: root.fill
            border.color: Theme.nodeBorder
        }
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: -4
        visible: root.selected
        radius: 12
        color: "transparent"
        border.width: 2
        border.color: Theme.accent
    }
    Rectangle {
        anchors.fill: parent
        radius: Theme.radiusNode
        color: root.fill
        border.width: root.wrong ? 2 : root.ghost ? 0 : 1
        border.color: root.wrong ? Theme.error : root.hovered ? Theme.text3 : Theme.nodeBorder
    }
    Shape {
        anchors.fill: parent
        visible: root.ghost && !root.wrong

        ShapePath {
            strokeColor: Theme.control
            strokeWidth: 1
            strokeStyle: ShapePath.DashLine
            dashPattern: [5, 4]
            fillColor: "transparent"
            startX: 0.5
            startY: 0.5
            PathLine { x: root.width - 0.5; y: 0.5 }
            PathLine { x: root.width - 0.5; y: root.height - 0.5 }
            PathLine { x: 0.5; y: root.height - 0.5 }
            PathLine { x: 0.5; y: 0.5 }
        }
    }
    Item {
        x: 2
        y: 2
        width: parent.width - 4
        height: root.header - 3
        visible: root.wrong || root.hovered

        Rectangle {
            anchors.fill: parent
            radius: 6
            color: root.wrong ? Theme.errorBackground : Theme.alt
        }
        Rectangle {
            y: parent.height / 2
            width: parent.width
            height: parent.height / 2
            color: root.wrong ? Theme.errorBackground : Theme.alt
        }
    }
    Divider {
        x: 1
        y: root.header - 1
        width: parent.width - 2
        visible: root.detailed
    }
    CategoryChip {
        x: 10
        y: 10
        category: root.category
        opacity: root.disabled || root.ghost ? 0.5 : 1
    }
    Text {
        x: 38
        y: root.detailed && root.title !== root.blockId ? 4 : 11
        width: (pill.visible ? pill.x : root.width - 6) - x - 4
        text: root.blockId
        textFormat: Text.PlainText
        elide: Text.ElideRight
        font.family: Theme.sans
        font.pixelSize: Math.min(Theme.sizeBody / Math.min(1, root.view.zoom / 0.75), 24)
        font.weight: Font.DemiBold
        color: root.disabled ? Theme.text3 : Theme.text
    }
    Text {
        x: 38
        y: 21
        width: (pill.visible ? pill.x : root.width - 6) - x - 4
        visible: root.detailed && root.title !== root.blockId
        text: root.title
        textFormat: Text.PlainText
        elide: Text.ElideRight
        font.family: Theme.sans
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    Row {
        id: pill

        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 11
        spacing: 4
        visible: root.badge !== "" || root.pillText !== ""

        Pill {
            visible: root.badge !== ""
            text: root.badge
        }
        Pill {
            visible: root.pillText !== ""
            text: root.pillText
            foreground: root.wrong ? Theme.onChip : root.severity === "warning" ? Theme.warning : Theme.text2
            background: root.wrong ? Theme.error : root.severity === "warning" ? Theme.warningBackground : Theme.alt
        }
    }
    Repeater {
        model: root.inputs

        PortItem {
            required property var modelData

            y: modelData.y
            blockId: root.blockId
            name: modelData.name
            type: modelData.type
            connected: modelData.connected
            output: false
            ring: root.fill
            showLabel: root.detailed
            showType: root.hovered
            accepting: root.view.connecting && root.view.acceptingPorts.includes(root.blockId + "<" + name)
            dimmed: root.view.connecting && !accepting
        }
    }
    Repeater {
        model: root.outputs

        PortItem {
            required property var modelData

            x: root.width
            y: modelData.y
            blockId: root.blockId
            name: modelData.name
            type: modelData.type
            connected: modelData.connected
            output: true
            ring: root.fill
            showLabel: root.detailed
            showType: root.hovered
            accepting: root.view.connecting && root.view.acceptingPorts.includes(root.blockId + ">" + name)
            dimmed: root.view.connecting && !accepting
        }
    }
    Shape {
        anchors.fill: parent
        visible: root.blockState === "bypassed"

        ShapePath {
            strokeWidth: 2
            strokeColor: Theme.text3
            fillColor: "transparent"
            strokeStyle: ShapePath.DashLine
            dashPattern: [1, 2]
            startX: 40
            startY: root.header + 15
            PathLine { x: root.width - 44; y: root.header + 15 }
        }
    }
    Column {
        x: 12
        y: root.header + 4 + Math.max(root.inputs.length, root.outputs.length, 1) * 22 + 4
        width: root.width - 24
        visible: root.detailed

        Repeater {
            model: root.parameters

            Item {
                id: row

                required property var modelData

                width: parent?.width ?? 0
                height: 18

                Text {
                    id: key
                    width: Math.min(implicitWidth, parent.width * 0.55)
                    text: row.modelData.name
                    textFormat: Text.PlainText
                    elide: Text.ElideRight
                    font.family: Theme.sans
                    font.pixelSize: Theme.sizeTiny
                    color: Theme.text3
                }
                Text {
                    anchors.right: parent.right
                    width: parent.width - key.width - 8
                    horizontalAlignment: Text.AlignRight
                    text: row.modelData.value
                    textFormat: Text.PlainText
                    elide: Text.ElideRight
                    font.family: Theme.mono
                    font.pixelSize: Theme.sizeTiny
                    color: root.disabled ? Theme.text3 : Theme.text
                }
            }
        }
        Text {
            visible: root.moreParameters > 0
            text: "+ " + root.moreParameters
            font.family: Theme.sans
            font.pixelSize: Theme.sizeTiny
            color: Theme.text3
        }
    }
    Text {
        x: 4
        y: root.height + 6
        visible: root.probe && root.detailed
        text: "◆ " + qsTr("probe")
        font.family: Theme.sans
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
}
