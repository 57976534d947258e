pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Drawing of a block; the canvas handles its events.
/// Sizes are multiplied by the zoom, not transformed, to keep text and corners sharp. While the wheel turns over many
/// blocks, their layout for an earlier zoom is stretched.
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
    required property string comment
    required property bool shown
    required property int order
    required property real layoutZoom
    required property var model ///< with the roles of overlays
    required property var overlays
    required property GraphView view
    required property Editor editor

    readonly property real zoom: layoutZoom
    /// Letters grow with the zoom but do not shrink with it. Rows without room are left out, from the last.
    readonly property real letters: Math.max(1, zoom)
    /// True if pills do not fit beside the name: they sit on the upper edge.
    readonly property bool compact: zoom < 0.85 || (pills.visible && pills.width + 8 > title.spare)
    readonly property bool hovered: shown && view.hoveredBlock === blockId
    readonly property bool disabled: blockState === "disabled"
    readonly property bool bypassed: blockState === "bypassed"
    readonly property bool faded: disabled || ghost
    readonly property bool wrong: severity === "error"
    readonly property bool doubtful: severity === "warning"
    /// True if the block is part of the program that runs now.
    readonly property bool live: editor.runner.measuring && !faded && !wrong
    /// Marks of the overlays on the block.
    readonly property var said: overlays.map(overlay => model[overlay.role]).filter(said => said !== undefined)
    /// True if numbers are shown below it.
    readonly property bool measured: !disabled && !wrong && said.some(said => said.facts !== undefined)
    readonly property var saidPill: measured ? said.find(said => (said.pill ?? "") !== "") ?? null : null
    readonly property int heat: said.find(said => said.heat >= 0)?.heat ?? -1
    readonly property bool hot: measured && heat >= 0
    readonly property alias radius: card.radius
    readonly property color ink: wrong ? Theme.chipText : disabled ? Theme.text3 : hot ? Theme.heatTexts[heat] : Theme.text
    readonly property real rows: Math.max(inputs.length, outputs.length, 1)
    readonly property color fill: faded ? Theme.canvas : Theme.node
    readonly property string pillText: wrong ? qsTr("error") : disabled ? qsTr("off") : bypassed ? qsTr("bypass")
                                     : doubtful ? qsTr("warning") : severity === "unfinished" ? qsTr("unfinished") : ghost ? qsTr("unknown") : ""
    /// Colour of the pill, which is filled if the state changes the program.
    readonly property color stateColor: wrong ? Theme.error : disabled ? Theme.text3 : bypassed ? Theme.text2
                                      : doubtful ? Theme.warning : Theme.control
    readonly property bool strong: disabled || bypassed || doubtful
    readonly property int rowsTop: Math.max(Math.round((Theme.portsTop + Theme.space0 + rows * Theme.portPitch) * zoom), card.headerHeight + 2)
    readonly property int rowHeight: Math.max(13, Math.round(Theme.rowPitch * zoom))
    /// Number of parameter rows that fit.
    readonly property int rowsThatFit: Math.max(0, Math.floor((height - 1 - rowsTop) / rowHeight))

    objectName: "block:" + blockId
    x: Math.round(blockX * view.zoom)
    y: Math.round(blockY * view.zoom)
    width: Math.round(blockWidth * zoom)
    height: Math.round(blockHeight * zoom)
    z: order + (hovered ? 2e6 : selected ? 1e6 : 0)
    scale: view.zoom / zoom
    transformOrigin: Item.TopLeft
    opacity: view.landingBlock === blockId ? 0.5 : 1
    visible: shown

    BlockCard {
        id: card

        anchors.fill: parent
        zoom: root.zoom
        headerHeight: title.height
        fill: root.fill
        header: root.wrong ? Theme.error : root.hot ? Theme.heatFills[root.heat] : root.faded ? Theme.alt
              : Theme.categoryTint(root.category, root.hovered)
        edge: root.wrong ? Theme.error : root.doubtful ? Theme.warning : root.live ? Theme.ok
            : root.hovered ? Theme.text2 : Theme.nodeBorder
        edgeWidth: root.faded && !root.wrong ? 0 : root.wrong || root.doubtful || root.live || root.hovered ? 2 : 1
        raised: !root.faded
        lifted: root.hovered
        selected: root.selected
        stacked: root.badge !== ""
    }
    // Rare parts are rows of a model with one row or none: in Qt 6.4, a Loader cannot make bound components.
    Repeater {
        model: root.faded && !root.wrong ? 1 : 0

        DashedFrame {
            anchors.fill: parent
            color: Theme.control
            radius: card.radius
        }
    }
    BlockTitle {
        id: title

        width: parent.width
        height: implicitHeight
        blockId: root.blockId
        title: root.title
        type: root.type
        category: root.category
        ink: root.ink
        faint: root.wrong || root.hot ? root.ink : Theme.text3
        muted: root.faded
        struck: root.disabled
        zoom: root.zoom
        letters: root.letters
        taken: pills.visible && !root.compact ? pills.width + 8 : 0
    }
    Row {
        id: pills

        function widthOf(pill: Repeater): real {
            return pill.count > 0 ? (pill.itemAt(0) as Pill).width + spacing : 0
        }

        /// Room left beside the other pills, up to the width of the block and the copies behind it.
        readonly property real room: root.width + (root.badge === "" ? 0 : Theme.space2 * root.zoom)
                                     - widthOf(badgePills) - widthOf(livePills) - widthOf(statePills)

        x: root.compact ? Math.max(0, Math.min(Theme.space2, root.width - width)) : root.width - width - Math.round(8 * root.zoom)
        y: root.compact ? 1 - height : Math.round((title.height - height) / 2)
        visible: root.badge !== "" || root.pillText !== "" || root.live || root.saidPill !== null
        spacing: Theme.space1

        Repeater {
            model: root.saidPill ? 1 : 0

            Pill {
                id: loadPill

                objectName: "loadPill:" + root.blockId
                zoom: root.letters
                text: Math.ceil(wholeMetrics.advanceWidth(root.saidPill?.pill ?? "")) + Theme.space3 * zoom <= pills.room
                      ? root.saidPill?.pill ?? "" : root.saidPill?.brief ?? ""
                background: Theme.node

                FontMetrics {
                    id: wholeMetrics
                    font: loadPill.font
                }
            }
        }
        Repeater {
            id: badgePills

            model: root.badge !== "" ? 1 : 0

            Pill {
                objectName: "unfold:" + root.blockId
                zoom: root.letters
                icon: "chevron_down"
                text: root.badge
                border.color: Theme.nodeBorder
                Accessible.role: Accessible.Button
                Accessible.name: qsTr("Show the instances of %1").arg(root.blockId)
                Accessible.onPressAction: root.editor.tools.unfolding.unfold(root.blockId)

                TapHandler { onTapped: root.editor.tools.unfolding.unfold(root.blockId) }
            }
        }
        Repeater {
            id: livePills

            model: root.live ? 1 : 0

            Pill {
                objectName: "live:" + root.blockId
                zoom: root.letters
                icon: "run"
                foreground: Theme.chipText
                background: Theme.ok
            }
        }
        Repeater {
            id: statePills

            model: root.pillText !== "" ? 1 : 0

            Pill {
                objectName: "state:" + root.blockId
                zoom: root.letters
                text: root.pillText
                foreground: root.wrong ? Theme.error : root.strong ? Theme.chipText : Theme.text
                background: root.wrong ? Theme.errorBackground : root.strong ? root.stateColor : Theme.node
                border.color: root.stateColor
            }
        }
    }
    // The type, beside the only ports if the name takes both lines of the header: many imported names are alike.
    BlockText {
        id: kind

        readonly property real portY: ((root.inputs[0] ?? root.outputs[0])?.y ?? 0) * root.zoom

        objectName: "kind:" + root.blockId
        x: root.inputs.length === 0 ? Math.round(Theme.rowSide * root.zoom) : root.width - width - Math.round(Theme.rowSide * root.zoom)
        y: Math.round(portY - height / 2)
        visible: !title.typed && root.title !== root.blockId && root.inputs.length * root.outputs.length === 0
                 && portY >= card.headerHeight + 5 && implicitWidth + 60 * root.letters < root.width
        text: root.title
        size: Theme.sizeTiny * root.letters
        color: Theme.text3
    }
    // Models of numbers keep the items when the row changes to another block.
    Repeater {
        model: root.inputs.length + root.outputs.length
        delegate: PortItem {
            x: output ? root.width : 0
            port: (output ? root.outputs[index - root.inputs.length] : root.inputs[index]) ?? null
            view: root.view
            zoom: root.zoom
            letters: root.letters
            blockId: root.blockId
            fill: root.fill
            labelled: !root.bypassed && y >= card.headerHeight + 5
            room: root.width / (root.inputs.length > 0 && root.outputs.length > 0 ? 2 : 1) - 18
            hovered: root.hovered
            output: index >= root.inputs.length
        }
    }
    Repeater {
        model: root.bypassed && root.inputs.length > 0 && root.outputs.length > 0 ? 1 : 0

        // A bypassed block passes its input on unchanged.
        DashedFrame {
            x: 10
            y: Math.round(root.inputs[0].y * root.zoom) - Theme.space1
            width: root.width - 20
            height: Theme.space2
            color: Theme.typeColor(root.inputs[0].type)
            lineWidth: Theme.strokeStrong
        }
    }
    Column {
        x: Math.round(Theme.rowSide * root.zoom)
        y: root.rowsTop
        width: root.width - 2 * x

        Repeater {
            model: Math.min(root.parameters.length, root.rowsThatFit)
            delegate: BlockParameter {
                objectName: "row:" + root.blockId + "." + (parameter?.name ?? "")
                height: root.rowHeight
                parameter: root.parameters[index] ?? null
                letters: root.letters
                muted: root.faded || root.bypassed
            }
        }
        BlockText {
            visible: root.moreParameters > 0 && root.rowsThatFit > root.parameters.length
            text: qsTr("%n more", "", root.moreParameters)
            size: Theme.sizeTiny * root.letters
            color: Theme.text3
        }
    }
    Repeater {
        model: root.overlays

        Repeater {
            required property var modelData

            model: root.model[modelData.role] !== undefined ? 1 : 0
            delegate: modelData.block
        }
    }
    Repeater {
        model: root.probe || root.comment !== "" ? 1 : 0

        Column {
            x: Theme.space1
            y: root.height + (root.measured ? 22 * root.letters : Theme.space1)
            width: root.width - 2 * x

            Pill {
                objectName: "probe:" + root.blockId
                visible: root.probe
                zoom: root.letters
                icon: "probe"
                text: qsTr("probe")
            }
            BlockComment {
                width: open ? Math.max(parent.width, 200) : parent.width
                visible: root.comment !== "" && (open || lines > 0)
                blockId: root.blockId
                comment: root.comment
                letters: root.letters
                // Small zooms keep letters large: beside numbers of a run there is no room for the comment.
                lines: root.zoom >= 0.85 ? 2 : root.measured ? 0 : 1
                open: root.hovered && !root.measured
            }
        }
    }
}
