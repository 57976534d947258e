pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Machine of the plan, placement of blocks, and view options.
Rectangle {
    id: root

    required property Editor editor

    readonly property MappingController mapping: editor.mapping
    readonly property DeploymentRun run: editor.results.shown

    implicitHeight: parts.height + Theme.space4
    color: Theme.pane

    // Side by side; below each other if they do not fit.
    Flow {
        id: parts

        readonly property bool oneLine: width >= machine.wanted + controls.implicitWidth + spacing

        x: 16
        y: 8
        width: root.width - 28
        spacing: Theme.space4

        RowLayout {
            id: machine

            readonly property real wanted: 240 + button.implicitWidth + loads.implicitWidth + 2 * spacing

            width: parts.oneLine ? parts.width - controls.implicitWidth - parts.spacing : parts.width
            spacing: Theme.space2

            ColumnLayout {
                spacing: 0
                Layout.fillWidth: true

                PlainText {
                    id: name

                    objectName: "machineName"
                    Layout.fillWidth: true
                    elide: Text.ElideRight
                    font.weight: Font.DemiBold
                    text: root.mapping.machineFile === "" ? qsTr("This machine") : root.mapping.machineName
                    color: root.mapping.machineFile === "" ? Theme.text : Theme.warning
                }
                TinyText {
                    id: summary

                    Layout.fillWidth: true
                    elide: Text.ElideRight
                    text: root.mapping.machineFile === "" && root.mapping.machineSummary !== ""
                          ? root.mapping.machineName + " · " + root.mapping.machineSummary : root.mapping.machineSummary
                }
            }
            PushButton {
                id: button

                implicitHeight: Theme.fieldControl
                objectName: "machineButton"
                text: root.mapping.machineFile === "" ? qsTr("Other machine…") : qsTr("This machine")
                hint: root.mapping.machineFile === ""
                      ? qsTr("Plan for the machine of a file (weir doctor --topology --json)")
                      : qsTr("Plan for this machine again")
                onClicked: root.editor.actions.trigger(root.mapping.machineFile === "" ? "mapping.load_machine"
                                                                                       : "mapping.this_machine")
            }
            ColumnLayout {
                id: loads

                spacing: 0

                TinyText {
                    objectName: "laneLoads"
                    text: !root.run.known ? qsTr("no run of this deployment yet")
                        : qsTr("Loads: %1").arg(root.run.label)
                }
                StalePill {
                    objectName: "lanesStale"
                    visible: root.run.stale
                    implicitHeight: Theme.icon
                    text: root.run.differsInShort
                    differs: root.run.differs
                }
            }
        }
        RowLayout {
            id: controls

            spacing: Theme.space2

            SmallText {
                visible: root.mapping.canPlace
                text: qsTr("Placement")
            }
            Row {
                visible: root.mapping.canPlace
                spacing: -1

                Repeater {
                    model: root.mapping.strategies

                    PushButton {
                        id: choice

                        required property string name
                        required property string title
                        required property string about

                        readonly property bool chosen: root.mapping.strategy === name
                        readonly property bool previewed: root.mapping.preview === name

                        implicitHeight: Theme.fieldControl
                        implicitWidth: implicitContentWidth + 20
                        objectName: "strategy:" + name
                        icon.name: chosen ? "check" : ""
                        text: title
                        hint: about
                        checkable: false
                        font.weight: chosen || previewed ? Font.DemiBold : Font.Normal
                        font.pixelSize: Theme.sizeSmall
                        Accessible.name: chosen ? qsTr("%1, chosen").arg(title) : title
                        onClicked: root.mapping.previewStrategy(name)

                        background: Rectangle {
                            radius: Theme.radiusField
                            color: choice.previewed ? Theme.warningBackground : choice.chosen ? Theme.selectedRow
                                 : choice.hovered || choice.down ? Theme.alt : "transparent"
                            border.color: choice.previewed ? Theme.warning : Theme.line

                            FocusRing { shown: choice.visualFocus }
                        }
                    }
                }
            }
            Item { Layout.preferredWidth: 4 }
            LaneToggle {
                actions: root.editor.actions
                actionId: "mapping.unfold"
                text: qsTr("Copies")
                visible: root.mapping.hasCopies
                on: root.mapping.unfolded
            }
            LaneToggle {
                actions: root.editor.actions
                actionId: "mapping.only_used"
                text: qsTr("Used only")
                on: root.mapping.onlyUsed
            }
            LaneToggle {
                actions: root.editor.actions
                actionId: "mapping.colour_by_worker"
                text: qsTr("Colours")
                on: root.mapping.colourByWorker
            }
        }
    }
    Divider {
        y: parent.height - 1
        width: parent.width
    }
}
