import QtQuick

/// What the rows or fields below it are.
TinyText {
    font.weight: Font.DemiBold
}
