pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The files of the generated project in groups.
ScrollList {
    id: root

    required property CodeController code

    objectName: "codeFiles"
    model: code.files
    ringed: false // keys choose the file, which is marked
    activeFocusOnTab: true
    keyNavigationEnabled: true
    topMargin: Theme.space1
    bottomMargin: Theme.space2
    Accessible.name: qsTr("Files of the generated project")
    onCurrentItemChanged: if (activeFocus && currentItem) code.file = (currentItem as CodeFileEntry).path

    delegate: CodeFileEntry {
        width: ListView.view.width
        code: root.code
    }
    FocusRing { shown: root.activeFocus }
}
