pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Switch for the run's numbers on the graph, with the run's name and the meaning of the colours.
Rectangle {
    id: root

    required property Editor editor
    readonly property real room: parent?.height ?? 0 ///< height of the canvas in pixels
    /// Width of the words, beside the buttons of the zoom.
    readonly property real most: Math.max(300, (parent?.width ?? 0) - 200)

    /// True on a low canvas: the legend expands only on hover, to leave room for blocks.
    readonly property bool tight: room < 450
    /// Height without the part shown on hover.
    readonly property real restingHeight: explained.visible && tight ? height - explained.height - words.spacing : height
    readonly property real covered: visible ? restingHeight + Theme.space3 : 0
    readonly property HeatMap heat: editor.results.heat
    readonly property DeploymentRun run: editor.results.shown

    objectName: "heatPane"
    width: words.implicitWidth + Theme.space5
    height: words.implicitHeight + Theme.space4
    visible: !editor.empty && !editor.mapping.colourByWorker && !editor.tuner.previewing
             && (heat.known || (heat.enabled && editor.results.library.total > 0))
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.line

    Column {
        id: words

        x: 12
        y: 8
        spacing: Theme.space2

        Row {
            spacing: Theme.space2

            ToggleSwitch {
                id: onGraph

                objectName: "heatSwitch"
                anchors.verticalCenter: parent.verticalCenter
                checked: root.heat.enabled
                Accessible.name: qsTr("The run's numbers on the graph")
                onToggled: {
                    root.heat.enabled = checked
                    checked = Qt.binding(() => root.heat.enabled)
                }

                Hint {
                    shown: onGraph.hovered
                    text: qsTr("Show the run's numbers on the graph (Ctrl+H)")
                }
            }
            SmallText {
                anchors.verticalCenter: parent.verticalCenter
                text: root.run.label
                font.weight: Font.DemiBold
                color: root.heat.enabled ? Theme.text : Theme.text2
            }
            ProfiledPill {
                objectName: "heatProfiled"
                anchors.verticalCenter: parent.verticalCenter
                visible: root.heat.profiled
            }
            StalePill {
                objectName: "heatStale"
                anchors.verticalCenter: parent.verticalCenter
                visible: root.heat.enabled && root.run.stale
                text: root.run.differsInShort
                differs: root.run.differs
            }
        }
        PlainText {
            objectName: "heatFigures"
            visible: root.heat.enabled && text !== ""
            text: root.heat.figures
            font.pixelSize: Theme.sizeSmall
        }
        SmallButton {
            objectName: "heatWarning"
            visible: root.heat.enabled && root.heat.warnings.length > 0
            icon.name: "warning"
            text: visible ? root.editor.results.library.firstWords(root.heat.warnings[0]) : ""
            foreground: Theme.warning
            hint: qsTr("%1. Go to its results.").arg(Array.from(root.heat.warnings).join(". "))
            onClicked: {
                root.editor.results.show(root.run.path)
                root.editor.view = "results"
            }
        }
        TinyText {
            objectName: "heatNotes"
            width: Math.min(implicitWidth, root.most)
            visible: root.heat.enabled && text !== ""
            text: Array.from(root.heat.notes).join(" · ")
            elide: Text.ElideRight
            color: Theme.text2
        }
        Column {
            id: explained

            objectName: "heatLegend"
            visible: root.heat.enabled && (!root.tight || over.hovered)
            spacing: Theme.space1

            HeatScale {
                visible: root.heat.profiled
                name: qsTr("Share of all work time, %")
                explanation: qsTr("Head and pill of a block: its share of the work time of all blocks. The bottleneck has an outline.")
            }
            Column {
                objectName: "loadKey"
                visible: root.heat.loaded
                spacing: Theme.space1

                Repeater {
                    model: root.heat.pills

                    Row {
                        id: loadKey

                        required property string label
                        required property string text

                        objectName: "pillKind"
                        spacing: Theme.space1
                        Accessible.role: Accessible.StaticText
                        Accessible.name: label + ": " + text + ". " + loadHint.text

                        // In words: a pill with a number would look like a measurement.
                        Pill { text: loadKey.label }
                        TinyText {
                            anchors.verticalCenter: parent.verticalCenter
                            text: loadKey.text
                            color: Theme.text2
                        }
                    }
                }
                HoverHandler { id: overLoad }
                Hint {
                    id: loadHint

                    shown: overLoad.hovered
                    text: qsTr("At full speed a worker is always busy, and a spinning worker is busy while it waits, so near "
                               + "100 % is normal. Below the block: items per second, and items per call.")
                }
            }
            TinyText {
                objectName: "noLoad"
                visible: root.heat.known && !root.heat.profiled && !root.heat.loaded
                text: root.heat.moves ? qsTr("Blocks move between the workers: none has a load of its own.")
                                      : qsTr("The load of the workers was not measured.")
                color: Theme.text2
            }
            HeatScale {
                objectName: "fillScale"
                visible: root.heat.between
                name: qsTr("Buffer, mean fill")
                lines: true
                explanation: qsTr("Band along a wire: mean fill of its buffer, from 0 to 100 %. A full buffer is back "
                                  + "pressure: its reader is slower than its writer. The line in the band has the "
                                  + "colour of the item type. No band: both ends are on one worker, where the fill means nothing.")
            }
            RunFinding {
                objectName: "heatFinding"
                editor: root.editor
                run: root.run.path
                finding: root.heat.finding
                profiled: root.heat.profiled
                most: root.most
            }
            PlainText {
                objectName: "heatBusiest"
                visible: text !== ""
                text: root.heat.busiestWorker
                font.pixelSize: Theme.sizeSmall
            }
            TinyText {
                visible: text !== ""
                text: root.heat.remark
                color: Theme.warning
            }
        }
    }
    HoverHandler { id: over }
}
