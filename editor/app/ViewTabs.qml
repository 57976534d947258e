import QtQuick
import Weir

/// Which view of the project the middle of the window shows.
Rectangle {
    id: root

    required property Editor editor
    required property GraphView canvas

    implicitHeight: Theme.barControl + Theme.stroke
    color: Theme.pane

    TabStrip {
        id: tabs

        x: Theme.space4
        labels: root.editor.views.titles
        current: root.editor.viewIndex
        onChosen: index => root.editor.viewIndex = index
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        height: Theme.barControl
        spacing: Theme.space1
        // The status bar, the menu and keys have the same.
        visible: root.editor.view === "canvas" && x > tabs.x + tabs.width + Theme.space4

        PushButton {
            implicitHeight: Theme.smallControl
            y: Theme.space1
            text: qsTr("%1 %").arg(Math.round(root.canvas.zoom * 100))
            hint: qsTr("Zoom to 100 % (Ctrl+1)")
            flat: true
            onClicked: root.editor.actions.trigger("view.actual_size")
        }
        PushButton {
            implicitHeight: Theme.smallControl
            y: Theme.space1
            icon.name: "fit"
            text: qsTr("Fit")
            hint: qsTr("Fit the graph into the view (Ctrl+0)")
            flat: true
            onClicked: root.editor.actions.trigger("view.fit")
        }
    }
    Divider {
        y: Theme.barControl
        width: parent.width
    }
}
