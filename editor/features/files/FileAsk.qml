import QtQuick
import Weir

/// Request for a file: the window's file dialog shows it and returns the answer here.
QtObject {
    id: root

    required property Editor editor
    property string title
    property int mode: FileChooser.OpenFile
    property string acceptLabel: mode === FileChooser.SaveFile ? qsTr("Save") : qsTr("Open")
    /// Filters of files such as `Pictures (*.svg *.png)`, the default first.
    property list<string> nameFilters: [qsTr("All files (*)")]
    property url currentFolder
    /// Suffix of a file to save: the proposed name ends with it.
    property string suffix
    /// True for project files: the dialog shows a preview of them.
    property bool ofProjects: false
    property url selectedFile
    /// True while the dialog is open.
    property bool visible: false

    signal accepted()
    signal rejected()

    function open() {
        editor.files.askFile(root)
    }
}
