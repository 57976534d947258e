pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Weir

ApplicationWindow {
    id: root

    required property Editor editor
    property bool dark: false
    /// True while the tour for new users is open.
    property bool welcoming: false

    /// Fields commit typed text when they lose the focus. A shortcut or closing the window does not take the focus
    /// away.
    function takeTyped() {
        const line = activeFocusItem as TextInput
        const note = activeFocusItem as NoteBox
        if (line)
            line.editingFinished()
        else if (note)
            note.finished()
    }

    /// Gives the keyboard to the current view once it is loaded.
    function takeKeys() {
        const page = pages.itemAt(editor.viewIndex - 1) as ViewPage
        if (page)
            cycle.enter(page, page.home, Qt.TabFocusReason)
        else
            canvas.view.forceActiveFocus(Qt.OtherFocusReason)
    }

    /// Opens the bottom panel at this tab and gives it the keyboard.
    function showTab(index: int) {
        bottom.show(index)
        cycle.enter(bottom.inside, null, Qt.ShortcutFocusReason)
    }

    /// Opens the list of problems and shows the first one in the graph.
    function showProblems() {
        bottom.show(0)
        editor.problemGuide.goTo(0)
    }

    /// Opens the panes that the tour explains.
    function showAround() {
        editor.view = "canvas"
        panes.setPalette(true)
        panes.setInspector(true)
        tour.start()
    }

    visible: true
    width: 1600
    height: 1000
    minimumWidth: 900
    minimumHeight: 560
    title: qsTr("%1%2 — Weir").arg(editor.projectTitle || editor.documentName).arg(editor.modified ? " *" : "")
    color: Theme.canvas
    onActiveChanged: {
        if (!active)
            return
        editor.results.library.look()
        editor.doctor.look()
    }
    onClosing: close => {
        takeTyped()
        close.accepted = !editor.modified && !editor.runner.running
        if (!close.accepted)
            editor.files.quit()
    }
    Component.onCompleted: {
        Theme.dark = dark
        root.takeKeys()
        firstStart.running = welcoming && editor.welcome.takeFirstStart()
    }

    Timer {
        id: firstStart
        interval: 0
        onTriggered: root.showAround()
    }

    WindowPanes {
        id: panes
        memory: root.editor.memory
        room: root.width
    }
    PaneCycle {
        id: cycle
        panes: [pages.itemAt(root.editor.viewIndex - 1) ?? canvas.view, tunePane, inspector, bottom, palette, deploymentBar]
        focused: root.activeFocusItem
        onLost: root.takeKeys()
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0
        // An unused Esc dismisses the notice, or closes the settings and leads back to the graph.
        Keys.onEscapePressed: event => {
            if (root.editor.notice !== "") {
                root.editor.dismissNotice()
                event.accepted = true
                return
            }
            root.editor.deploymentSettings.panelOpen = false
            event.accepted = root.editor.view === "canvas"
            if (event.accepted)
                canvas.view.forceActiveFocus(Qt.OtherFocusReason)
        }

        TopBar {
            id: topBar
            Layout.fillWidth: true
            editor: root.editor
            onProblemsRequested: root.showProblems()
            onLogRequested: bottom.show(2)
        }
        BarStack {
            Layout.fillWidth: true
            files: root.editor.files
        }
        SplitView {
            id: columns
            Layout.fillWidth: true
            Layout.fillHeight: true
            orientation: Qt.Horizontal
            handle: SplitGrip {}

            PalettePane {
                id: palette
                // Blocks can only be dropped on the graph; other views use the room better.
                visible: panes.palette && root.editor.view === "canvas"
                SplitView.preferredWidth: 232
                SplitView.minimumWidth: panes.paletteLeast
                SplitView.maximumWidth: panes.paletteMost
                editor: root.editor
                canvas: canvas
            }
            SplitView {
                id: rows
                SplitView.fillWidth: true
                SplitView.minimumWidth: 320
                orientation: Qt.Vertical
                handle: SplitGrip {}

                Item {
                    SplitView.fillHeight: true
                    SplitView.minimumHeight: 200

                    DeploymentBar {
                        id: deploymentBar
                        z: 1
                        width: parent.width
                        room: parent.height - height
                        editor: root.editor
                    }
                    StackLayout {
                        anchors.fill: parent
                        anchors.topMargin: deploymentBar.height
                        currentIndex: root.editor.viewIndex
                        onCurrentIndexChanged: root.takeKeys()

                        GraphCanvas {
                            id: canvas
                            editor: root.editor
                        }
                        Repeater {
                            id: pages
                            model: root.editor.views

                            ViewPage {
                                editor: root.editor
                            }
                        }
                    }
                    QuitBar {
                        z: 1
                        anchors.top: parent.top
                        anchors.topMargin: Theme.space3
                        anchors.horizontalCenter: parent.horizontalCenter
                        runner: root.editor.runner
                    }
                    ExchangeBar {
                        z: 1
                        anchors.top: parent.top
                        anchors.topMargin: deploymentBar.height + Theme.space3
                        anchors.horizontalCenter: parent.horizontalCenter
                        exchange: root.editor.exchange
                    }
                    NoticeBar {
                        // Other pages have their heading at the top; the graph is free at the top.
                        y: root.editor.view === "canvas" ? deploymentBar.height + Theme.space3 : parent.height - height - Theme.space3
                        anchors.horizontalCenter: parent.horizontalCenter
                        width: Math.min(parent.width - Theme.space5, 640)
                        editor: root.editor
                    }
                }
                BottomPanel {
                    id: bottom
                    SplitView.preferredHeight: 232
                    SplitView.minimumHeight: open ? 120 : headHeight
                    SplitView.maximumHeight: open ? Math.max(120, Math.min(480, root.height * 0.3)) : headHeight
                    editor: root.editor
                }
            }
            InspectorPane {
                id: inspector
                visible: panes.inspector && !tunePane.visible
                SplitView.preferredWidth: 312
                SplitView.minimumWidth: panes.inspectorLeast
                SplitView.maximumWidth: panes.inspectorMost
                editor: root.editor
            }
            // Replaces the inspector: both together would leave the graph no room.
            TunePane {
                id: tunePane
                visible: root.editor.tuner.open
                SplitView.preferredWidth: 380
                SplitView.minimumWidth: panes.inspectorLeast
                SplitView.maximumWidth: panes.inspectorMost
                editor: root.editor
            }
        }
        StatusBar {
            Layout.fillWidth: true
            editor: root.editor
            onProblemsRequested: root.showProblems()
        }
    }

    WindowMemory {
        memory: root.editor.memory
        editor: root.editor
        window: root
        splits: [columns, rows]
    }
    FileFlow {
        id: fileFlow
        anchors.fill: parent
        window: root
        editor: root.editor
    }
    TrustDialog { question: root.editor.trust }
    MappingDialogs {
        anchors.fill: parent
        editor: root.editor
        canvas: canvas
    }
    Tour {
        id: tour
        anchors.fill: parent
        steps: [
            { "item": palette, "title": qsTr("Blocks"),
              "text": qsTr("Drag a source, some stages and a sink onto the graph, or press Tab there and type a name. "
                           + "Drag a wire from a port: only ports of the same item type light up.") },
            { "item": inspector, "title": qsTr("Parameters"),
              "text": qsTr("Select a block to see its fields. With nothing selected, this pane shows the project: its name "
                           + "and the parameters that all blocks can use. Ctrl+F6 goes from pane to pane, and F1 lists all keys.") },
            { "item": deploymentBar, "title": qsTr("Deployments"),
              "text": qsTr("Choose the scheduler and its settings. One graph can have several deployments, "
                           + "which you can run and compare.") },
            { "item": topBar.views, "title": qsTr("Six views of one project"),
              "text": qsTr("Draw the graph, drag its blocks onto the cores of this machine, read the C++ that "
                           + "Weir generates, see and compare results, and sweep a field over several values.") },
            { "item": topBar.runButtons, "title": qsTr("Run"),
              "text": qsTr("F6 compiles and runs the flowgraph. Throughput and latency appear below and on the blocks. "
                           + "Change the mapping, run again, and compare.") }
        ]
        onEnded: canvas.view.forceActiveFocus()

        Connections {
            target: root.editor
            // A change of the view ends the tour: the parts that it points to are hidden.
            function onViewChanged() {
                if (tour.running) {
                    tour.step = -1
                    root.takeKeys()
                }
            }
        }
    }
    CommandPalette {
        id: commands
        x: (root.width - width) / 2
        y: 76
        actions: root.editor.actions
    }
    ActionShortcuts {
        actions: root.editor.actions
        canvasFocused: canvas.view.activeFocus
    }
    FieldUndo { window: root }
    Connections {
        target: root.editor.fields
        function onFocusRequested(model) {
            if (model !== root.editor.deploymentSettings.scheduling)
                panes.setInspector(true)
        }
    }
    Connections {
        target: root.editor.runner
        function onQuitRequested() { root.editor.files.quit() }
    }
    Connections {
        target: root.editor.tuner
        function onKeysWanted() { tunePane.takeKeys() }
    }
    Connections {
        target: root.editor
        function onAboutToShowOther() { root.takeTyped() }
        function onViewChosenAgain() { root.takeKeys() }
    }
    Connections {
        target: root.editor.actions
        function onAboutToTrigger() { root.takeTyped() }
        function onRequested(id: string) {
            switch (id) {
            case "file.recent": fileFlow.showRecent(); break
            case "file.export_picture": fileFlow.exportPicture(); break
            case "file.import_grc": fileFlow.importFlowgraph(); break
            case "file.export_grc": fileFlow.exportFlowgraph(); break
            case "edit.find_block_type":
                root.editor.view = "canvas"
                panes.setPalette(true)
                palette.focusSearch()
                break
            case "view.palette":
                panes.setPalette(!palette.visible)
                root.editor.view = "canvas"
                break
            case "view.inspector":
                panes.setInspector(!inspector.visible)
                root.editor.tuner.open = false
                break
            case "view.bottom":
                bottom.setOpen(!bottom.open)
                if (bottom.open && !bottom.bare)
                    cycle.enter(bottom.inside, null, Qt.ShortcutFocusReason)
                break
            case "view.problems": root.showTab(0); break
            case "view.runs": root.showTab(1); break
            case "view.log": root.showTab(2); break
            case "view.zoom_in": canvas.view.zoomBy(1.25); break
            case "view.zoom_out": canvas.view.zoomBy(0.8); break
            case "view.actual_size": canvas.view.resetZoom(); break
            case "view.fit": canvas.view.fit(); break
            case "view.theme": Theme.dark = !Theme.dark; break
            case "view.commands": commands.show(false); break
            case "view.menu": topBar.openMenu(); break
            case "view.next_pane": cycle.go(1); break
            case "view.previous_pane": cycle.go(-1); break
            case "help.keys": commands.show(true); break
            case "help.tour": root.showAround(); break
            }
        }
    }
}
