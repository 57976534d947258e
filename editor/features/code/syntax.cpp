#include "features/code/syntax.h"

#include "core/text/expression_text.h"

#include <QSet>

#include <algorithm>

namespace weir::editor {
namespace {

const QSet<QString>& cppKeywords() {
    static const QSet<QString> words = [] {
        const QString text = QStringLiteral(
            "alignas alignof asm auto break case catch class co_await co_return co_yield concept const const_cast "
            "consteval constexpr constinit continue decltype default delete do dynamic_cast else enum explicit "
            "export extern false final for friend goto if inline mutable namespace new noexcept nullptr operator "
            "override private protected public register reinterpret_cast requires return sizeof static static_assert "
            "static_cast struct switch template this thread_local throw true try typedef typeid typename union using "
            "virtual volatile while");
        const QStringList list = text.split(u' ');
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

const QSet<QString>& cppTypes() {
    static const QSet<QString> words = [] {
        const QString text = QStringLiteral(
            "bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t size_t "
            "ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t string "
            "string_view vector array complex span optional atomic");
        const QStringList list = text.split(u' ');
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

/// Return the end of a quoted text from `from`, including the closing quote; without one, the end of the line.
qsizetype endOfQuoted(QStringView line, qsizetype from) {
    for (qsizetype i = from + 1; i < line.size(); ++i) {
        if (line[i] == u'\\') ++i;
        else if (line[i] == line[from]) return i + 1;
    }
    return line.size();
}

/// Return the end of a number of C++ or JSON, including signed exponents.
qsizetype endOfNumber(QStringView line, qsizetype from) {
    qsizetype i = from;
    while (i < line.size() &&
           (isWord(line[i]) || line[i] == u'.' || (line[i] == u'\'' && i + 1 < line.size() && isWord(line[i + 1])) ||
            ((line[i] == u'+' || line[i] == u'-') && i > from && QStringView(u"eEpP").contains(line[i - 1]) &&
             !line.mid(from).startsWith(QStringView(u"0x")))))
        ++i;
    return i;
}

class CppLine {
  public:
    CppLine(QStringView line, LineState& state) : m_line(line), m_state(state) {}

    std::vector<Token> tokens() {
        if (m_state.comment) closeComment(0, 0);
        else if (!m_state.rawEnd.isEmpty()) closeRaw(0);
        if (m_at == 0) directive();
        while (m_at < m_line.size()) next();
        return std::move(m_tokens);
    }

  private:
    void add(qsizetype start, qsizetype end, TokenKind kind) {
        if (end > start) m_tokens.push_back({start, end - start, kind});
        m_at = end;
    }

    void closeComment(qsizetype start, qsizetype from) {
        const qsizetype end = m_line.indexOf(QStringView(u"*/"), from);
        m_state.comment = end < 0;
        add(start, end < 0 ? m_line.size() : end + 2, TokenKind::Comment);
    }

    void closeRaw(qsizetype start) {
        const qsizetype end = m_line.indexOf(m_state.rawEnd, m_at);
        const qsizetype after = end < 0 ? m_line.size() : end + m_state.rawEnd.size();
        if (end >= 0) m_state.rawEnd.clear();
        add(start, after, TokenKind::String);
    }

    /// Tokenize `#include <x>`: the directive, and the header as a string.
    void directive() {
        qsizetype i = 0;
        while (i < m_line.size() && m_line[i].isSpace()) ++i;
        if (i == m_line.size() || m_line[i] != u'#') return;
        const qsizetype start = i++;
        while (i < m_line.size() && (m_line[i].isLetter() || m_line[i].isSpace())) ++i;
        const QStringView word = m_line.mid(start + 1, i - start - 1).trimmed();
        add(start, i, TokenKind::Preprocessor);
        if (word == QStringView(u"include") && i < m_line.size() && m_line[i] == u'<') {
            const qsizetype end = m_line.indexOf(u'>', i);
            add(i, end < 0 ? m_line.size() : end + 1, TokenKind::String);
        }
    }

    void next() {
        const QChar c = m_line[m_at];
        const QStringView rest = m_line.mid(m_at);
        if (rest.startsWith(QStringView(u"//"))) {
            add(m_at, m_line.size(), TokenKind::Comment);
        } else if (rest.startsWith(QStringView(u"/*"))) {
            closeComment(m_at, m_at + 2);
        } else if (c == u'"' || c == u'\'') {
            add(m_at, endOfQuoted(m_line, m_at), TokenKind::String);
        } else if (c.isDigit() || (c == u'.' && rest.size() > 1 && rest[1].isDigit())) {
            add(m_at, endOfNumber(m_line, m_at), TokenKind::Number);
        } else if (isWord(c)) {
            word();
        } else {
            ++m_at;
        }
    }

    void word() {
        const qsizetype start = m_at;
        qsizetype end = start;
        while (end < m_line.size() && isWord(m_line[end])) ++end;
        const QStringView text = m_line.mid(start, end - start);
        if (end < m_line.size() && m_line[end] == u'"' && text.endsWith(u'R') && text.size() <= 3) {
            const qsizetype open = m_line.indexOf(u'(', end);
            if (open >= 0) {
                m_state.rawEnd = u')' + m_line.mid(end + 1, open - end - 1).toString() + u'"';
                m_at = open + 1;
                closeRaw(start);
                return;
            }
        }
        const QString name = text.toString();
        add(start, end,
            cppKeywords().contains(name)                    ? TokenKind::Keyword
            : cppTypes().contains(name) || isTypeName(text) ? TokenKind::Type
                                                            : TokenKind::Plain);
        if (m_tokens.back().kind == TokenKind::Plain) m_tokens.pop_back();
    }

    /// Types of the runtime and of blocks begin with one capital letter; constants and macros go on with another one.
    static bool isTypeName(QStringView text) { return text.size() > 1 && text[0].isUpper() && text[1].isLower(); }

    QStringView m_line;
    LineState& m_state;
    std::vector<Token> m_tokens;
    qsizetype m_at = 0;
};

std::vector<Token> cmakeTokens(QStringView line) {
    std::vector<Token> tokens;
    for (qsizetype i = 0; i < line.size();) {
        const qsizetype start = i;
        if (line[i] == u'#') {
            tokens.push_back({i, line.size() - i, TokenKind::Comment});
            break;
        }
        if (line[i] == u'"') {
            i = endOfQuoted(line, i);
            tokens.push_back({start, i - start, TokenKind::String});
        } else if (line.mid(i).startsWith(QStringView(u"${"))) {
            const qsizetype end = line.indexOf(u'}', i);
            i = end < 0 ? line.size() : end + 1;
            tokens.push_back({start, i - start, TokenKind::Type});
        } else if (isWord(line[i])) {
            while (i < line.size() && isWord(line[i])) ++i;
            const QStringView word = line.mid(start, i - start);
            const bool command = i < line.size() && line[i] == u'(';
            const bool shouted = word.size() > 1 && std::all_of(word.begin(), word.end(),
                                                                [](QChar c) { return c.isUpper() || c == u'_'; });
            if (command) tokens.push_back({start, i - start, TokenKind::Keyword});
            else if (shouted) tokens.push_back({start, i - start, TokenKind::Preprocessor});
        } else {
            ++i;
        }
    }
    return tokens;
}

std::vector<Token> jsonTokens(QStringView line) {
    std::vector<Token> tokens;
    for (qsizetype i = 0; i < line.size();) {
        const qsizetype start = i;
        if (line[i] == u'"') {
            i = endOfQuoted(line, i);
            qsizetype after = i;
            while (after < line.size() && line[after].isSpace()) ++after;
            const bool key = after < line.size() && line[after] == u':';
            tokens.push_back({start, i - start, key ? TokenKind::Key : TokenKind::String});
        } else if (line[i].isDigit() || line[i] == u'-') {
            i = std::max(endOfNumber(line, i + (line[i] == u'-' ? 1 : 0)), i + 1);
            tokens.push_back({start, i - start, TokenKind::Number});
        } else if (line[i].isLetter()) {
            while (i < line.size() && line[i].isLetter()) ++i;
            tokens.push_back({start, i - start, TokenKind::Keyword});
        } else {
            ++i;
        }
    }
    return tokens;
}

}  // namespace

Language languageOf(const QString& path) {
    if (path.endsWith(QStringLiteral("CMakeLists.txt")) || path.endsWith(QStringLiteral(".cmake")))
        return Language::Cmake;
    if (path.endsWith(QStringLiteral(".json"))) return Language::Json;
    for (const char* suffix : {".hpp", ".cpp", ".h", ".cc", ".hh"})
        if (path.endsWith(QLatin1String(suffix))) return Language::Cpp;
    return Language::Plain;
}

std::vector<Token> tokenize(QStringView line, Language language, LineState& state) {
    switch (language) {
        case Language::Cpp: return CppLine(line, state).tokens();
        case Language::Cmake: return cmakeTokens(line);
        case Language::Json: return jsonTokens(line);
        case Language::Plain: return {};
    }
    return {};
}

}  // namespace weir::editor
