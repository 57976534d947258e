pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Headline of a run, with its actions.
Item {
    id: root

    required property Editor editor

    readonly property Results results: editor.results
    readonly property RunView run: results.run
    readonly property bool counts: run.status === "ok"

    implicitHeight: column.implicitHeight

    Column {
        id: column

        width: parent.width
        spacing: Theme.space2

        Item {
            width: parent.width
            height: Theme.fieldControl

            Row {
                id: naming

                /// Room for the name, the time and the warnings of the run: the name is hidden first.
                readonly property real room: root.width - actions.width - status.width - 4 * spacing
                                             - (profiled.visible ? profiled.width + spacing : 0)

                spacing: Theme.space2
                height: Theme.fieldControl

                HeadingText {
                    id: name

                    anchors.verticalCenter: parent.verticalCenter
                    width: Math.min(implicitWidth, Math.max(120, naming.room - moment.implicitWidth))
                    objectName: "runTitle"
                    text: root.run.title
                    elide: Text.ElideRight
                }
                ElidedText {
                    id: moment

                    objectName: "runMoment"
                    anchors.verticalCenter: parent.verticalCenter
                    width: Math.min(implicitWidth, naming.room - name.width)
                    visible: width > Theme.space6 // the list of runs shows it, too
                    text: root.run.moment
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text2
                }
                StatusMark {
                    id: status

                    objectName: "runState"
                    anchors.verticalCenter: parent.verticalCenter
                    status: root.run.status
                    warned: root.run.warnings.length > 0
                    word: !warned || root.width >= 800 // otherwise the sentence below says it
                }
                ProfiledPill {
                    id: profiled

                    objectName: "profiledRun"
                    anchors.verticalCenter: parent.verticalCenter
                    implicitHeight: Theme.pill
                    visible: root.run.profiled
                }
                StalePill {
                    id: stale

                    objectName: "staleRun"
                    anchors.verticalCenter: parent.verticalCenter
                    implicitHeight: Theme.pill
                    readonly property real spare: naming.room - name.width - (moment.visible ? moment.width : 0) - naming.spacing

                    visible: root.run.differs !== "" && spare >= 60 // the list of runs shows it, too
                    room: spare
                    elide: Text.ElideRight
                    text: differs
                    differs: root.run.differs
                    foreground: Theme.text2
                    background: Theme.alt
                }
            }
            Row {
                id: actions

                anchors.right: parent.right
                height: Theme.fieldControl
                spacing: Theme.space1

                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    objectName: "toGraph"
                    text: qsTr("On the graph")
                    enabled: root.results.fitsGraph
                    hint: root.results.fitsGraph
                        ? qsTr("Show this run's numbers on the graph and choose its deployment")
                        : qsTr("This run has no numbers per block, or its deployment no longer exists")
                    onClicked: root.results.showOnGraph()
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("Use as A")
                    hint: qsTr("Use this run as side A of the comparison and as the baseline of the list")
                    onClicked: root.editor.comparison.startFrom(root.run.path)
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("Use as B")
                    hint: qsTr("Use this run as side B of the comparison")
                    onClicked: root.editor.comparison.setSide(root.run.path, false)
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("Report")
                    enabled: root.results.library.busy === ""
                    hint: qsTr("Make the HTML report of this run and its repetitions, and open it")
                    onClicked: root.results.library.openReport(root.run.path)
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("Folder")
                    hint: qsTr("Open the run's folder")
                    onClicked: root.results.library.openFolder(root.run.path)
                }
                SmallButton {
                    anchors.verticalCenter: parent.verticalCenter
                    objectName: "deleteRun"
                    // The second click on the same run confirms: a single run needs no dialog. Another run may be shown
                    // in between.
                    property string toDelete
                    readonly property bool sure: toDelete !== "" && toDelete === root.run.path
                    text: sure ? qsTr("Really delete?") : qsTr("Delete")
                    hint: qsTr("Delete this run from the disk")
                    onClicked: {
                        const run = root.run.path
                        if (sure)
                            root.results.library.remove(run)
                        toDelete = sure ? "" : run
                    }
                    onHoveredChanged: if (!hovered) toDelete = ""
                    onActiveFocusChanged: if (!activeFocus) toDelete = ""
                }
            }
        }
        Repeater {
            // Warnings of a valid run; else the reasons why it is invalid.
            model: root.counts ? root.run.warnings : root.run.reasons

            Rectangle {
                id: reason

                required property string modelData

                objectName: "reason"
                width: column.width
                height: words.implicitHeight + 10
                radius: Theme.radiusField
                color: root.counts ? Theme.warningBackground : status.paper
                Accessible.role: Accessible.StaticText
                Accessible.name: modelData

                Hatch {
                    anchors.fill: parent
                    visible: !root.counts
                    color: Qt.alpha(status.ink, 0.1)
                }
                NoteText {
                    id: words

                    x: 10
                    y: 5
                    width: parent.width - 20
                    text: reason.modelData
                    color: root.counts ? Theme.warning : status.ink
                }
            }
        }
        Repeater {
            model: root.counts ? root.run.notes : []

            NoteText {
                required property string modelData

                objectName: "note"
                width: column.width
                text: modelData
                color: Theme.text2
            }
        }
        ParkButton {
            objectName: "parkRun"
            editor: root.editor
            deployment: root.run.deployment
            spinning: root.run.spinning
        }
        Flow {
            width: parent.width
            spacing: Theme.space2

            Column {
                rightPadding: Theme.space2
                spacing: 0

                Row {
                    spacing: Theme.space2

                    PlainText {
                        id: headline

                        objectName: "headline"
                        text: root.run.throughput
                        font.family: Theme.mono
                        font.pixelSize: Theme.sizeFigure
                        font.weight: Font.DemiBold
                        font.strikeout: root.run.status === "invalid" && text !== "—"
                        color: root.counts ? Theme.text : Theme.text3
                    }
                    PlainText {
                        objectName: "headlineUnit"
                        anchors.baseline: headline.baseline
                        text: Array.of(root.run.throughputUnit, root.run.together,
                                       root.run.unverified ? qsTr("not verified") : "").filter(part => part !== "").join(", ")
                        color: Theme.text2
                    }
                    HoverHandler { id: overHeadline }
                    Hint {
                        shown: overHeadline.hovered && root.run.window !== ""
                        text: root.run.window
                    }
                }
            }
            Item {
                width: 92
                height: 40
                visible: root.results.history.length > 2

                Sparkline {
                    objectName: "history"
                    width: 84
                    height: 36
                    values: root.results.history
                    current: root.results.historyPlace
                    color: Theme.seriesColors[0]
                    Accessible.role: Accessible.Graphic
                    Accessible.name: historyHint.text
                }
                HoverHandler { id: overHistory }
                Hint {
                    id: historyHint

                    shown: overHistory.hovered
                    text: qsTr("Throughput of the last %n valid run(s) of %1, from 0; the dot is this run", "",
                               root.results.history.length).arg(root.run.deployment)
                }
            }
            Repeater {
                model: root.run.facts

                Column {
                    id: fact

                    required property string label
                    required property string text
                    required property string hint

                    topPadding: Theme.space2
                    rightPadding: Theme.space2
                    spacing: Theme.space0

                    Accessible.role: Accessible.StaticText
                    Accessible.name: fact.label + ": " + fact.text + (fact.hint === "" ? "" : ". " + fact.hint)

                    TinyText {
                        text: fact.label
                        font.weight: Font.Medium
                    }
                    PlainText {
                        width: Math.min(implicitWidth, column.width)
                        text: fact.text
                        wrapMode: Text.Wrap
                        font.family: Theme.mono
                        color: root.counts ? Theme.text : Theme.text3
                    }
                    HoverHandler { id: overFact }
                    Hint {
                        shown: overFact.hovered
                        text: fact.hint
                    }
                }
            }
        }
        Flow {
            width: parent.width
            spacing: Theme.space2

            NoteText {
                width: Math.min(implicitWidth, parent.width)
                height: Math.max(Theme.smallControl, implicitHeight)
                verticalAlignment: Text.AlignVCenter
                text: root.run.spread
                color: Theme.text3
            }
            ElidedText {
                objectName: "shortWindow"
                width: Math.min(implicitWidth, parent.width)
                height: Theme.smallControl
                verticalAlignment: Text.AlignVCenter
                visible: text !== ""
                text: root.run.shortWindow
                font.pixelSize: Theme.sizeSmall
                color: Theme.text2
            }
            MoreItemsButton {
                objectName: "giveRunMoreItems"
                editor: root.editor
                visible: root.run.tooShort
            }
            RunFinding {
                objectName: "runFinding"
                height: Theme.smallControl
                editor: root.editor
                run: root.run.path
                finding: root.run.finding
                profiled: root.run.profiled
            }
        }
        Row {
            width: parent.width
            spacing: Theme.space2

            TextBox {
                id: note

                objectName: "runNote"
                width: Math.min(420, root.width * 0.5)
                implicitHeight: Theme.tableRow
                font.family: Theme.sans
                placeholderText: qsTr("Note about this run")
                Accessible.name: qsTr("Note about this run")
                text: root.run.note
                maximumLength: 1000
                // Typed text belongs to the run that was shown at that time.
                property string typedFor
                onTextEdited: typedFor = root.run.path
                onEditingFinished: {
                    if (typedFor !== "")
                        root.results.library.setNote(typedFor, text)
                    typedFor = ""
                }

                Connections {
                    target: root.run
                    function onChanged() {
                        if (note.typedFor !== "" && note.typedFor !== root.run.path)
                            note.editingFinished()
                    }
                }
            }
            TinyText {
                anchors.verticalCenter: parent.verticalCenter
                width: parent.width - note.width - Theme.space2
                elide: Text.ElideMiddle
                text: root.run.runId
                font.family: Theme.mono
            }
        }
    }
}
