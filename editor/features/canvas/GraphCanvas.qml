pragma ComponentBehavior: Bound

import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor
    readonly property HeatMap heat: editor.results.heat
    /// Colours of blocks where they are too small for more, and in the map: block -> colour.
    readonly property var blockColors: heat.enabled ? Theme.heatOfBlocks(heat.steps)
                                     : coloursByWorker ? Theme.workersOfBlocks(workerColours) : ({})
    /// What wires show beside their type: "src.out->dst.in" -> {color, width}.
    readonly property var wireLoads: heat.wires
    readonly property var wireMarks: heat.enabled ? Theme.heatOfWires(wireLoads) : ({})

    readonly property alias view: graphView
    // The hues of lanes and types overlap: wires are grey while blocks have the colours of their workers.
    readonly property bool coloursByWorker: Object.keys(workerColours).length > 0
    readonly property var workerColours: editor.tuner.previewing ? editor.tuner.blockColours : editor.mapping.blockColours

    color: Theme.canvas

    GraphView {
        id: graphView

        objectName: "canvas"
        anchors.fill: parent
        tools: root.editor.tools
        motion: Theme.motion
        covered: legend.visible ? legend.restingHeight + Theme.space3 : 0
        focus: true
        Accessible.role: Accessible.Canvas
        Accessible.name: qsTr("Flowgraph: %1").arg(root.editor.summary)

        GraphReader {
            objectName: "graphReader"
            anchors.fill: parent
            view: graphView
            Accessible.role: Accessible.List
        }
        WireLayer {
            objectName: "wires"
            anchors.fill: parent
            view: graphView
            colors: Theme.canvasColors
            typeColors: root.coloursByWorker ? ({}) : Theme.typeColors
            categoryColors: Theme.categoryColors
            decorColors: Theme.decorColors
            wireMarks: root.wireMarks
            blockColors: root.blockColors
            running: root.editor.runner.measuring
            family: Theme.sans
        }
        // Below the blocks, whose pills lie on their edges.
        DashedFrame {
            readonly property rect at: graphView.focusFrame

            x: at.x - 7
            y: at.y - 7
            width: at.width + 14
            height: at.height + 14
            visible: graphView.activeFocus && at.width > 0
            color: Theme.accent
            lineWidth: Theme.strokeStrong
            radius: Theme.radiusNode + Theme.mark
        }
        Item {
            x: Math.round(graphView.offsetX)
            y: Math.round(graphView.offsetY)

            Repeater {
                model: root.editor.blocks
                delegate: BlockItem {
                    id: blockItem

                    view: graphView
                    editor: root.editor

                    Repeater {
                        model: blockItem.workerColours.length > 0 ? 1 : 0

                        LaneMark {
                            width: blockItem.width
                            block: blockItem.blockId
                            worker: blockItem.worker
                            names: blockItem.workerNames
                            colours: blockItem.workerColours
                            main: blockItem.workerColours[root.editor.tuner.previewing ? blockItem.workerColours.length - 1 : 0] ?? 0
                            zoom: blockItem.letters
                            detailed: true
                        }
                    }
                }
            }
        }
        DropMark {
            anchors.fill: parent
            view: graphView
            color: Theme.accent
        }
        Repeater {
            model: root.editor.decor.parts
            delegate: DecorName { view: graphView }
        }
        Rectangle {
            x: graphView.selectionBox.x
            y: graphView.selectionBox.y
            width: graphView.selectionBox.width
            height: graphView.selectionBox.height
            visible: width > 0 || height > 0
            color: Qt.alpha(Theme.accent, 0.1)
            border.color: Theme.accent
        }
        DecorBar {
            editor: root.editor
            view: graphView
        }
        DecorEditor {
            editor: root.editor
            view: graphView
        }
        ZoomBar {
            id: zoomBar

            anchors.right: parent.right
            anchors.bottom: parent.bottom
            anchors.margins: Theme.space3
            visible: !root.editor.empty
            actions: root.editor.actions
            view: graphView
        }
        MapPane {
            anchors.right: parent.right
            anchors.bottom: zoomBar.top
            anchors.rightMargin: Theme.space3
            anchors.bottomMargin: Theme.space2
            visible: exceeding && !hiding && root.editor.decor.minimap
            view: graphView
            blockColors: root.blockColors
        }
        Pill {
            x: graphView.pointer.x + Theme.space4
            y: graphView.pointer.y + Theme.space4
            implicitHeight: Theme.pill
            visible: graphView.connecting && graphView.connectionHint !== ""
            text: graphView.connectionHint
            foreground: Theme.error
            background: Theme.errorBackground
        }
        Pill {
            objectName: "announcement"
            anchors.horizontalCenter: parent.horizontalCenter
            anchors.bottom: parent.bottom
            anchors.bottomMargin: Theme.space4
            implicitHeight: Theme.tableRow
            visible: graphView.announcement !== ""
            text: graphView.announcement
            foreground: Theme.text
            background: Theme.alt
            border.color: Theme.accent
        }
        Pill {
            x: 16
            y: 16
            implicitHeight: Theme.pill
            visible: root.editor.pipesBadge !== ""
            text: root.editor.pipesBadge
            foreground: Theme.text
            background: Theme.alt
            border.color: Theme.line
        }
        Repeater {
            model: [...new Set([graphView.hoveredWireKey, root.editor.wire.key])]

            WireChip {
                required property string modelData

                objectName: "wireChip:" + modelData
                view: graphView
                wires: root.editor.wire
                key: modelData
            }
        }
        HoverHandler { id: pointer }
        Pill {
            objectName: "wireLoad"
            x: Math.min(pointer.point.position.x + Theme.space4, graphView.width - width - Theme.space2)
            y: Math.max(Theme.space2, pointer.point.position.y - height - Theme.space3) // what flows stands below the wire
            implicitHeight: Theme.pill
            visible: root.heat.enabled && text !== ""
            text: root.wireLoads[graphView.hoveredWireKey]?.text ?? ""
            foreground: Theme.text
            background: Theme.pane
            border.color: Theme.control
        }
        HeatLegend {
            id: legend

            room: graphView.height
            anchors.left: parent.left
            anchors.bottom: parent.bottom
            anchors.margins: Theme.space3
            editor: root.editor
        }
        RunStrip {
            width: parent.width
            runner: root.editor.runner
        }
        FocusRing {
            objectName: "canvasRing"
            anchors.margins: Theme.stroke
            shown: graphView.activeFocus && graphView.usesKeys && graphView.focusFrame.width === 0
        }
        Pill {
            objectName: "tabWords"
            anchors.right: parent.right // streams go to the right: the first block is in the other corner
            anchors.top: parent.top
            anchors.margins: Theme.space3
            visible: graphView.activeFocus && text !== ""
            text: graphView.tabWords
        }
        WorkerLegend {
            anchors.left: parent.left
            anchors.bottom: parent.bottom
            anchors.margins: Theme.space3
            visible: root.coloursByWorker && !root.editor.tuner.previewing
            mapping: root.editor.mapping
            room: graphView.width - 24
        }
    }
    TuneLegend {
        anchors.left: parent.left
        anchors.bottom: parent.bottom
        anchors.margins: Theme.space3
        tuner: root.editor.tuner
    }
    UnfoldedStack {
        unfolding: root.editor.tools.unfolding
        view: graphView
    }
    InsertPopup {
        id: insertPopup
        inserter: root.editor.tools.inserter
        palette: root.editor.palette
        view: graphView
        onClosed: graphView.forceActiveFocus(Qt.PopupFocusReason)
        onHelpWanted: root.editor.actions.trigger("help.keys")
    }
    RepeatPopup {
        id: repeatPopup
        graph: root.editor.tools.graph
        onClosed: graphView.forceActiveFocus(Qt.PopupFocusReason)
    }
    CanvasMenu {
        id: menu
        editor: root.editor
    }
    FindBar {
        id: findBar
        anchors.top: parent.top
        anchors.right: parent.right
        anchors.margins: Theme.space3
        finder: root.editor.tools.finder
        onClosed: graphView.forceActiveFocus(Qt.OtherFocusReason)
    }
    Connections {
        target: root.editor.tools.inserter
        function onAsked(place) { insertPopup.openAt(graphView.viewAt(place)) }
    }
    Connections {
        target: root.editor.tools.graph
        function onRepeatRequested() {
            const rect = root.editor.tools.graph.selectionRect()
            repeatPopup.openAt(graphView.viewAt(Qt.point(rect.x, rect.y + rect.height)))
        }
    }
    Connections {
        target: root.editor.tools.finder
        function onRequested() { findBar.show() }
    }
    Connections {
        target: graphView
        function onMenuRequested(position) {
            menu.openAt(position, root.editor.selectedBlocks, root.editor.selectedWires, root.editor.decor.chosenKind)
            if (graphView.usesKeys)
                menu.begin()
        }
    }
    EmptyCanvas {
        anchors.fill: parent
        editor: root.editor
        canvas: graphView
    }
}
