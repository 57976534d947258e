import QtQuick
import Weir

/// A view that is made when it is first shown, so that the window is there sooner.
Loader {
    id: root

    required property Editor editor
    required property string name
    required property string page
    /// Item where the keys begin in it, if it names one.
    readonly property Item home: made?.home ?? null
    readonly property var made: item // some say so, and some do not

    function make() {
        if (visible && editor.view === name && status === Loader.Null)
            setSource(page, { "editor": editor })
    }

    // A hidden page takes no keys, and does not get them back when it can be pressed again.
    enabled: visible
    onVisibleChanged: make()
    Component.onCompleted: make()

    FocusRing {
        z: 1
        objectName: "pageRing"
        anchors.margins: Theme.stroke
        shown: root.Window.activeFocusItem === root && Presses.byKey // none of its parts has the keys
    }
}
