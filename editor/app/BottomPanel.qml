import QtQuick
import Weir

/// Panel for problems, runs, the log and the report of an import or export. Collapsed, it shows only its tabs and the
/// progress of a run. It opens by itself only to show a report or why a run failed. Each view remembers whether the
/// user opened it.
Rectangle {
    id: root

    required property Editor editor

    readonly property RunController runner: editor.runner
    readonly property ExchangeReport report: editor.exchange.report
    readonly property int runCount: editor.results.library.total
    readonly property int headHeight: 33
    readonly property string key: "bottomOpen/" + editor.view
    property bool open: false
    /// True if a failed run or a report opened the panel, not the user: it closes after a successful run or a read
    /// report.
    property bool lent: false

    property alias tab: tabs.current
    /// Content of the open tab, for keyboard focus.
    readonly property Item inside: open ? [problems, runs, log, reportPanel][tabs.current] : null

    /// True if the open tab lists nothing yet.
    readonly property bool bare: tabs.current === 0 && editor.problemCount === 0 || tabs.current === 1 && runCount === 0

    function recall() {
        lent = false
        const kept = editor.memory.value(key)
        open = !editor.empty && (kept === true || kept === "true") // the welcome page needs no panel
    }
    function recallForOpened() {
        if (!lent && editor.undoText === "") // otherwise the file was written, not read
            recall()
    }
    function setOpen(wanted: bool) {
        lent = false
        open = wanted
        editor.memory.setValue(key, wanted)
    }
    function lend() {
        lent = lent || !open
        open = true
    }
    function show(index: int) {
        tabs.current = index
        setOpen(true)
    }

    objectName: "bottomPanel"
    color: Theme.pane
    Component.onCompleted: recall()

    Timer {
        id: opened

        interval: 0 // waits until the file is completely loaded
        onTriggered: root.recallForOpened()
    }
    TapHandler {
        enabled: !root.open
        onTapped: root.setOpen(true)
    }
    TabStrip {
        id: tabs

        x: Theme.space4
        labels: Array.of(root.editor.problemCount > 0 ? qsTr("Problems %1").arg(root.editor.problemCount) : qsTr("Problems"),
                 root.runCount > 0 ? qsTr("Runs %1").arg(root.runCount) : qsTr("Runs"),
                 qsTr("Log")).concat(root.report.title === "" ? [] : [qsTr("Report")])
        marked: root.open
        onChosen: index => index === tabs.current && root.open ? root.setOpen(false) : root.show(index)
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        height: Theme.barControl
        spacing: Theme.space3

        PlainText {
            objectName: "runStatus"
            anchors.verticalCenter: parent.verticalCenter
            // The list of problems already shows the reason.
            text: root.runner.failure !== "" && root.runner.explained ? qsTr("not run, see Problems") : root.runner.status
            font.pixelSize: Theme.sizeSmall
            color: root.runner.failure === "" ? Theme.text2 : Theme.error
        }
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            visible: root.runner.running && root.runner.progress >= 0
            width: 160
            height: Theme.mark
            radius: height / 2
            color: Theme.line

            Rectangle {
                width: parent.width * Math.max(root.runner.progress, 0)
                height: Theme.mark
                radius: height / 2
                color: Theme.accent
            }
        }
        IconButton {
            objectName: "bottomToggle"
            anchors.verticalCenter: parent.verticalCenter
            icon.name: root.open ? "chevron_down" : "chevron_up"
            hint: root.open ? qsTr("Close problems, runs and log") : qsTr("Open problems, runs and log")
            onClicked: root.setOpen(!root.open)
        }
    }
    Divider {
        y: 32
        width: parent.width
    }
    Item {
        anchors.fill: parent
        anchors.topMargin: root.headHeight
        visible: root.open

        ProblemList {
            id: problems

            anchors.fill: parent
            visible: tabs.current === 0
            editor: root.editor
        }
        RunList {
            id: runs

            anchors.fill: parent
            visible: tabs.current === 1
            editor: root.editor
        }
        LogView {
            id: log

            anchors.fill: parent
            visible: tabs.current === 2
            runner: root.runner
        }
        ReportPanel {
            id: reportPanel

            anchors.fill: parent
            visible: tabs.current === 3
            report: root.report
            onBlockChosen: block => root.editor.goTo(block)
        }
    }
    Connections {
        target: root.report
        function onChanged() {
            if (root.report.title !== "") {
                tabs.current = 3
                root.lend()
            } else if (tabs.current === 3) {
                tabs.current = 0
                if (root.lent)
                    root.recall()
            }
        }
    }
    Connections {
        target: root.editor
        function onViewChanged() { root.recall() }
        function onFileChanged() { opened.start() }
    }
    Connections {
        target: root.runner
        // A report stays until the user closes it.
        function onStarted() { if (tabs.current !== 3) tabs.current = 2 }
        function onFinished() {
            if (root.runner.state === "asking")
                return
            const bad = root.runner.state === "failed" || root.runner.state === "refused"
            const good = root.runner.failure === "" && !bad
            if (good && tabs.current === 3)
                return
            tabs.current = bad && root.runner.explained ? 0
                : root.runner.failure === "" ? 1 : 2
            if (good && root.lent)
                root.recall()
            if (!good)
                root.lend()
        }
    }
}
