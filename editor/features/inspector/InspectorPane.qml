import QtQuick
import QtQuick.Controls.Basic
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property Inspector inspector: editor.inspector

    property Item wanted: null
    readonly property Item keysAt: Window.activeFocusItem

    // Tab also leads to fields below the visible part. A pressed field stays under the pointer.
    onKeysAtChanged: {
        for (let above = keysAt; above && Presses.byKey; above = above.parent)
            if (above === content)
                show(keysAt)
    }

    function show(field: Item) {
        wanted = field
        settled.restart()
    }

    objectName: "inspectorPane"
    color: Theme.pane

    // A click beside the fields commits typed text, too.
    TapHandler {
        onTapped: {
            const at = root.Window.activeFocusItem
            if ((at as TextInput) || (at as TextEdit))
                root.forceActiveFocus(Qt.MouseFocusReason)
        }
    }
    Column {
        id: header

        x: 16
        y: 12
        width: parent.width - Theme.space6
        visible: root.inspector.hasBlock
        spacing: Theme.space2

        BlockHeader {
            width: parent.width
            inspector: root.inspector
        }
        TabStrip {
            objectName: "inspectorTabs"
            room: header.width
            gap: Theme.space4
            labels: [qsTr("Parameters"), qsTr("Ports"), qsTr("Runtime"), qsTr("Docs")]
            current: root.inspector.tab
            onChosen: index => root.inspector.tab = index
        }
    }
    Divider {
        x: 1
        y: header.y + header.height
        width: parent.width - 1
        visible: header.visible
    }
    Flickable {
        id: scroll

        anchors.fill: parent
        anchors.topMargin: header.visible ? header.y + header.height + 1 : 0
        anchors.bottomMargin: (banner.visible ? banner.height + Theme.space5 : 0) + (foot.visible ? foot.height : 0)
        contentHeight: content.height + 28
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentHeight > height
        ScrollBar.vertical: SlimScrollBar {}

        Item {
            id: content

            x: 16
            y: 12
            width: scroll.width - Theme.space6
            height: block.visible ? block.height : several.visible ? several.height
                    : wire.visible ? wire.height : project.height

            BlockInspector {
                id: block
                width: parent.width
                visible: root.inspector.hasBlock
                editor: root.editor
                inspector: root.inspector
                onFocused: field => root.show(field)
                onDesignEntered: foot.takeFocus()
            }
            ProjectInspector {
                id: project
                width: parent.width
                visible: root.inspector.selectedCount === 0 && !root.editor.wire.shown
                editor: root.editor
                onFocused: field => root.show(field)
            }
            WirePane {
                id: wire
                objectName: "wirePane"
                width: parent.width
                visible: root.editor.wire.shown
                editor: root.editor
                onFocused: field => root.show(field)
            }
            SelectionInspector {
                id: several
                width: parent.width
                visible: root.inspector.selectedCount > 1
                inspector: root.inspector
                fields: root.editor.fields
                onFocused: field => root.show(field)
            }
        }
    }
    DesignFoot {
        id: foot

        y: scroll.y + scroll.height
        width: parent.width
        height: implicitHeight
        visible: block.visible && root.inspector.tab === Inspector.Parameters && design.possible
                 && (design.state === FilterDesign.Proposed || design.state === FilterDesign.Changed)
        design: block.design
    }
    // Below the fields: a problem that appears during typing must not move the fields under the pointer.
    ProblemBanner {
        id: banner

        x: 16
        y: parent.height - height - Theme.space3
        width: parent.width - Theme.space6
        height: implicitHeight
        visible: root.inspector.hasBlock && problem.message !== ""
        problem: root.inspector.problem
        onFixRequested: (problem, fix) => root.editor.fields.applyProblemFix(problem, fix)
    }
    FileAsk {
        id: chooser

        editor: root.editor
        title: qsTr("Choose a file")
        acceptLabel: qsTr("Choose")
        currentFolder: root.editor.folder
        onAccepted: root.editor.fields.takeFile(selectedFile)
    }
    Connections {
        target: root.editor.fields
        function onFileRequested() { chooser.open() }
    }
    Connections {
        target: root.inspector
        function onBlockIdChanged() { scroll.contentY = 0 }
        function onTabChanged() { scroll.contentY = 0 }
    }
    Timer {
        id: settled

        // Positions are known once the layout has settled.
        interval: 0
        onTriggered: {
            if (!root.wanted)
                return
            const y = root.wanted.mapToItem(content, 0, 0).y
            if (y < scroll.contentY || y + root.wanted.height > scroll.contentY + scroll.height)
                scroll.contentY = Math.max(0, Math.min(y - 48, scroll.contentHeight - scroll.height))
        }
    }
}
