import QtQuick

/// Heading of the rows or fields below it.
TinyText {
    font.weight: Font.DemiBold
}
