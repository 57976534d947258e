import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Panel with every setting of the deployment, the build and the run, beside the graph.
Rectangle {
    id: root

    required property Editor editor
    property real room: 560

    readonly property Deployments deployments: editor.deploymentSettings
    readonly property Fields fields: editor.fields

    property Item wanted: null

    function show(field: Item) {
        wanted = field
        settled.restart()
    }

    objectName: "deploymentPanel"
    width: 344
    height: Math.max(120, Math.min(room, scroll.y + content.height + Theme.space5))
    radius: Theme.radiusNode
    color: Theme.pane
    border.color: Theme.control

    NumberAnimation on opacity {
        from: 0
        to: 1
        duration: Theme.motion
        running: root.visible
    }
    // Do not pass clicks and wheel events to the items below the panel.
    MouseArea {
        anchors.fill: parent
        acceptedButtons: Qt.AllButtons
        hoverEnabled: true
        onWheel: wheel => wheel.accepted = true
    }
    TabStrip {
        x: 16
        y: 4
        room: root.width - 2 * x - Theme.fieldControl
        labels: [qsTr("Scheduler"), qsTr("Build"), qsTr("Run"), qsTr("Machine")]
        current: root.deployments.panelTab
        onChosen: index => root.deployments.panelTab = index
    }
    IconButton {
        objectName: "closeDeploymentPanel"
        x: parent.width - width - Theme.space2
        y: 6
        icon.name: "close"
        hint: qsTr("Close the settings")
        onClicked: root.deployments.panelOpen = false
    }
    Divider {
        x: 1
        y: 36
        width: parent.width - Theme.space0
    }
    Flickable {
        id: scroll

        x: 1
        y: 37
        width: parent.width - Theme.space0
        height: parent.height - y - Theme.space2
        contentHeight: content.height + Theme.space4
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentHeight > height
        ScrollBar.vertical: SlimScrollBar {}

        Item {
            id: content

            x: 16
            y: 8
            width: scroll.width - Theme.space6
            height: tab.height

            Column {
                id: tab

                width: parent.width

                SchedulerSettings {
                    width: parent.width
                    visible: root.deployments.panelTab === Deployments.Scheduler
                    deployments: root.deployments
                    fields: root.fields
                    onFocused: field => root.show(field)
                }
                FieldList {
                    width: parent.width
                    visible: root.deployments.panelTab === Deployments.Build
                    fields: root.fields
                    model: root.deployments.build
                    emptyText: qsTr("Without a deployment, g++ compiles for this machine. Add a deployment to choose the compiler.")
                    onFocused: field => root.show(field)
                }
                FieldList {
                    width: parent.width
                    visible: count > 0 && root.deployments.panelTab === Deployments.Build
                    fields: root.fields
                    model: root.deployments.volk
                    heading: qsTr("VOLK")
                    labelWidth: 164
                    onFocused: field => root.show(field)
                }
                FieldList {
                    width: parent.width
                    visible: root.deployments.panelTab === Deployments.Machine
                    fields: root.fields
                    model: root.deployments.machine
                    emptyText: qsTr("Without a deployment, Weir does not change the machine. Add a deployment to isolate CPUs or to add an interference load.")
                    onFocused: field => root.show(field)
                }
                FieldList {
                    width: parent.width
                    visible: root.deployments.panelTab === Deployments.Run
                    fields: root.fields
                    model: root.deployments.run
                    onFocused: field => root.show(field)
                }
                FieldList {
                    width: parent.width
                    visible: root.deployments.panelTab === Deployments.Run
                    fields: root.fields
                    model: root.deployments.trace
                    heading: qsTr("Trace")
                    onFocused: field => root.show(field)
                }
            }
        }
    }
    Timer {
        id: settled

        // Positions are known once the layout has settled.
        interval: 0
        onTriggered: {
            if (!root.wanted)
                return
            const y = root.wanted.mapToItem(content, 0, 0).y
            if (y < scroll.contentY || y + root.wanted.height > scroll.contentY + scroll.height)
                scroll.contentY = Math.max(0, Math.min(y - 24, scroll.contentHeight - scroll.height))
        }
    }
}
