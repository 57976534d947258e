import QtQuick
import QtTest
import Weir

TestCase {
    id: test

    name: "FieldRow"
    when: windowShown
    width: 400
    height: 200
    visible: true

    Component {
        id: row

        FieldRow {
            width: 300
            index: 0
            name: "gain"
            title: "Gain"
            widget: "text"
            unit: "dB"
            value: "1"
            placeholder: "0"
            options: ["a", "b"]
            documentation: ""
            problem: ""
            isSet: true
        }
    }
    SignalSpy {
        id: committed
        signalName: "committed"
    }

    function make(properties: var): var {
        const item = createTemporaryObject(row, test, properties)
        committed.target = item
        committed.clear()
        return item
    }

    function test_enterCommitsWhatWasTyped() {
        const field = findChild(make({}), "field:gain")
        mouseClick(field)
        field.selectAll()
        keyClick("7")
        keyClick(Qt.Key_Return)
        compare(committed.count, 1)
        compare(committed.signalArguments[0][0], "7")
    }

    function test_escapeTakesBack() {
        const field = findChild(make({}), "field:gain")
        mouseClick(field)
        field.selectAll()
        keyClick("7")
        keyClick(Qt.Key_Escape)
        compare(field.text, "1")
        keyClick(Qt.Key_Return)
        compare(committed.count, 0)
    }

    function test_theDocumentsValueIsShown() {
        const item = make({})
        item.value = "42"
        compare(findChild(item, "field:gain").text, "42")
    }

    function test_switchCommits() {
        const item = make({ widget: "switch", value: "", placeholder: "true" })
        const toggle = findChild(item, "field:gain")
        verify(toggle.checked)
        mouseClick(toggle)
        compare(committed.signalArguments[0][0], "false")
    }

    function test_problemsTakeRoom() {
        const item = make({})
        const height = item.implicitHeight
        item.problem = "too large"
        verify(item.implicitHeight > height)
    }
}
