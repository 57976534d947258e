pragma Singleton

import QtQuick
import Weir

/// Every colour, size, distance, duration and font of the application.
QtObject {
    property bool dark: false

    readonly property color canvas: dark ? "#14171C" : "#F4F6F8"
    readonly property color dots: dark ? "#3A434F" : "#C3CBD6"
    readonly property color pane: dark ? "#1B1F26" : "#FFFFFF"
    readonly property color alt: dark ? "#252B34" : "#EEF1F5"
    readonly property color node: dark ? "#232932" : "#FFFFFF"
    readonly property color nodeBorder: dark ? "#5B6879" : "#8B98A9"
    readonly property color line: dark ? "#323A46" : "#D9DFE6"
    readonly property color control: dark ? "#75818F" : "#7F8A99"
    readonly property color text: dark ? "#E6EBF2" : "#17202B"
    readonly property color text2: dark ? "#B3BDCA" : "#4A5565"
    readonly property color text3: dark ? "#98A4B3" : "#5F6A79"
    readonly property color accent: dark ? "#7AB0FF" : "#1D5FD1"
    readonly property color accentText: dark ? "#0B1522" : "#FFFFFF"
    readonly property color selectedRow: dark ? "#24385A" : "#DCE8FC"
    readonly property color error: dark ? "#FF8A80" : "#B42318"
    readonly property color errorBackground: dark ? "#3B1D1E" : "#FDECEA"
    readonly property color warning: dark ? "#F2B84B" : "#8A5300"
    readonly property color warningBackground: dark ? "#372B14" : "#FFF3D6"
    readonly property color ok: dark ? "#62CF86" : "#19713A"
    readonly property color okBackground: dark ? "#17301F" : "#E3F5E8"
    readonly property color shadow: dark ? "#66000000" : "#2417202B"
    readonly property color chipText: dark ? "#0B1522" : "#FFFFFF"

    readonly property var typeColors: dark ? {
        "c64": "#4DB2F5", "f32": "#F5A04C", "f64": "#D9A27F", "i16": "#D9C94A", "i32": "#3FC6B5", "i8": "#FF85AE", "u8": "#DD86F0"
    } : {
        "c64": "#0A6FB8", "f32": "#B4530A", "f64": "#8A4B2D", "i16": "#756500", "i32": "#0B7A6E", "i8": "#B0245A", "u8": "#9B2BB5"
    }
    readonly property color unknownType: dark ? "#A0ACBB" : "#5B6675"

    readonly property var categoryColors: dark ? {
        "source": "#4DB2F5", "filter": "#B79CFF", "math": "#F5A04C", "sync": "#3FC6B5", "sink": "#FF85AE", "control": "#B3BDCA"
    } : {
        "source": "#0F6CA8", "filter": "#6941C6", "math": "#9A5B00", "sync": "#0B7A6E", "sink": "#B0245A", "control": "#4A5565"
    }
    /// A share, a fifth a step; lightness falls with it, so that greys tell them apart too.
    readonly property var heatFills: dark ? ["#2C3E4F", "#6B5A1E", "#C98020", "#F0683C", "#FF9DB0"]
                                          : ["#DDE9F3", "#F9E3A2", "#F5A94A", "#C9401A", "#8E1030"]
    readonly property var heatTexts: dark ? ["#E6EBF2", "#E6EBF2", "#0B1522", "#0B1522", "#0B1522"]
                                          : ["#17202B", "#17202B", "#17202B", "#FFFFFF", "#FFFFFF"]
    /// The same steps as lines on the canvas, each dark or light enough there.
    readonly property var heatLines: dark ? ["#74899C", "#AC9440", "#D98E2B", "#F0683C", "#FF9DB0"]
                                          : ["#6F8699", "#A67C00", "#BF6400", "#C9401A", "#8E1030"]
    /// How full, how busy: neither good nor bad, and of another hue than heat and errors.
    readonly property var fillLines: dark ? ["#74899C", "#857FBE", "#9C88DC", "#B79CFF", "#D9CBFF"]
                                          : ["#6F8699", "#7F78B8", "#7559C0", "#5F38B8", "#431F94"]
    /// Along wires, paler than the lines in them.
    readonly property var fillBands: fillLines.map(colour => Qt.tint(canvas, Qt.alpha(colour, 0.5)))
    readonly property var seriesColors: dark
        ? ["#4DB2F5", "#F5A04C", "#62CF86", "#DD86F0", "#D9C94A", "#3FC6B5", "#FF85AE", "#B3BDCA"]
        : ["#0A6FB8", "#B4530A", "#19713A", "#9B2BB5", "#756500", "#0B7A6E", "#B0245A", "#4A5565"]
    readonly property var plotStyle: ({
        "background": pane, "ink": text, "muted": text3, "grid": line, "axis": control, "good": ok, "bad": error,
        "series": seriesColors, "sans": sans, "mono": mono
    })
    /// Colours of code; each has 4.5 : 1 or more on a pane, a selected line and a wrong one.
    readonly property var syntax: dark ? {
        "comment": "#A6B1BF", "keyword": "#C3ADFF", "type": "#5AD4C4", "string": "#7ADB99", "number": "#F7B06A",
        "preprocessor": "#E6A0F5", "key": "#7CC6FA"
    } : {
        "comment": "#4F5B6B", "keyword": "#6236B8", "type": "#0A645A", "string": "#14602F", "number": "#8A4500",
        "preprocessor": "#8A2494", "key": "#0A5A99"
    }

    /// Frames and notes; the names are those of project files.
    readonly property var decorColors: dark ? {
        "grey": "#98A4B3", "blue": "#7AB0FF", "green": "#62CF86", "amber": "#F2B84B", "violet": "#B79CFF", "rose": "#FF85AE"
    } : {
        "grey": "#5F6A79", "blue": "#1D5FD1", "green": "#19713A", "amber": "#B07A00", "violet": "#6941C6", "rose": "#B0245A"
    }
    /// What the painters of the canvas need.
    readonly property var canvasColors: {
        "canvas": canvas, "dots": dots, "accent": accent, "error": error, "errorBackground": errorBackground,
        "warning": warning, "warningBackground": warningBackground, "ok": ok, "muted": unknownType, "label": text2, "node": node,
        "nodeBorder": nodeBorder, "text": text, "text3": text3, "chipText": chipText
    }

    readonly property var laneColors: dark ? [
        "#4DB2F5", "#F5A04C", "#62CF86", "#DD86F0", "#D9C94A", "#3FC6B5", "#FF85AE", "#B3BDCA"
    ] : [
        "#0A6FB8", "#B4530A", "#19713A", "#9B2BB5", "#756500", "#0B7A6E", "#B0245A", "#4A5565"
    ]

    readonly property string sans: Fonts.sans
    readonly property string mono: Fonts.mono

    /// Letters, and the lines that they stand on.
    readonly property int sizeFigure: 28 ///< the one number of a page
    readonly property int sizeTitle: 20
    readonly property int sizeHeading: 16
    readonly property int sizeBody: 13
    readonly property int sizeSmall: 12
    readonly property int sizeName: 14 ///< of a block
    readonly property int sizeTiny: 11
    readonly property int lineSmall: 16

    /// Between things, and around them.
    readonly property int space0: 2 ///< lines of one thing
    readonly property int space1: 4
    readonly property int space2: 8
    readonly property int space3: 12
    readonly property int space4: 16
    readonly property int space5: 24
    readonly property int space6: 32

    /// Heights of what is pressed or typed into: in bars, in forms and lists, inside of lines. Then bars and rows.
    readonly property int barControl: 32
    readonly property int fieldControl: 28
    readonly property int smallControl: 24
    readonly property int bar: 44
    readonly property int pill: 22
    readonly property int row: 28
    readonly property int fieldLabel: 104 ///< width of the names beside fields
    readonly property int tableRow: 26

    readonly property int icon: 16
    readonly property int iconLarge: 20
    readonly property int radiusField: 4
    readonly property int radiusChip: 5
    readonly property int radiusButton: 6
    readonly property int radiusNode: 8
    readonly property int stroke: 1
    readonly property int strokeStrong: 2
    readonly property int focusGap: 3 ///< from a control to the ring around it
    readonly property int ringWidth: 3 ///< around what is selected
    readonly property int chipSize: 24 ///< of the sign of a block
    readonly property int mark: 6 ///< a dot, the width of a bar that shows a share
    readonly property int scrollBar: 6

    /// Milliseconds: of what moves to explain itself (not where nobody looks on: a picture is of what is), of a strip that
    /// goes by while something runs, and before a hint comes.
    readonly property int motion: Qt.platform.pluginName === "offscreen" ? 0 : 150
    readonly property int sweep: 1600
    readonly property int hintDelay: 600

    function heatOfBlocks(steps: var): var {
        const colours = {}
        for (const block in steps)
            colours[block] = heatFills[steps[block]]
        return colours
    }

    function heatOfWires(wires: var): var {
        const marks = {}
        for (const wire in wires)
            if (wires[wire].step >= 0)
                marks[wire] = { "color": fillBands[wires[wire].step], "width": wires[wire].width }
        return marks
    }

    /// Blocks on several workers have the colour of the first, as their mark has.
    function workersOfBlocks(blocks: var): var {
        const colours = {}
        for (const block in blocks)
            colours[block] = laneColor(blocks[block])
        return colours
    }

    function typeColor(type: string): color {
        return typeColors[type] ?? unknownType
    }

    function categoryColor(category: string): color {
        return categoryColors[category] ?? categoryColors["control"]
    }

    /// Behind the name of a block; stronger under the pointer.
    function categoryTint(category: string, strong: bool): color {
        return Qt.tint(node, Qt.alpha(categoryColor(category), (dark ? 0.24 : 0.16) + (strong ? 0.12 : 0)))
    }

    /// Of the n-th worker; its name is the identity, since there are more workers than colours.
    function laneColor(number: int): color {
        return number < 0 ? text3 : laneColors[number % laneColors.length]
    }

    function severityName(severity: string): string {
        return severity === "error" ? qsTr("Error") : severity === "warning" ? qsTr("Warning")
             : severity === "unfinished" ? qsTr("To finish") : qsTr("Note")
    }

    /// Of a run, as results.json has it.
    function statusName(status: string): string {
        return ({ "ok": qsTr("ok"), "partial": qsTr("partial"), "failed": qsTr("failed"), "timeout": qsTr("timeout"),
                  "invalid": qsTr("invalid"), "damaged": qsTr("damaged"), "incomplete": qsTr("incomplete") })[status] ?? status
    }

    function severityColor(severity: string): color {
        return severity === "error" ? error : severity === "warning" ? warning : text2
    }
}
