pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// The files of the generated project in groups.
ListView {
    id: root

    required property CodeController code

    objectName: "codeFiles"
    clip: true
    model: code.files
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    keyNavigationEnabled: true
    topMargin: Theme.space1
    bottomMargin: Theme.space2
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Files of the generated project")
    ScrollBar.vertical: SlimScrollBar {}
    onCurrentItemChanged: if (activeFocus && currentItem) code.file = (currentItem as CodeFileEntry).path

    delegate: CodeFileEntry {
        width: ListView.view.width
        code: root.code
    }
    FocusRing { shown: root.activeFocus }
}
