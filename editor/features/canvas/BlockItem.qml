pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// How a block looks. What happens to it is the canvas's business.
/// Sizes are multiplied by the zoom, not transformed, so that text and corners are sharp at every zoom. While the wheel
/// turns over many blocks, they are laid out for an earlier zoom, and stretched.
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
    required property string comment
    required property bool shown
    required property int order
    required property real layoutZoom
    required property bool loaded ///< a run's numbers are shown
    required property int heat
    required property string loadPill
    required property int pillHeat
    required property string loadLine
    required property string loadHint
    required property bool bottleneck
    required property string worker
    required property string workerNames
    required property var workerColours
    required property GraphView view

    readonly property real zoom: layoutZoom
    readonly property bool hovered: shown && view.hoveredBlock === blockId
    /// Below, there is room for the name alone: parameters and the names of ports would be too small to read.
    readonly property bool detailed: zoom >= 0.75
    readonly property bool disabled: blockState === "disabled"
    readonly property bool wrong: severity === "error"
    readonly property bool measured: loaded && !disabled && !wrong
    /// Its header has the colour of its work time.
    readonly property bool hot: measured && heat >= 0
    readonly property color ink: disabled ? Theme.text3 : hot ? Theme.heatTexts[heat] : Theme.text
    readonly property int header: 40
    readonly property real rows: Math.max(inputs.length, outputs.length, 1)
    readonly property color fill: disabled || ghost ? Theme.canvas : Theme.node
    readonly property string pillText: wrong ? "!" : disabled ? qsTr("off")
                                     : blockState === "bypassed" ? qsTr("bypass")
                                     : severity === "unfinished" ? "…" : severity === "warning" ? "!" : ghost ? qsTr("unknown") : ""

    objectName: "block:" + blockId
    x: Math.round(blockX * view.zoom)
    y: Math.round(blockY * view.zoom)
    width: Math.round(blockWidth * zoom)
    height: Math.round(blockHeight * zoom)
    z: selected ? order + 1e6 : order
    scale: view.zoom / zoom
    transformOrigin: Item.TopLeft
    visible: shown
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("%1, %2").arg(blockId).arg(title)
    Accessible.description: problem

    Repeater {
        model: root.badge === "" ? 0 : 2

        Rectangle {
            required property int index

            x: (2 - index) * 4 * root.zoom
            y: (index - 2) * 4 * root.zoom
            width: root.width
            height: root.height
            radius: card.radius
            color: root.fill
            border.color: Theme.nodeBorder
        }
    }
    Rectangle {
        anchors.fill: parent
        anchors.topMargin: root.hovered ? 3 : 2
        anchors.bottomMargin: root.hovered ? -4 : -3
        radius: card.radius + 1
        color: root.disabled ? "transparent" : Theme.shadow
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: -4
        visible: root.selected
        radius: card.radius + 4
        color: "transparent"
        border.width: 2
        border.color: Theme.accent
    }
    Rectangle {
        id: card

        anchors.fill: parent
        radius: Theme.radiusNode * Math.min(1, root.zoom)
        color: root.hot && !root.detailed ? Theme.heatFills[root.heat] : root.fill
        border.width: root.wrong ? 2 : root.ghost ? 0 : 1
        border.color: root.wrong ? Theme.error : root.hovered ? Theme.text3 : Theme.nodeBorder
    }
    Rectangle {
        x: 2
        y: 2
        width: parent.width - 4
        height: header.y - 2
        radius: card.radius - 2
        visible: root.detailed && (root.wrong || root.hovered || root.hot)
        color: root.wrong ? Theme.errorBackground : root.hot ? Theme.heatFills[root.heat] : Theme.alt

        Rectangle {
            y: parent.height - height
            width: parent.width
            height: parent.radius
            color: parent.color
        }
    }
    // What few blocks have are rows of a model of one or none: a Loader cannot make bound components in Qt 6.4.
    Repeater {
        model: root.ghost && !root.wrong ? 1 : 0

        DashedFrame {
            anchors.fill: parent
            color: Theme.control
            radius: card.radius
        }
    }
    Divider {
        id: header

        x: 1
        y: Math.round((root.header - 1) * root.zoom)
        width: parent.width - 2
        visible: root.detailed
    }
    CategoryChip {
        id: chip

        x: Math.round(10 * root.zoom)
        y: Math.round(10 * root.zoom)
        width: Math.round(20 * root.zoom)
        height: width
        radius: Theme.radiusChip * root.zoom
        category: root.category
        type: root.type
        opacity: root.disabled || root.ghost ? 0.5 : 1
    }
    BlockText {
        x: Math.round(38 * root.zoom)
        y: root.detailed && root.title !== root.blockId ? Math.round(4 * root.zoom) : chip.y + (chip.height - height) / 2
        width: (pills.visible && root.detailed ? pills.x : root.width - 2) - x - 4
        text: root.blockId
        elide: Text.ElideRight
        font.pixelSize: root.detailed ? Math.max(Theme.sizeTiny, Math.round(Theme.sizeBody * root.zoom)) : Theme.sizeSmall
        font.weight: Font.DemiBold
        color: root.ink
    }
    BlockText {
        x: Math.round(38 * root.zoom)
        y: Math.round(21 * root.zoom)
        width: root.width - x - 8
        visible: root.detailed && root.title !== root.blockId
        text: root.title
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.zoom
        color: root.hot ? root.ink : Theme.text3
    }
    Row {
        id: pills

        anchors.right: parent.right
        anchors.rightMargin: Math.round(10 * root.zoom)
        y: !root.detailed ? root.height - height - 4
         : root.title !== root.blockId ? Math.round(4 * root.zoom) : chip.y + (chip.height - height) / 2
        visible: root.badge !== "" || root.pillText !== "" || (root.measured && root.loadPill !== "")
        spacing: 4

        Repeater {
            // On a stack the name needs the room; the line below says it too.
            model: root.measured && root.loadPill !== "" && root.badge === "" ? 1 : 0

            Pill {
                zoom: root.zoom
                objectName: "loadPill:" + root.blockId
                text: root.loadPill
                foreground: root.pillHeat < 0 ? Theme.text : Theme.heatTexts[root.pillHeat]
                background: root.pillHeat < 0 ? Theme.node : Theme.heatFills[root.pillHeat]
            }
        }
        Repeater {
            model: root.badge !== "" ? 1 : 0

            Pill {
                objectName: "unfold:" + root.blockId
                zoom: root.zoom
                icon: "chevron_down"
                text: root.badge
                Accessible.role: Accessible.Button
                Accessible.name: qsTr("Show the instances of %1").arg(root.blockId)
                Accessible.onPressAction: root.view.editor.unfolding.unfold(root.blockId)

                TapHandler { onTapped: root.view.editor.unfolding.unfold(root.blockId) }
            }
        }
        Repeater {
            model: root.pillText !== "" ? 1 : 0

            Pill {
                zoom: root.zoom
                text: root.pillText
                foreground: root.wrong ? Theme.chipText : root.severity === "warning" ? Theme.warning : Theme.text2
                background: root.wrong ? Theme.error : root.severity === "warning" ? Theme.warningBackground : Theme.alt
            }
        }
    }
    // Numbers as models: the items stay when the row becomes another block's.
    Repeater {
        model: root.inputs.length
        delegate: PortItem {
            port: root.inputs[index] ?? null
            view: root.view
            zoom: root.zoom
            blockId: root.blockId
            fill: root.fill
            detailed: root.detailed
            hovered: root.hovered
            output: false
        }
    }
    Repeater {
        model: root.outputs.length
        delegate: PortItem {
            x: root.width
            port: root.outputs[index] ?? null
            view: root.view
            zoom: root.zoom
            blockId: root.blockId
            fill: root.fill
            detailed: root.detailed
            hovered: root.hovered
            output: true
        }
    }
    Repeater {
        model: root.blockState === "bypassed" && root.detailed ? 1 : 0

        DashedFrame {
            x: 40 * root.zoom
            y: (root.header + 15) * root.zoom - 4
            width: root.width - 84 * root.zoom
            height: 8
            color: Theme.text3
            lineWidth: 2
        }
    }
    Column {
        x: Math.round(12 * root.zoom)
        y: Math.round((root.header + 8 + root.rows * 22) * root.zoom)
        width: root.width - 2 * x
        visible: root.detailed

        Repeater {
            model: root.detailed ? root.parameters.length : 0
            delegate: BlockParameter {
                parameter: root.parameters[index] ?? null
                zoom: root.zoom
                muted: root.disabled
            }
        }
        BlockText {
            visible: root.moreParameters > 0
            text: "+ " + root.moreParameters
            size: Theme.sizeTiny * root.zoom
            color: Theme.text3
        }
    }
    Repeater {
        // Where it is too small for numbers, few blocks have anything to show.
        model: root.measured && (root.detailed || root.bottleneck || root.hovered) ? 1 : 0

        BlockHeat {
            line: root.loadLine
            hint: root.loadHint
            bottleneck: root.bottleneck
            zoom: root.zoom
            detailed: root.detailed
            hovered: root.hovered
            stale: root.view.editor.results.heat.stale
            radius: card.radius
        }
    }
    Repeater {
        model: root.detailed && (root.probe || root.comment !== "") ? 1 : 0

        Column {
            x: 4
            y: root.height + (root.measured ? 24 : 6)
            width: root.width - 8
            spacing: 2

            Pill {
                visible: root.probe
                zoom: root.zoom
                icon: "probe"
                text: qsTr("probe")
            }
            BlockText {
                objectName: "comment:" + root.blockId
                width: parent.width
                visible: root.comment !== ""
                text: root.comment
                wrapMode: Text.Wrap
                // Two lines beside the others; all of it to the pointer.
                maximumLineCount: root.hovered || root.selected ? 8 : 2
                elide: Text.ElideRight
                size: Theme.sizeSmall * root.zoom
                color: Theme.text3
            }
        }
    }
}
