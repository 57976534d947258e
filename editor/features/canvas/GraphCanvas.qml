pragma ComponentBehavior: Bound

import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor
    readonly property var overlays: makeOverlays()
    readonly property var blockColors: merged("blockColors")

    readonly property alias view: graphView

    color: Theme.canvas

    function makeOverlays(): var {
        const made = []
        for (const file of graphView.overlayFiles()) {
            const component = Qt.createComponent(file)
            if (component.status === Component.Ready)
                made.push(component.createObject(root, { "editor": editor }))
            else
                console.warn(component.errorString())
        }
        return made
    }

    /// Merge a property of all overlays.
    function merged(property: string): var {
        const all = {}
        for (const overlay of overlays)
            for (const key in overlay[property])
                all[key] = overlay[property][key]
        return all
    }

    GraphView {
        id: graphView

        objectName: "canvas"
        anchors.fill: parent
        tools: root.editor.tools
        motion: Theme.motion
        covered: Math.max(0, ...root.overlays.map(overlay => overlay.covered))
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
            plain: root.overlays.some(overlay => overlay.plain)
            wireMarks: root.merged("wireMarks")
            blockColors: root.blockColors
            running: root.editor.runner.measuring
        }
        // Below the blocks, because their pills lie on their edges.
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
                model: root.overlays ? root.editor.blocks : null // its roles exist once the overlays do
                delegate: BlockItem {
                    view: graphView
                    editor: root.editor
                    overlays: root.overlays
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
            // the chip with item type and rate is below the wire
            y: Math.max(Theme.space2, pointer.point.position.y - height - Theme.space3)
            implicitHeight: Theme.pill
            visible: text !== ""
            text: root.overlays.map(overlay => overlay.wireWords(graphView.hoveredWireKey)).find(words => words !== "") ?? ""
            foreground: Theme.text
            background: Theme.pane
            border.color: Theme.control
        }
        Repeater {
            model: root.overlays

            Repeater {
                required property var modelData

                model: modelData.legend ? 1 : 0
                delegate: modelData.legend
                onItemAdded: (index, item) => {
                    item.x = Theme.space3
                    item.y = Qt.binding(() => graphView.height - item.height - Theme.space3)
                }
            }
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
            anchors.right: parent.right // streams flow to the right, so the first block is in the other corner
            anchors.top: parent.top
            anchors.margins: Theme.space3
            visible: graphView.activeFocus && text !== ""
            text: graphView.tabWords
        }
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
    FindStrip {
        id: findBar

        readonly property GraphFinder finder: root.editor.tools.finder

        anchors.top: parent.top
        anchors.right: parent.right
        anchors.margins: Theme.space3
        name: "find"
        placeholder: qsTr("Id, type, parameter or comment")
        title: qsTr("Find in the graph")
        forgets: true
        count: finder.count
        current: finder.current
        onTypedChanged: finder.text = typed
        onStepped: by => by > 0 ? finder.next() : finder.previous()
        onClosed: graphView.forceActiveFocus(Qt.OtherFocusReason)
    }
    Connections {
        target: root.editor.tools.inserter
        function onInsertRequested(place) { insertPopup.openAt(graphView.viewAt(place)) }
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
        function onRequested() { findBar.open() }
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
