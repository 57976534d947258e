import QtQuick
import Weir

/// Zoom of the graph and buttons that change it.
Rectangle {
    id: root

    required property Actions actions
    required property GraphView view

    implicitWidth: parts.width + Theme.space1
    implicitHeight: Theme.barControl
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.line

    Row {
        id: parts

        anchors.centerIn: parent

        IconButton {
            objectName: "zoomOut"
            icon.name: "minus"
            hint: qsTr("Zoom out (Ctrl+-)")
            onClicked: root.actions.trigger("view.zoom_out")
        }
        SmallButton {
            anchors.verticalCenter: parent.verticalCenter
            objectName: "zoomActual"
            width: Theme.bar + Theme.space3
            text: qsTr("%1 %").arg(Math.round(root.view.zoom * 100))
            hint: qsTr("Zoom to 100 % (Ctrl+1)")
            onClicked: root.actions.trigger("view.actual_size")
        }
        IconButton {
            objectName: "zoomIn"
            icon.name: "plus"
            hint: qsTr("Zoom in (Ctrl++)")
            onClicked: root.actions.trigger("view.zoom_in")
        }
        IconButton {
            objectName: "zoomFit"
            icon.name: "fit"
            hint: qsTr("Zoom to fit the graph into the view (Ctrl+0)")
            onClicked: root.actions.trigger("view.fit")
        }
    }
}
