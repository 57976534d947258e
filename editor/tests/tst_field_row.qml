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
            shown: value
            placeholder: "0"
            options: ["a", "b"]
            choices: options
            refused: []
            documentation: ""
            problem: ""
            isSet: true
            type: "f64"
            range: ""
            evaluated: ""
            severity: "error"
            fixes: []
            mixed: false
            place: ""
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

    function test_aNumberIsReadInOneWayAndEditedInAnother() {
        const item = make({ value: "200000000", shown: "200 M" })
        const field = findChild(item, "field:gain")
        compare(field.text, "200 M")
        mouseClick(field)
        compare(field.text, "200000000")
        keyClick(Qt.Key_Return)
        compare(committed.count, 0)
        field.focus = false
        compare(field.text, "200 M")
        compare(committed.count, 0)
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

    function test_whatAnExpressionGivesStandsBelow() {
        const item = make({})
        const height = item.implicitHeight
        item.value = "= 2 * n"
        item.evaluated = "→ 12"
        tryVerify(() => item.implicitHeight > height)
        compare(findChild(item, "evaluated").text, "→ 12")
    }

    function test_aChangedValueIsTakenBack() {
        const item = make({})
        const reset = findChild(item, "reset:gain")
        mouseMove(item, 150, 16)
        tryVerify(() => reset.visible)
        mouseClick(reset)
        compare(committed.signalArguments[0][0], "")
    }

    function test_aKeyTakesBackToTheDefault() {
        const item = make({})
        verify(findChild(item, "reset:gain").focusPolicy === Qt.NoFocus)
        mouseClick(findChild(item, "field:gain"))
        keyClick(Qt.Key_Backspace, Qt.ControlModifier | Qt.ShiftModifier)
        compare(committed.count, 1)
        compare(committed.signalArguments[0][0], "")
    }

    function test_severalBlocksMayDiffer() {
        const item = make({ value: "", mixed: true, placeholder: "mixed" })
        const field = findChild(item, "field:gain")
        compare(field.placeholderText, "mixed")
        mouseClick(field)
        keyClick(Qt.Key_Return)
        compare(committed.count, 0)
    }

    function test_aCorrectionIsOffered() {
        const item = make({ problem: "no such word", fixes: ["Use hann", "Define it"] })
        let asked = []
        item.fixRequested.connect(fix => asked.push(fix))
        waitForRendering(item)
        mouseClick(findChild(item, "fix"))
        mouseClick(findChild(item, "fix:1"))
        compare(asked, [0, 1])
    }

    function test_problemsTakeRoom() {
        const item = make({})
        const height = item.implicitHeight
        item.problem = "too large"
        tryVerify(() => item.implicitHeight > height)
    }
}
