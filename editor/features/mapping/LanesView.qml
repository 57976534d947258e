pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Machine as lanes, with the workers and their blocks in them.
Rectangle {
    id: root

    required property Editor editor

    readonly property MappingController mapping: editor.mapping
    readonly property Item home: view

    color: Theme.canvas

    Binding {
        target: root.mapping
        property: "active"
        value: root.editor.view === "lanes"
    }

    Connections {
        target: root.editor.actions
        function onRequested(id: string) {
            if (id === "mapping.map_to" && root.editor.view === "lanes")
                view.openMenu()
        }
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        LaneToolbar {
            Layout.fillWidth: true
            editor: root.editor
        }
        LaneBanner {
            Layout.fillWidth: true
            objectName: "failureBanner"
            visible: root.mapping.failure !== "" && !root.editor.exchange.importing // the graph is still to come
            kind: "error"
            text: qsTr("No plan: %1").arg(root.mapping.failure)
        }
        LaneBanner {
            Layout.fillWidth: true
            objectName: "machineBanner"
            visible: root.mapping.machineFile !== ""
            kind: "warning"
            text: qsTr("Planned for %1 (%2), not for this machine. Runs use this machine and stop with E_CPU_MISSING if the deployment names a CPU that this machine lacks.")
                .arg(root.mapping.machineName || qsTr("another machine")).arg(root.mapping.machineFile)
            otherAction: qsTr("Back to this machine")
            onOtherActed: root.mapping.thisMachine()
        }
        LaneBanner {
            Layout.fillWidth: true
            objectName: "previewBanner"
            visible: root.mapping.preview !== ""
            kind: "warning"
            text: root.mapping.planning ? qsTr("Planning with %1…").arg(root.mapping.preview)
                                        : qsTr("Preview of %1: the project is unchanged.").arg(root.mapping.preview)
            action: qsTr("Apply")
            otherAction: qsTr("Discard")
            onActed: root.mapping.applyPreview()
            onOtherActed: root.mapping.discardPreview()
        }
        LaneBanner {
            Layout.fillWidth: true
            objectName: "hintBanner"
            visible: root.mapping.hint !== ""
            text: root.mapping.hint
            action: root.editor.deployments.length === 0 ? qsTr("Add deployment") : ""
            onActed: root.editor.deploymentSettings.add()
        }
        LaneView {
            id: view

            objectName: "lanes"
            focus: true
            Layout.fillWidth: true
            Layout.fillHeight: true
            mapping: root.mapping
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Workers and the blocks that they run")
            Accessible.description: currentName
            onMenuRequested: (x, y) => moveMenu.popup(view, x, y)
            onBlockOpened: block => {
                root.editor.view = "canvas"
                root.editor.goTo(block)
            }

            LaneLayer {
                objectName: "laneLayer"
                anchors.fill: parent
                view: view
                laneColor: Theme.pane
                otherLaneColor: Theme.alt
                lineColor: Theme.line
                wireColor: Theme.text2
                innerWireColor: Theme.nodeBorder
                warningColor: Theme.warning
            }
            Rectangle {
                x: view.targetRect.x + Theme.space0
                y: view.targetRect.y - view.scrollY + Theme.space0
                width: view.targetRect.width - Theme.space1
                height: view.targetRect.height - Theme.space1
                visible: view.dragging && view.targetRect.width > 0
                radius: Theme.radiusButton
                color: Qt.alpha(view.refused ? Theme.error : Theme.accent, 0.08)
                border.width: Theme.strokeStrong
                border.color: view.refused ? Theme.error : Theme.accent
            }
            Item {
                y: -view.scrollY
                width: view.width

                Repeater {
                    model: root.mapping.lanes
                    delegate: LaneItem {
                        width: view.width
                        stale: root.editor.results.shown.stale
                        onWorkerRemoved: worker => root.mapping.removeWorker(worker)
                    }
                }
                Repeater {
                    model: root.mapping.parts
                    delegate: LanePartItem {}
                }
                Repeater {
                    model: root.mapping.bars
                    delegate: LaneBarItem {
                        lifted: view.dragging && selected
                        stale: root.editor.results.shown.stale
                    }
                }
            }
            Rectangle {
                x: view.currentRect.x - 5
                y: view.currentRect.y - 5
                width: view.currentRect.width + 10
                height: view.currentRect.height + 10
                visible: view.activeFocus && view.currentRect.width > 0
                radius: Theme.radiusButton + Theme.radiusChip
                color: "transparent"

                DashedFrame {
                    anchors.fill: parent
                    color: Theme.accent
                    radius: parent.radius
                    lineWidth: Theme.strokeStrong
                }
            }
            Pill {
                x: Math.min(view.pointer.x + 14, view.width - width - Theme.space2)
                y: view.pointer.y + 14
                implicitHeight: Theme.smallControl
                visible: view.dragging
                text: view.dragText
                objectName: "dragText"
                foreground: view.refused ? Theme.error : Theme.accentText
                background: view.refused ? Theme.errorBackground : Theme.accent
            }
            Rectangle {
                id: hover

                x: Math.max(Theme.space2, Math.min(view.hoverPoint.x + 14, view.width - width - Theme.space2))
                y: view.hoverPoint.y + 18 + height > view.height ? view.hoverPoint.y - height - Theme.space2
                    : view.hoverPoint.y + 18
                width: hoverLabel.implicitWidth + Theme.space4
                height: hoverLabel.implicitHeight + Theme.space3
                visible: view.hoverText !== "" && !view.dragging
                radius: Theme.radiusButton
                color: Theme.pane
                border.color: Theme.control

                PlainText {
                    id: hoverLabel
                    x: 8
                    y: 6
                    text: view.hoverText
                    font.pixelSize: Theme.sizeSmall
                }
            }
            PlainText {
                anchors.centerIn: parent
                visible: view.contentHeight === 0
                text: root.mapping.planning ? qsTr("Planning…") : qsTr("The machine is unknown")
                color: Theme.text3
            }
            SlimScrollBar {
                id: bar

                anchors.right: parent.right
                height: parent.height
                orientation: Qt.Vertical
                visible: size < 1
                size: view.contentHeight > 0 ? Math.min(1, view.height / view.contentHeight) : 1
                position: view.contentHeight > 0 ? view.scrollY / view.contentHeight : 0
                onPositionChanged: if (pressed) view.scrollY = position * view.contentHeight
            }
            FocusRing {
                anchors.margins: 1
                shown: view.activeFocus && Presses.byKey && view.currentRect.width === 0
            }
        }
        ValuesTable {
            Layout.fillWidth: true
            mapping: root.mapping
            stale: root.editor.results.shown.stale
        }
    }
    MoveMenu {
        id: moveMenu
        mapping: root.mapping
    }
    WorkerSettings {
        id: workerSettings

        x: Math.max(Theme.space2, (root.width - width) / 2)
        y: Theme.space6
        editor: root.editor
        onClosed: view.forceActiveFocus(Qt.OtherFocusReason)
        Component.onCompleted: if (root.mapping.openedWorker !== "") open() // the page may be created to open a worker
    }
    Connections {
        target: root.mapping
        function onWorkerOpened() { workerSettings.open() }
    }
}
