pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Weir

/// The window's only file dialog. Enter acts on the text in the field.
PanePopup {
    id: root

    required property Editor editor

    readonly property FileChooser chooser: editor.files.chooser
    readonly property bool saves: asker !== null && asker.mode === FileChooser.SaveFile
    readonly property bool showsPictures: width > 840 && asker !== null && asker.ofProjects

    property FileAsk asker: null
    /// Proposed or typed name, kept when the folder changes.
    property string name
    property bool isAnswered: false

    function ask(what: FileAsk) {
        if (asker !== null)
            asker.visible = false
        asker = what
        asker.visible = true
        isAnswered = false
        const file = saves ? editor.files.proposedFile(what.suffix) : what.currentFolder
        chooser.begin(what.mode, what.nameFilters, file)
        name = saves ? editor.files.proposedName(what.suffix) : ""
        list.current = ""
        newFolder.visible = false
        open()
        propose()
    }

    function propose() {
        field.text = name
        field.forceActiveFocus(Qt.OtherFocusReason)
        field.select(0, chooser.stemLength(name))
    }

    /// Exclude the suffix of the proposed name from the selection: a user who types a path must not get the suffix
    /// twice.
    function dropSuffix() {
        const suffix = root.saves ? root.name.slice(root.chooser.stemLength(root.name)) : ""
        if (suffix === "" || !field.text.endsWith(suffix))
            return
        const rest = field.text.slice(0, -suffix.length)
        if (rest === "/" || rest === "~" || rest.endsWith(suffix))
            field.text = rest
    }

    function showProject(path: string): string {
        return path.endsWith(".json") ? path : ""
    }

    objectName: "fileDialog"
    width: Math.min(1000, parent.width - 64)
    height: Math.min(640, parent.height - 64)
    anchors.centerIn: parent
    padding: Theme.space5
    modal: true
    closePolicy: Popup.CloseOnEscape
    onClosed: {
        chooser.end()
        const answered = asker
        asker = null
        if (answered !== null) {
            answered.visible = false
            if (!isAnswered)
                answered.rejected()
        }
    }
    T.Overlay.modal: Rectangle { color: Qt.alpha(Theme.text, Theme.dark ? 0.1 : 0.3) }

    Connections {
        target: root.editor.files
        function onFileNeeded(ask) { root.ask(ask as FileAsk) }
    }
    Connections {
        target: root.chooser
        function onChosen(file: url) {
            const answered = root.asker
            root.isAnswered = true
            root.close()
            if (answered === null)
                return
            answered.selectedFile = file
            answered.accepted()
        }
        function onMoved() {
            list.current = ""
            if (list.activeFocus)
                field.text = root.name
            else
                root.propose()
        }
    }

    ColumnLayout {
        anchors.fill: parent
        spacing: Theme.space3

        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.space2

            HeadingText {
                Layout.fillWidth: true
                text: root.asker?.title ?? ""
                elide: Text.ElideRight
            }
            SmallButton {
                objectName: "fileNewFolder"
                visible: root.saves // a new folder has no files to open
                text: qsTr("New folder")
                onClicked: newFolder.begin()
            }
            SmallButton {
                objectName: "fileBookmark"
                text: root.chooser.bookmarked ? qsTr("Remove the bookmark") : qsTr("Bookmark")
                hint: qsTr("List this folder among the places on the left, in every project")
                onClicked: root.chooser.setBookmark(root.chooser.folder, !root.chooser.bookmarked)
            }
        }
        FileWay {
            Layout.fillWidth: true
            chooser: root.chooser
        }
        TextBox {
            id: field

            objectName: "fileName"
            Layout.fillWidth: true
            implicitHeight: Theme.barControl
            wrong: root.chooser.problem !== ""
            placeholderText: root.saves ? qsTr("Name of the file, or a path") : qsTr("Name or path: Tab completes it, Enter opens it")
            Accessible.name: placeholderText
            onTextEdited: {
                root.dropSuffix()
                if (!text.includes("/"))
                    root.name = root.saves ? text : ""
                root.chooser.follow(text)
            }
            // The second Enter creates the folder that the first one found missing.
            onAccepted: root.chooser.absent !== "" ? root.chooser.makeAbsent() : root.chooser.enter(text)
            Keys.onTabPressed: {
                const completed = root.chooser.complete(text)
                if (completed === text || text === "")
                    return list.take(0)
                text = completed
                root.chooser.follow(text)
            }
            Keys.onDownPressed: list.take(0)
            Keys.onUpPressed: event => {
                if (event.modifiers & Qt.AltModifier)
                    root.chooser.goUp()
                else
                    list.take(list.count - 1)
            }
            Keys.onPressed: event => {
                event.accepted = event.key === Qt.Key_Backspace && text === ""
                if (event.accepted)
                    root.chooser.goUp()
            }
        }
        RowLayout {
            Layout.fillWidth: true
            Layout.fillHeight: true
            spacing: Theme.space3

            FilePlaces {
                Layout.preferredWidth: 172
                Layout.fillHeight: true
                chooser: root.chooser
            }
            FileList {
                id: list
                Layout.fillWidth: true
                Layout.fillHeight: true
                chooser: root.chooser
                onMarked: (file, chosen) => {
                    // Moving through the list keeps the typed name.
                    if (root.saves && (file === "" || !chosen))
                        return
                    field.text = file
                    if (root.saves)
                        root.name = file
                    root.chooser.clear()
                }
                onTyped: text => {
                    field.forceActiveFocus(Qt.OtherFocusReason)
                    field.text = text
                    root.chooser.follow(text)
                }
                onLeaving: field.forceActiveFocus(Qt.OtherFocusReason)
            }
            FilePreview {
                Layout.preferredWidth: 240
                Layout.fillHeight: true
                visible: root.showsPictures
                editor: root.editor
                path: root.showProject(root.chooser.typedFile !== "" ? root.chooser.typedFile : list.current)
            }
        }
        FileQuestion {
            Layout.fillWidth: true
            chooser: root.chooser
            onLeaving: root.propose()
        }
        NewFolderRow {
            id: newFolder
            Layout.fillWidth: true
            chooser: root.chooser
            onLeaving: field.forceActiveFocus(Qt.OtherFocusReason)
        }
        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.space2

            ChoiceBox {
                id: filters

                objectName: "fileFilter"
                Layout.preferredWidth: 260
                visible: count > 1
                font.family: Theme.sans
                model: root.asker?.nameFilters ?? []
                currentIndex: root.chooser.filter
                Accessible.name: qsTr("Type of files")
                onActivated: index => {
                    root.chooser.filter = index
                    if (root.saves && !field.text.includes("/"))
                        root.name = field.text = root.chooser.withSuffix(field.text)
                }
            }
            ToggleSwitch {
                objectName: "fileHidden"
                Layout.preferredHeight: height
                checked: root.chooser.entries.hidden
                Accessible.name: hiddenLabel.text
                onToggled: root.chooser.entries.hidden = checked
            }
            SmallText {
                id: hiddenLabel
                text: qsTr("Hidden files")
            }
            Item { Layout.fillWidth: true }
            PushButton {
                objectName: "fileCancel"
                text: qsTr("Cancel")
                onClicked: root.close()
            }
            PushButton {
                objectName: "fileAccept"
                primary: true
                text: root.asker?.acceptLabel ?? ""
                onClicked: root.chooser.enter(field.text === "" ? list.currentFolder : field.text)
            }
        }
    }
}
