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

    /// Rows that were asked for ahead of their turn would be cancelled with a warning.
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
