import QtQuick
import QtTest
import Weir

TestCase {
    id: test

    name: "ScrollList"
    when: windowShown
    width: 200
    height: 60
    visible: true

    ScrollList {
        id: list

        anchors.fill: parent
        model: changingRows
        delegate: Column {
            height: 20
            Repeater {
                model: 200
                Item {}
            }
        }
    }

    ScrollList {
        id: uneven

        anchors.fill: parent
        visible: false
        model: 60
        delegate: Item {
            required property int index

            width: 20
            height: index % 10 === 0 ? 30 : 12
        }
    }

    /// Regression: a row created for Page Down got the focus before its position, and was mistaken for the first row.
    function test_pages_of_rows_of_unequal_height() {
        failOnWarning(/Binding loop/)
        uneven.visible = true
        uneven.forceActiveFocus()
        compare(uneven.currentIndex, 0)
        for (let at = 0; at < 59; ) {
            keyClick(Qt.Key_PageDown)
            waitForRendering(uneven)
            verify(uneven.currentIndex > at)
            // The whole row is visible at once.
            const row = uneven.currentItem
            verify(row.y >= uneven.contentY && row.y + row.height <= uneven.contentY + uneven.height)
            at = uneven.currentIndex
        }
        keyClick(Qt.Key_Home)
        compare(uneven.currentIndex, 0)
        keyClick(Qt.Key_End)
        waitForRendering(uneven)
        compare(uneven.currentIndex, 59)
        uneven.visible = false
    }

    /// Rows requested ahead of time would be cancelled with a warning.
    function test_a_model_may_become_short_at_any_time() {
        failOnWarning(/DelegateModel/)
        for (let time = 10; time < 40; ++time) {
            changingRows.reset(40)
            waitForRendering(list)
            verify(list.itemAtIndex(2))
            wait(time)
            changingRows.reset(0)
            compare(list.count, 0)
        }
    }
}
