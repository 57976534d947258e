pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The files of the generated project in groups.
ScrollList {
    id: root

    required property CodeController code

    objectName: "codeFiles"
    model: code.files
    ringed: false // the chosen file is already marked
    activeFocusOnTab: true
    topMargin: Theme.space1
    bottomMargin: Theme.space2
    Accessible.name: qsTr("Files of the generated project")
    // The list makes its first row current when files arrive. That must not choose a file.
    Keys.onUpPressed: step(-1)
    Keys.onDownPressed: step(1)

    function step(by: int) {
        currentIndex = Math.max(0, Math.min(currentIndex + by, count - 1))
        if (currentItem)
            code.file = (currentItem as CodeFileEntry).path
    }

    delegate: CodeFileEntry {
        width: ListView.view.width
        code: root.code
    }
    FocusRing { shown: root.activeFocus }
}
