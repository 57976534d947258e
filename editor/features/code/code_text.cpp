#include "features/code/code_text.h"

#include "core/text/expression_text.h"

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kTabStop = 8;

QString withoutTabs(const QString& line) {
    if (!line.contains(u'\t')) return line;
    QString blanks;
    for (const QChar c : line) {
        if (c == u'\t') blanks.append(QString(kTabStop - blanks.size() % kTabStop, u' '));
        else blanks.append(c);
    }
    return blanks;
}

} // namespace

CodeText::CodeText(const QString& text, Language language) : m_language(language) {
    m_lines = text.split(u'\n');
    // The end of the last line begins no line.
    if (m_lines.size() > 1 && m_lines.constLast().isEmpty()) m_lines.removeLast();
    m_states.reserve(static_cast<std::size_t>(m_lines.size()));
    LineState state;
    for (QString& line : m_lines) {
        if (line.endsWith(u'\r')) line.chop(1);
        line = withoutTabs(line);
        m_columns = std::max(m_columns, static_cast<int>(line.size()));
        m_states.push_back(state);
        tokenize(line, m_language, state);
    }
}

std::vector<Token> CodeText::tokens(int line) const {
    if (line < 0 || line >= lineCount()) return {};
    LineState state = m_states[static_cast<std::size_t>(line)];
    return tokenize(m_lines[line], m_language, state);
}

TextPlace CodeText::clamped(TextPlace place) const {
    place.line = std::clamp(place.line, 0, std::max(lineCount() - 1, 0));
    place.column = std::clamp(place.column, 0, static_cast<int>(line(place.line).size()));
    return place;
}

QString CodeText::between(TextPlace a, TextPlace b) const {
    a = clamped(a);
    b = clamped(b);
    if (b < a) std::swap(a, b);
    if (a.line == b.line) return line(a.line).mid(a.column, b.column - a.column);
    QString text = line(a.line).mid(a.column);
    for (int i = a.line + 1; i < b.line; ++i) text += u'\n' + line(i);
    return text + u'\n' + line(b.line).left(b.column);
}

std::pair<TextPlace, TextPlace> CodeText::wordAt(TextPlace place) const {
    place = clamped(place);
    const QString text = line(place.line);
    int first = place.column;
    int last = place.column;
    while (first > 0 && isWord(text[first - 1])) --first;
    while (last < text.size() && isWord(text[last])) ++last;
    return {{place.line, first}, {place.line, last}};
}

std::vector<TextMatch> CodeText::find(const QString& wanted) const {
    std::vector<TextMatch> matches;
    if (wanted.isEmpty()) return matches;
    const bool exact = std::any_of(wanted.begin(), wanted.end(), [](QChar c) { return c.isUpper(); });
    const auto sensitivity = exact ? Qt::CaseSensitive : Qt::CaseInsensitive;
    for (int i = 0; i < lineCount(); ++i)
        for (qsizetype at = m_lines[i].indexOf(wanted, 0, sensitivity); at >= 0;
             at = m_lines[i].indexOf(wanted, at + wanted.size(), sensitivity))
            matches.push_back({i, static_cast<int>(at), static_cast<int>(wanted.size())});
    return matches;
}

} // namespace weir::editor
