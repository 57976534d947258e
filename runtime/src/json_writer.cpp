#include "weir/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace weir {

namespace {

/// Return the length of the well-formed UTF-8 sequence at the front of `s`, or 0 (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const auto within = [&](std::size_t i, unsigned lo, unsigned hi) {
        return i < s.size() && byte(i) >= lo && byte(i) <= hi;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned lo = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned hi = lead == 0xED ? 0x9F : 0xBF;  // no surrogates
        return within(1, lo, hi) && within(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned lo = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned hi = lead == 0xF4 ? 0x8F : 0xBF;
        return within(1, lo, hi) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        default: break;
    }
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20) {
        out += c;
        return;
    }
    out += "\\u00";
    out += kHex[u >> 4];
    out += kHex[u & 15U];
}

}  // namespace

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t n = utf8_length(text);
        if (n == 0) out += "\xEF\xBF\xBD";
        else if (n == 1) append_escaped(out, text.front());
        else out += text.substr(0, n);
        text.remove_prefix(n == 0 ? 1 : n);
    }
    out += '"';
    return out;
}

void JsonWriter::newline() {
    text_ += '\n';
    text_.append(2 * scopes_.size(), ' ');
}

void JsonWriter::separate() {
    if (after_key_ || scopes_.empty()) {
        after_key_ = false;
        return;
    }
    Scope& scope = scopes_.back();
    if (!scope.empty) text_ += ',';
    if (scope.layout == Layout::block) newline();
    else if (!scope.empty) text_ += ' ';
    scope.empty = false;
}

void JsonWriter::token(std::string_view text) {
    separate();
    text_ += text;
}

void JsonWriter::begin(char bracket, Layout layout) {
    separate();
    text_ += bracket;
    const bool inside_line = !scopes_.empty() && scopes_.back().layout == Layout::line;
    scopes_.push_back({inside_line ? Layout::line : layout});
}

void JsonWriter::end(char bracket) {
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    if (scope.layout == Layout::block && !scope.empty) newline();
    text_ += bracket;
}

void JsonWriter::key(std::string_view name) {
    separate();
    text_ += json_quoted(name);
    text_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text) { token(json_quoted(text)); }

void JsonWriter::value(double number) {
    if (!std::isfinite(number)) {
        null();
        return;
    }
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    token(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

std::string JsonWriter::take() {
    text_ += '\n';
    return std::move(text_);
}

}  // namespace weir
