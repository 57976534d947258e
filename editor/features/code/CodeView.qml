import QtQuick
import QtQuick.Controls.Basic
import Weir

/// The generated program: its files and the shown file. Lines and blocks select each other.
FocusScope {
    id: root

    required property Editor editor

    readonly property CodeController code: editor.code
    readonly property Item home: view
    readonly property bool shown: editor.view === "code"

    objectName: "codeView"
    onShownChanged: code.active = shown
    Component.onCompleted: code.active = shown

    Rectangle {
        anchors.fill: parent
        color: Theme.pane
    }
    CodeFileList {
        id: fileList

        width: 208
        height: parent.height
        code: root.code
    }
    Divider {
        x: fileList.width
        width: 1
        height: parent.height
    }
    CodeHeader {
        id: header

        x: fileList.width + 1
        width: parent.width - x
        code: root.code
        onFindRequested: findBar.open()
    }
    CodeTextView {
        id: view

        objectName: "codeText"
        anchors.left: header.left
        anchors.right: parent.right
        anchors.top: header.bottom
        anchors.bottom: parent.bottom
        focus: true
        activeFocusOnTab: true
        controller: root.code
        fontFamily: Theme.mono
        fontSize: Theme.sizeSmall
        categoryColors: Theme.categoryColors
        colours: Object.assign({
            "background": Theme.pane, "gutter": Theme.alt, "lineNumber": Theme.text3, "text": Theme.text,
            "selectedLine": Theme.selectedRow, "selection": Theme.accent, "selectionText": Theme.accentText,
            "match": Theme.warningBackground, "accent": Theme.accent, "error": Theme.error,
            "errorLine": Theme.errorBackground, "added": Theme.ok, "addedLine": Theme.okBackground,
            "removed": Theme.error, "removedLine": Theme.errorBackground
        }, Theme.syntax)
        Accessible.role: Accessible.EditableText
        Accessible.readOnly: true
        Accessible.name: qsTr("Code of %1, %n line(s)", "", root.code.lineCount).arg(root.code.file)

        SlimScrollBar {
            id: vertical

            anchors.right: parent.right
            height: parent.height
            orientation: Qt.Vertical
            policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
            size: view.height / Math.max(view.contentHeight, 1)
            position: view.contentY / Math.max(view.contentHeight, 1)
            onPositionChanged: if (pressed) view.contentY = position * view.contentHeight
        }
        SlimScrollBar {
            anchors.bottom: parent.bottom
            width: parent.width - (vertical.visible ? vertical.width : 0)
            orientation: Qt.Horizontal
            policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
            size: view.width / Math.max(view.contentWidth, 1)
            position: view.contentX / Math.max(view.contentWidth, 1)
            onPositionChanged: if (pressed) view.contentX = position * view.contentWidth
        }
        FocusRing { shown: view.activeFocus && root.editor.view === "code" }
    }
    FindStrip {
        id: findBar

        anchors.right: parent.right
        anchors.rightMargin: Theme.space5
        anchors.top: header.bottom
        anchors.topMargin: Theme.space2
        name: "codeFind"
        placeholder: qsTr("Find in this file")
        count: root.code.matchCount
        current: root.code.match + 1
        onTypedChanged: root.code.query = typed
        onVisibleChanged: root.code.query = visible ? typed : ""
        onStepped: by => root.code.nextMatch(by)
        onClosed: view.forceActiveFocus()
    }
    Column {
        anchors.centerIn: view
        width: Math.min(view.width - 48, 420)
        spacing: Theme.space2
        visible: root.code.lineCount === 0

        PlainText {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: root.code.busy ? qsTr("Generating…") : root.code.failure !== "" ? qsTr("No code yet") : ""
            font.pixelSize: Theme.sizeTitle
            font.weight: Font.DemiBold
        }
        PlainText {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            visible: text !== ""
            color: Theme.text2
            text: root.code.busy ? "" : root.code.failure
        }
    }
    Connections {
        target: root.editor.actions
        function onRequested(id: string) {
            if (id === "code.find")
                findBar.open()
        }
    }
}
