#pragma once

#include "features/code/syntax.h"

#include <QStringList>

#include <compare>
#include <vector>

namespace weir::editor {

/// A place between two characters. Lines and columns count from 0.
struct TextPlace {
    int line = 0;
    int column = 0;

    auto operator<=>(const TextPlace&) const = default;
};

struct TextMatch {
    int line = 0;
    int column = 0;
    int length = 0;

    bool operator==(const TextMatch&) const = default;
};

/// A text to read: its lines, colours on demand, search. Tabs extend to the next multiple of 8, as compilers count
/// columns.
class CodeText {
  public:
    CodeText() = default;
    CodeText(const QString& text, Language language);

    int lineCount() const { return static_cast<int>(m_lines.size()); }
    /// Return a line; empty if the number is out of range.
    QString line(int number) const { return m_lines.value(number); }
    std::vector<Token> tokens(int line) const;
    /// Return the columns of the longest line.
    int columns() const { return m_columns; }

    /// Return the selected text, line ends included.
    QString between(TextPlace a, TextPlace b) const;
    /// Return the nearest place in the text.
    TextPlace clamped(TextPlace place) const;
    /// Return the word around a place, as a double click selects it.
    std::pair<TextPlace, TextPlace> wordAt(TextPlace place) const;
    /// Return every occurrence. Case matters only if `wanted` has a capital letter.
    std::vector<TextMatch> find(const QString& wanted) const;

  private:
    QStringList m_lines;
    std::vector<LineState> m_states;
    Language m_language = Language::Plain;
    int m_columns = 0;
};

} // namespace weir::editor
