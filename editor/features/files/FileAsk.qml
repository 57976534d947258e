import QtQuick
import Weir

/// A question for a file: the window's file dialog shows it, and the answer comes back here.
QtObject {
    id: root

    required property Editor editor
    property string title
    property int mode: FileChooser.OpenFile
    property string acceptLabel: mode === FileChooser.SaveFile ? qsTr("Save") : qsTr("Open")
    /// Filters of files such as `Pictures (*.svg *.png)`, the usual one first.
    property list<string> nameFilters: [qsTr("All files (*)")]
    property url currentFolder
    /// Suffix of a file to be saved: the proposed name ends with it.
    property string suffix
    /// Projects are to be chosen: the dialog shows what is drawn in them.
    property bool ofProjects: false
    property url selectedFile
    /// True while it is on the screen.
    property bool visible: false

    signal accepted()
    signal rejected()

    function open() {
        editor.files.askFile(root)
    }
}
