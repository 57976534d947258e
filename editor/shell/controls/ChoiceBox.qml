pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic

/// Choice among options; a disabled option says why. If the options are not just texts, supply a delegate.
ComboBox {
    id: root

    readonly property PlainText shownText: contentItem as PlainText
    property bool wrong: false
    property bool unset: false
    property string placeholder
    /// Reason for each option why it is disabled, or "".
    property var refused: []
    /// Width at which no option is cut, up to a maximum.
    property real popupWidth: Math.max(width, 120, Math.min(widest(), 360))
    property real popupMost: 280
    /// True if Enter was pressed in the open list: its release chooses. An Enter pressed before only opened the list.
    property bool choosing: false

    function isEnter(key: int): bool {
        return key === Qt.Key_Return || key === Qt.Key_Enter
    }

    function entry(option: string, index: int): string {
        const why = refused[index] ?? ""
        return why === "" ? option : option + " · " + why
    }

    /// Return the width of the popup at which no option is cut.
    function widest(): real {
        return Array.from(model ?? []).reduce((most, option, index) => Math.max(most, entryMetrics.advanceWidth(entry(option, index))), 0)
            + 2 * Theme.space3 + 2 * Theme.space1 + Theme.space2
    }

    /// Width at which the text is not cut; layouts round down.
    readonly property int wholeWidth: Math.ceil(leftPadding + shownText.implicitWidth + rightPadding)

    implicitHeight: Theme.fieldControl
    font.family: Theme.mono
    font.pixelSize: Theme.sizeSmall

    Keys.onPressed: event => {
        if (!isEnter(event.key))
            return
        choosing = popup.visible
        event.accepted = !choosing
        if (!choosing)
            popup.open()
    }
    Keys.onReleased: event => {
        event.accepted = isEnter(event.key) && !choosing
        choosing = false
    }

    FontMetrics {
        id: entryMetrics
        font.family: root.font.family
        font.pixelSize: Theme.sizeSmall
    }
    Hint {
        shown: root.hovered && root.shownText.truncated && !root.popup.visible
        text: root.shownText.text
    }

    contentItem: PlainText {
        leftPadding: Theme.space2
        rightPadding: Theme.space1
        text: root.unset ? root.placeholder : root.displayText
        font: root.font
        color: root.unset ? Theme.text3 : root.wrong ? Theme.error : Theme.text
        verticalAlignment: Text.AlignVCenter
        elide: Text.ElideRight
    }
    indicator: Icon {
        x: root.width - width - Theme.space1
        anchors.verticalCenter: parent.verticalCenter
        name: "chevron_down"
        color: Theme.text3
    }
    background: Rectangle {
        radius: Theme.radiusField
        color: root.hovered ? Theme.alt : Theme.pane
        border.width: root.visualFocus || root.wrong ? Theme.strokeStrong : Theme.stroke
        border.color: root.wrong ? Theme.error : root.visualFocus ? Theme.accent : Theme.control
    }
    delegate: ItemDelegate {
        id: option

        required property string modelData
        required property int index
        readonly property string why: root.refused[index] ?? ""

        objectName: "option:" + modelData
        width: ListView.view.width
        height: Theme.row
        leftPadding: Theme.space3
        rightPadding: Theme.space3
        enabled: why === ""
        Accessible.name: modelData
        Accessible.description: why
        highlighted: root.highlightedIndex === index
        contentItem: PlainText {
            text: root.entry(option.modelData, option.index)
            color: option.enabled ? Theme.text : Theme.text3
            font.family: root.font.family
            font.pixelSize: Theme.sizeSmall
            verticalAlignment: Text.AlignVCenter
            elide: Text.ElideRight
        }
        background: Rectangle { color: option.highlighted ? Theme.selectedRow : "transparent" }
    }
    popup: Popup {
        y: root.height + 2
        width: root.popupWidth
        height: Math.min(contentItem.implicitHeight + Theme.space2, root.popupMost)
        padding: Theme.space1
        margins: Theme.space2

        contentItem: ScrollList {
            implicitHeight: contentHeight
            model: root.delegateModel
            currentIndex: root.highlightedIndex
            ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }
        }
        background: Rectangle {
            radius: Theme.radiusButton
            color: Theme.pane
            border.color: Theme.line
        }
    }
}
