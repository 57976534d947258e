import QtQuick
import Weir

/// Page of a view, loaded when it is first shown: the window opens sooner.
Loader {
    id: root

    required property Editor editor
    required property string name
    required property string page
    /// Item where keyboard navigation begins, if the page names one.
    readonly property Item home: made?.home ?? null
    readonly property var made: item // untyped: only some pages declare `home`

    function make() {
        if (visible && editor.view === name && status === Loader.Null)
            setSource(page, { "editor": editor })
    }

    // A hidden page takes no keys, and does not get the focus back when it is enabled again.
    enabled: visible
    onVisibleChanged: make()
    Component.onCompleted: make()

    FocusRing {
        z: 1
        objectName: "pageRing"
        anchors.margins: Theme.stroke
        shown: root.Window.activeFocusItem === root && Presses.byKey // no item of the page has the focus
    }
}
