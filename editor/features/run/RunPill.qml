import QtQuick
import Weir

/// State of the run in a few words, with its progress below.
Item {
    id: root

    required property RunController runner

    signal activated()

    readonly property var words: ({
        "running": runner.phase.split(",")[0], "waiting": qsTr("waiting"), "stopping": qsTr("stopping"), "ok": warned ? qsTr("done, with a warning") : qsTr("done"),
        "stopped": qsTr("stopped"), "partial": qsTr("partial"), "failed": qsTr("failed"), "refused": qsTr("not run"), "asking": qsTr("asks for trust")
    })
    readonly property var icons: ({ "ok": warned ? "warning" : "check", "stopped": "stop", "partial": "partial", "failed": "close", "refused": "close" })
    /// True if the run has numbers and a warning about them.
    readonly property bool warned: runner.state === "ok" && runner.warned
    readonly property bool bad: runner.state === "failed" || runner.state === "refused"
    readonly property bool careful: runner.state === "waiting" || runner.state === "stopping" || runner.state === "stopped"
        || runner.state === "asking" || runner.state === "partial" || warned

    implicitWidth: pill.implicitWidth
    implicitHeight: Theme.pill
    visible: runner.state !== ""
    activeFocusOnTab: true
    Accessible.role: Accessible.Link
    Accessible.name: runner.status
    Accessible.onPressAction: activated()
    Keys.onReturnPressed: activated()
    Keys.onEnterPressed: activated()
    Keys.onSpacePressed: activated()

    Pill {
        id: pill

        objectName: "runPill"
        icon: root.icons[root.runner.state] ?? ""
        anchors.verticalCenter: parent.verticalCenter
        room: 260 // the hint has the whole text
        elide: Text.ElideRight
        text: (root.runner.otherDeployment !== "" ? root.runner.otherDeployment + ": " : "") + (root.words[root.runner.state] ?? "")
              + (root.runner.running && root.runner.elapsed !== "" ? "  " + root.runner.elapsed : "")
              + (root.runner.remaining !== "" ? qsTr(" · %1 left").arg(root.runner.remaining) : "")
        foreground: root.bad ? Theme.error : root.careful ? Theme.warning : root.runner.state === "ok" ? Theme.ok
            : Theme.text
        background: root.bad ? Theme.errorBackground : root.careful ? Theme.warningBackground
                  : root.runner.state === "ok" ? Theme.okBackground : Theme.alt
    }
    Rectangle {
        y: pill.y + pill.height + 1
        x: 6
        width: pill.width - Theme.space3
        height: Theme.strokeStrong
        visible: root.runner.running && root.runner.progress >= 0
        color: Theme.line

        Rectangle {
            width: parent.width * Math.max(root.runner.progress, 0)
            height: parent.height
            color: Theme.accent
        }
    }
    FocusRing { shown: root.activeFocus }
    HoverHandler {
        id: hover
        cursorShape: Qt.PointingHandCursor
    }
    TapHandler { onTapped: root.activated() }
    Hint {
        shown: hover.hovered
        text: root.runner.status
    }
}
