import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Weir

MenuItem {
    id: root

    property Actions actions
    property string actionId

    readonly property string hint: actions && !isLine && !isMenu ? actions.hint(actionId) : ""
    readonly property bool isLine: actionId === "-"
    readonly property bool isMenu: subMenu !== null
    // Menus outlive their openings, so each opening queries again which actions are enabled.
    readonly property bool open: menu !== null && menu.visible

    /// Wraps at the ends, or goes to the next entry that begins with the letter. Returns false for other keys.
    function goBy(key: int, letter: string): bool {
        const count = menu?.count ?? 0
        const able = Array.from({ length: count }, (_, index) => (menu.currentIndex + 1 + index) % count)
                          .filter(index => menu.itemAt(index).enabled)
        const last = Math.max(...able), first = Math.min(...able)
        const to = key === Qt.Key_Down && menu.currentIndex === last ? first
                 : key === Qt.Key_Up && menu.currentIndex === first ? last
                 : /^\S$/.test(letter) ? able.find(index => menu.itemAt(index).text.toLowerCase().startsWith(letter.toLowerCase())) ?? -1
                 : -1
        if (to < 0)
            return false
        menu.currentIndex = to
        return true
    }

    implicitHeight: isLine ? 2 * Theme.space1 + Theme.stroke : Theme.row
    enabled: !isLine && (isMenu || (open && actions && actions.isEnabled(actionId)))
    objectName: "menu:" + (isMenu ? subMenu.objectName : actionId)
    text: isMenu ? subMenu.title : actions && !isLine ? actions.title(actionId) : ""
    checkable: false
    Accessible.name: text
    Accessible.description: hint
    Keys.onPressed: event => {
        const opening = [Qt.Key_Right, Qt.Key_Return, Qt.Key_Enter, Qt.Key_Space].includes(event.key)
        if (opening && subMenu as ActionMenu)
            (subMenu as ActionMenu).byKey = true
        event.accepted = goBy(event.key, event.text)
    }
    onTriggered: if (actions) actions.trigger(actionId)

    contentItem: RowLayout {
        visible: !root.isLine
        spacing: Theme.space1

        Item {
            implicitWidth: Theme.icon
            implicitHeight: Theme.icon

            Icon {
                visible: root.open && root.actions && root.actions.isChecked(root.actionId)
                name: "check"
                color: Theme.accent
            }
        }
        PlainText {
            Layout.fillWidth: true
            text: root.text
            elide: Text.ElideRight
            color: root.enabled ? Theme.text : Theme.text3
        }
        PlainText {
            visible: !root.isMenu
            text: root.actions ? root.actions.keys(root.actionId) : ""
            font.pixelSize: Theme.sizeSmall
            color: Theme.text3
        }
        Icon {
            visible: root.isMenu
            name: "chevron_right"
            color: Theme.text3
        }
    }
    // Beside the menu, so that it covers no other entries.
    Hint {
        x: root.width + Theme.space2
        y: 0
        shown: root.open && root.highlighted
        text: root.hint
    }
    arrow: null
    indicator: null
    background: Rectangle {
        radius: Theme.radiusField
        color: root.highlighted ? Theme.selectedRow : "transparent"

        Divider {
            y: Theme.space1
            width: parent.width
            visible: root.isLine
        }
    }
}
