import QtQuick
import QtTest
import Weir

TestCase {
    id: test

    name: "Hint"
    when: windowShown
    width: 1400
    height: 300
    visible: true

    Rectangle {
        id: row

        x: 10
        y: 20
        width: 200
        height: 28

        Hint {
            id: hint
            delay: 0
            text: "A long text about a block. ".repeat(12)
        }
    }

    function test_a_long_hint_is_beside_its_item() {
        hint.shown = true
        tryVerify(() => hint.opened)
        const left = hint.contentItem.mapToItem(null, 0, 0).x
        verify(left >= 0 && left < row.x + row.width, "it begins at " + left)
    }

    Component {
        id: leaving

        Rectangle {
            property alias hint: its

            width: 20
            height: 20

            Hint {
                id: its
                delay: 50
                text: "About what goes."
            }
        }
    }

    function test_what_leaves_the_window_before_it_came_has_none() {
        failOnWarning(/cannot find any window/)
        const item = createTemporaryObject(leaving, test)
        item.hint.shown = true
        item.parent = null
        wait(120)
        verify(!item.hint.opened)
        item.parent = test
        tryVerify(() => item.hint.opened)
    }

    function test_a_click_ends_it_until_the_pointer_comes_again() {
        hint.shown = true
        tryVerify(() => hint.opened)
        mouseClick(row)
        tryVerify(() => !hint.visible)
        wait(20)
        verify(!hint.visible)
        hint.shown = false
        hint.shown = true
        tryVerify(() => hint.opened)
    }
}
