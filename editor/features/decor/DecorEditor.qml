import QtQuick
import QtQuick.Controls.Basic
import Weir

/// In-place editor of the text of a frame, note or comment.
Rectangle {
    id: root

    required property Editor editor
    required property GraphView view

    readonly property string kind: editor.decor.editedKind
    readonly property rect place: editor.decor.editedRect
    readonly property bool oneLine: kind === "frame" || kind === "group"

    function finish(keep: bool) {
        if (kind === "")
            return
        // A refused text stays for correction, unless the user goes elsewhere.
        if (keep && !editor.decor.commit(area.text) && area.activeFocus)
            return
        if (kind !== "")
            editor.decor.cancelEditing()
        view.forceActiveFocus()
    }

    objectName: "decorEditor"
    x: Math.round(place.x * view.zoom + view.offsetX)
    y: Math.round(place.y * view.zoom + view.offsetY)
    width: Math.max(160, place.width * view.zoom)
    height: oneLine ? 30 : Math.max(64, place.height * view.zoom)
    visible: kind !== ""
    radius: Theme.radiusField
    color: Theme.pane
    border.width: Theme.strokeStrong
    border.color: Theme.accent
    onKindChanged: {
        if (kind === "")
            return
        area.text = editor.decor.editedText
        area.forceActiveFocus()
        area.selectAll()
    }

    ScrollView {
        anchors.fill: parent
        anchors.margins: Theme.space0
        clip: true

        TextArea {
            id: area

            objectName: "decorText"
            leftPadding: Theme.space2
            rightPadding: Theme.space2
            topPadding: root.oneLine ? Theme.space1 : Theme.space2
            wrapMode: root.oneLine ? TextEdit.NoWrap : TextEdit.Wrap
            textFormat: TextEdit.PlainText
            font.family: Theme.sans
            font.pixelSize: root.oneLine ? Theme.sizeBody : Theme.sizeSmall
            font.weight: root.oneLine ? Font.DemiBold : Font.Normal
            color: Theme.text
            selectionColor: Theme.selectedRow
            selectedTextColor: Theme.text
            placeholderText: root.kind === "frame" ? qsTr("Title") : root.kind === "group" ? qsTr("Name of the group") : root.kind === "note" ? qsTr("Note") : qsTr("Comment")
            placeholderTextColor: Theme.text3
            Accessible.name: placeholderText
            // Enter ends the editing of a title, and Ctrl+Enter that of a longer text.
            Keys.onPressed: event => {
                const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
                if (event.key === Qt.Key_Escape)
                    root.finish(!root.oneLine) // keep the typed text of a note; undo removes it
                else if (enter && (root.oneLine || event.modifiers & Qt.ControlModifier))
                    root.finish(true)
                else
                    return
                event.accepted = true
            }
            onActiveFocusChanged: if (!activeFocus) root.finish(true)
        }
    }
    Connections {
        target: root.editor.actions
        function onAboutToTrigger() {
            if (area.activeFocus)
                root.finish(true)
        }
    }
}
