pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Folders and files of the shown folder. The mark is kept by path, because rows change.
FocusScope {
    id: root

    required property FileChooser chooser

    readonly property FolderModel entries: chooser.entries
    readonly property alias count: list.count
    /// Path of the marked entry, or empty.
    property string current
    readonly property string currentFolder: isFolder ? current : ""
    property bool isFolder: false
    /// Path to mark once it is listed.
    property string wanted

    /// Emitted when a file is marked, automatically or by the user; empty: not a file.
    signal marked(file: string, chosen: bool)
    /// Emitted with text for the name field.
    signal typed(text: string)
    signal leaving()

    function arrow(date: bool): string {
        return entries.byDate !== date ? "" : entries.backwards ? "chevron_up" : "chevron_down"
    }

    function mark(row: int, chosen: bool, stays = false) {
        current = entries.pathAt(row)
        isFolder = entries.isFolder(row)
        list.currentIndex = row
        if (!stays)
            list.positionViewAtIndex(row, ListView.Contain)
        marked(isFolder ? "" : entries.nameAt(row), chosen)
    }

    function take(row: int) {
        list.forceActiveFocus(Qt.TabFocusReason)
        if (list.count > 0)
            mark(Math.max(0, row), false)
    }

    function enter(path: string, folder: bool) {
        if (folder)
            chooser.goTo(path)
        else
            chooser.enter(path)
    }

    function goUp() {
        wanted = chooser.folder
        chooser.goUp()
    }

    Keys.onPressed: event => {
        // Typed text goes to the name field from everywhere in the list, column headers included.
        if (event.text > " " && event.key !== Qt.Key_Delete && !(event.modifiers & Qt.ControlModifier)) {
            root.typed(event.text)
            event.accepted = true
        }
    }
    onCurrentChanged: if (current === "") { isFolder = false; list.currentIndex = -1 }

    Connections {
        /// Listed folder and its scroll position, kept because other programs' changes refresh the list often.
        property string shown
        property real scrolled: 0

        function listing(): string {
            return `${root.chooser.folder}\n${root.entries.prefix}\n${root.entries.byDate} ${root.entries.backwards}`
        }

        target: root.entries
        function onModelAboutToBeReset() { scrolled = list.contentY - list.originY }
        function onCountChanged() {
            if (root.entries.reading)
                return
            const stays = shown === listing() && root.wanted === ""
            const row = root.entries.rowOf(root.wanted !== "" ? root.wanted : root.current)
            root.wanted = ""
            if (row >= 0 || (list.activeFocus && list.count > 0))
                root.mark(Math.max(0, row), false, stays)
            else
                root.current = ""
            shown = listing()
            if (!stays)
                return
            list.forceLayout()
            list.contentY = list.originY + Math.max(0, Math.min(scrolled, list.contentHeight - list.height))
        }
    }

    Rectangle {
        anchors.fill: parent
        radius: Theme.radiusField
        color: "transparent"
        border.width: list.activeFocus ? Theme.strokeStrong : 1
        border.color: list.activeFocus ? Theme.accent : Theme.line
    }
    SmallButton {
        objectName: "fileByName"
        x: 8
        y: 3
        text: qsTr("Name")
        icon.name: root.arrow(false)
        onClicked: root.entries.orderBy(false)
    }
    SmallButton {
        objectName: "fileByDate"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: 3
        text: qsTr("Changed")
        icon.name: root.arrow(true)
        onClicked: root.entries.orderBy(true)
    }
    Divider {
        x: 1
        y: 29
        width: parent.width - Theme.space0
    }
    ScrollList {
        id: list

        objectName: "fileList"
        anchors.fill: parent
        anchors.topMargin: Theme.row + Theme.space0
        anchors.margins: Theme.focusGap
        focus: true
        activeFocusOnTab: true
        model: root.entries
        currentIndex: -1
        first: -1
        paged: false // the mark moves along
        highlightFollowsCurrentItem: false // `mark` scrolls if necessary
        keyNavigationEnabled: false
        Accessible.name: qsTr("Files in %1").arg(root.chooser.folder)
        onActiveFocusChanged: if (activeFocus && currentIndex < 0 && count > 0) root.mark(0, false)
        Keys.onPressed: event => {
            const page = Math.max(1, Math.floor(height / 28) - 1)
            const steps = { [Qt.Key_Down]: 1, [Qt.Key_Up]: -1, [Qt.Key_PageDown]: page, [Qt.Key_PageUp]: -page,
                [Qt.Key_Home]: -count, [Qt.Key_End]: count }
            if (event.key === Qt.Key_Up && (event.modifiers & Qt.AltModifier || currentIndex <= 0))
                event.modifiers & Qt.AltModifier ? root.goUp() : root.leaving()
            else if (event.key in steps && count > 0)
                root.mark(Math.max(0, Math.min(count - 1, currentIndex + steps[event.key])), true)
            else if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && root.current !== "")
                root.enter(root.current, root.isFolder)
            else if (event.key === Qt.Key_Backspace)
                root.goUp()
            else
                return
            event.accepted = true
        }

        delegate: Rectangle {
            id: row

            required property int index
            required property string name
            required property string path
            required property bool folder
            required property string size
            required property string changed

            objectName: "file:" + name
            width: ListView.view.width
            height: Theme.row
            radius: Theme.radiusField
            color: ListView.isCurrentItem ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: folder ? qsTr("%1, a folder").arg(name) : name

            FileMark {
                x: 8
                anchors.verticalCenter: parent.verticalCenter
                folder: row.folder
            }
            PlainText {
                x: 32
                width: bytes.x - x - Theme.space2
                anchors.verticalCenter: parent.verticalCenter
                text: row.name
                maximumLineCount: 1
                elide: Text.ElideMiddle
                font.weight: row.folder ? Font.DemiBold : Font.Normal
            }
            SmallText {
                id: bytes
                x: when.x - width - Theme.space4
                anchors.verticalCenter: parent.verticalCenter
                text: row.size
                color: Theme.text3
            }
            SmallText {
                id: when
                x: parent.width - width - Theme.space3
                width: 120
                horizontalAlignment: Text.AlignRight
                anchors.verticalCenter: parent.verticalCenter
                text: row.changed
                color: Theme.text3
            }
            HoverHandler { id: hover }
            TapHandler {
                onTapped: (point, button) => {
                    // Mark first: without a mark, a list that gets the focus starts at its top.
                    if (tapCount === 1)
                        root.mark(row.index, true)
                    list.forceActiveFocus(Qt.MouseFocusReason)
                    if (tapCount > 1)
                        root.enter(row.path, row.folder)
                }
            }
        }
    }
    PlainText {
        x: 16
        y: 44
        width: parent.width - Theme.space6
        visible: list.count === 0
        wrapMode: Text.Wrap
        text: root.entries.reading ? qsTr("Reading the folder…")
            : root.entries.failure !== "" ? root.entries.failure : root.entries.prefix !== "" ? qsTr("No file of this kind begins with \"%1\".").arg(root.entries.prefix)
            : qsTr("This folder has no file of this kind.")
        color: Theme.text3
    }
}
