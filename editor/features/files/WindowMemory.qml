pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Restores the window: its size, the widths of its panes, the theme and the view.
Item {
    id: root

    required property Memory memory
    required property Editor editor
    required property ApplicationWindow window
    /// Panes are stored in this order.
    required property list<SplitView> splits

    property bool restored: false

    function restore() {
        for (let i = 0; i < splits.length; ++i) {
            const state = memory.value("split" + i)
            if (state)
                splits[i].restoreState(state)
        }
        if (memory.value("maximised", false) === true || memory.value("maximised") === "true")
            window.showMaximized()
        restored = true
    }

    function keep() {
        const maximised = window.visibility === Window.Maximized
        memory.setValue("maximised", maximised)
        if (window.visibility === Window.Windowed)
            memory.setValue("size", Qt.size(window.width, window.height))
        for (let i = 0; i < splits.length; ++i)
            memory.setValue("split" + i, splits[i].saveState())
        memory.setValue("theme", Theme.dark ? "dark" : "light")
        memory.setValue("view", editor.view)
    }

    Component.onCompleted: restore()

    // A compromise: a crash loses little, and dragging a border does not write a file at each pixel.
    Timer {
        id: soon
        interval: 1000
        onTriggered: root.keep()
    }
    Connections {
        target: root.window
        function onWidthChanged() { soon.restart() }
        function onHeightChanged() { soon.restart() }
        function onVisibilityChanged() { soon.restart() }
        function onClosing() { root.keep() }
    }
    Connections {
        target: root.editor
        function onViewChanged() { soon.restart() }
    }
    Connections {
        target: root.editor.files
        function onQuitAccepted() { root.keep() }
    }
    Connections {
        target: Theme
        function onDarkChanged() { if (root.restored) soon.restart() }
    }
    Instantiator {
        model: root.splits

        delegate: Connections {
            required property SplitView modelData

            target: modelData
            function onResizingChanged() { soon.restart() }
        }
    }
}
