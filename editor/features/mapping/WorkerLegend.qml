pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Legend of the workers' colours on the canvas.
Rectangle {
    id: root

    required property MappingController mapping
    property bool hidesRun: false ///< true if a run's numbers would be on the graph without these colours
    readonly property real room: (parent?.width ?? 0) - Theme.space5

    readonly property int most: 16

    objectName: "workerLegend"
    width: words.width + Theme.space5
    height: words.height + Theme.space4
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.line
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("Legend: the colour of a block shows its worker")

    Column {
        id: words

        x: 12
        y: 8
        spacing: Theme.space1

        TinyText {
            text: qsTr("Worker, on CPU")
            color: Theme.text2
        }
        Grid {
            columns: Math.max(1, Math.min(4, Math.floor((root.room - 24) / 140)))
            columnSpacing: Theme.space4
            rowSpacing: Theme.space1

            Repeater {
                id: workers

                model: root.mapping.workers

                Row {
                    id: worker

                    required property string name
                    required property int number
                    required property string cpus

                    objectName: "legend:" + name
                    visible: number < root.most
                    spacing: Theme.space2

                    Rectangle {
                        anchors.verticalCenter: parent.verticalCenter
                        width: 12
                        height: 12
                        radius: Theme.focusGap
                        color: Theme.laneColor(worker.number)
                    }
                    PlainText {
                        width: Math.min(implicitWidth, 160)
                        elide: Text.ElideMiddle
                        text: worker.cpus === "" ? worker.name
                                                           : qsTr("%1 · %2").arg(worker.name).arg(worker.cpus)
                        font.pixelSize: Theme.sizeTiny
                    }
                }
            }
        }
        TinyText {
            visible: workers.count > root.most
            text: qsTr("and %n more; colours repeat, the names do not", "", workers.count - root.most)
        }
        TinyText {
            objectName: "hidesRun"
            visible: root.hidesRun
            text: qsTr("Ctrl+H: the run's numbers instead")
            color: Theme.text2
        }
    }
}
