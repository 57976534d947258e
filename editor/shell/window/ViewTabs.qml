import QtQuick
import Weir

/// Which view of the project the middle of the window shows.
Rectangle {
    id: root

    required property Editor editor
    required property GraphView canvas

    implicitHeight: 33
    color: Theme.pane

    TabStrip {
        id: tabs

        x: 16
        labels: root.editor.views.titles
        current: root.editor.viewIndex
        onChosen: index => root.editor.viewIndex = index
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: 8
        height: 32
        spacing: 4
        // The status bar, the menu and keys have the same.
        visible: root.editor.view === "canvas" && x > tabs.x + tabs.width + 16

        PushButton {
            implicitHeight: 24
            y: 4
            text: qsTr("%1 %").arg(Math.round(root.canvas.zoom * 100))
            hint: qsTr("Zoom to 100 % (Ctrl+1)")
            flat: true
            onClicked: root.editor.actions.trigger("view.actual_size")
        }
        PushButton {
            implicitHeight: 24
            y: 4
            icon.name: "fit"
            text: qsTr("Fit")
            hint: qsTr("Fit the graph into the view (Ctrl+0)")
            flat: true
            onClicked: root.editor.actions.trigger("view.fit")
        }
    }
    Divider {
        y: 32
        width: parent.width
    }
}
