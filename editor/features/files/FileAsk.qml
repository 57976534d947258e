import QtQuick
import Weir

/// A question for a file: the window's file dialog shows it, and the answer comes back here.
QtObject {
    id: root

    required property Editor editor
    property string title
    property int mode: FileChooser.OpenFile
    property string acceptLabel: mode === FileChooser.SaveFile ? qsTr("Save") : qsTr("Open")
    /// As in `Pictures (*.svg *.png)`, the usual one first.
    property list<string> nameFilters: [qsTr("All files (*)")]
    property url currentFolder
    /// Of a file to be saved: what is proposed ends so, and is called like the project.
    property string suffix
    /// Projects are to be chosen: the dialog shows what is drawn in them.
    property bool ofProjects: false
    property url selectedFile
    /// Whether it is on the screen.
    property bool visible: false

    signal accepted()
    signal rejected()

    function open() {
        editor.files.askFile(root)
    }
}
