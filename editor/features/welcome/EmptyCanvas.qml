import QtQuick
import QtQuick.Templates as T
import Weir

/// First page of an untouched project, or a hint about the next step.
Item {
    id: root

    required property Editor editor
    required property Item canvas

    /// True if Tab is free: only text fields, popups and the tour use it, since an empty graph has no blocks to walk
    /// along.
    readonly property bool takesTab: visible && isFree(Window.activeFocusItem)

    function isFree(item: Item): bool {
        for (let at = item; at; at = at.parent)
            if (at instanceof TextInput || at instanceof TextEdit || at instanceof Tour || at === T.Overlay.overlay)
                return false
        return true
    }

    function takeFocus() {
        const item = Window.activeFocusItem
        // The card of an example disappears with the page, so the opened project gets the focus.
        if (isFree(item) || (visible && item instanceof TextInput))
            canvas.forceActiveFocus(Qt.OtherFocusReason)
    }

    visible: editor.empty
    onVisibleChanged: soon.restart()
    Component.onCompleted: soon.start()

    Connections {
        target: root.editor
        function onDocumentReplaced() { soon.restart() }
    }
    Timer {
        id: soon

        // Wait: a closing popup gives the focus back.
        interval: 0
        onTriggered: root.takeFocus()
    }
    Shortcut {
        sequence: "Tab"
        enabled: root.takesTab
        onActivated: root.editor.actions.trigger("graph.insert")
    }
    // Hide the grid dots behind the text.
    Rectangle {
        anchors.fill: parent
        visible: root.editor.welcome.fresh
        color: Theme.canvas
    }
    WelcomePage {
        anchors.fill: parent
        visible: root.editor.welcome.fresh
        editor: root.editor
    }
    Column {
        objectName: "emptyHint"
        anchors.centerIn: parent
        visible: !root.editor.welcome.fresh
        spacing: Theme.space3

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            text: qsTr("No blocks. Press Tab and type the name of one.")
            color: Theme.text3
        }
        PushButton {
            objectName: "emptyInsert"
            anchors.horizontalCenter: parent.horizontalCenter
            text: qsTr("Insert block…")
            onClicked: root.editor.actions.trigger("graph.insert")
        }
    }
}
