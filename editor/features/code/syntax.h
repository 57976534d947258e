#pragma once

#include <QString>
#include <QStringView>

#include <vector>

namespace weir::editor {

enum class Language { Plain, Cpp, Cmake, Json };

enum class TokenKind { Plain, Comment, Keyword, Type, String, Number, Preprocessor, Key };

struct Token {
    qsizetype start = 0;
    qsizetype length = 0;
    TokenKind kind = TokenKind::Plain;

    bool operator==(const Token&) const = default;
};

/// State at the start of a line: a comment that an earlier line opened, or a raw string that ends with `rawEnd`.
struct LineState {
    bool comment = false;
    QString rawEnd;

    bool operator==(const LineState&) const = default;
};

/// Return the language by the name of the file.
Language languageOf(const QString& path);

/// Return the coloured parts of one line in order. Update `state` for the next line.
std::vector<Token> tokenize(QStringView line, Language language, LineState& state);

} // namespace weir::editor
