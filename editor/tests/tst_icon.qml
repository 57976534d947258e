import QtQuick
import QtTest
import Weir

/// Tests that icons have the given colour and draw nothing around their shape, whatever their source.
TestCase {
    id: test

    name: "Icon"
    when: windowShown
    width: 400
    height: 200
    visible: true

    Rectangle {
        id: paper

        width: 300
        height: 100
        color: "#ffffff"

        Icon {
            id: icon

            size: 48
            color: "#c02040"
        }
        CategoryChip {
            id: chip

            x: 100
            width: 40
            height: 40
            category: "filter"
        }
        PushButton {
            id: button

            x: 200
            text: "Undo"
            icon.name: "undo"
        }
    }

    function at(x: int, y: int): color {
        return grabImage(paper).pixel(x, y)
    }
    /// Return the number of pixels of an area that differ from its corner.
    function drawn(x: int, y: int, width: int, height: int): int {
        const image = grabImage(paper)
        let count = 0
        for (let i = 0; i < width; ++i)
            for (let j = 0; j < height; ++j)
                count += Qt.colorEqual(image.pixel(x + i, y + j), image.pixel(x, y)) ? 0 : 1
        return count
    }

    function init() {
        icon.fallback = ""
        icon.color = "#c02040"
    }
    function test_it_has_its_colour_and_takes_another() {
        icon.name = "stop"
        compare(at(24, 24), "#c02040")
        compare(at(2, 2), "#ffffff")
        icon.color = "#207040"
        compare(at(24, 24), "#207040")
    }
    function test_half_a_colour_lets_half_of_the_paper_through() {
        icon.name = "stop"
        icon.color = "#80000000"
        fuzzyCompare(at(24, 24).r, 0.5, 0.02)
    }
    function test_a_block_has_the_icon_that_it_brings() {
        icon.name = "block/square"
        compare(at(24, 24), "#c02040")
        compare(at(13, 13), "#c02040")
        compare(at(10, 10), "#ffffff")
    }
    function test_without_an_own_icon_it_is_the_fallback() {
        icon.fallback = "block/square"
        icon.name = "block/none"
        compare(at(24, 24), "#c02040")
    }
    function test_what_there_is_not_is_said_and_draws_nothing() {
        ignoreWarning("QML Icon: there is no icon nonsense")
        icon.name = "nonsense"
        compare(drawn(0, 0, 48, 48), 0)
    }
    function test_a_chip_shows_the_icon_of_the_type_or_of_the_category() {
        chip.type = ""
        verify(drawn(108, 8, 24, 24) > 20)
        verify(Qt.colorEqual(at(103, 20), Theme.categoryColor("filter")))
        chip.type = "square"
        compare(at(120, 20), Theme.chipText)
        chip.glyph = false
        compare(drawn(104, 4, 32, 32), 0)
    }
    function test_a_button_has_icon_and_words_or_the_icon_alone() {
        const wide = button.width
        verify(drawn(204, 8, 24, 16) > 20)
        button.display = PushButton.IconOnly
        compare(button.width, button.height)
        verify(wide > button.width + 20)
        verify(drawn(204, 4, 24, 24) > 20)
        compare(button.Accessible.name, "Undo")
    }
}
