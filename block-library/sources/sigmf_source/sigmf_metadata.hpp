// Layout of a SigMF recording, read from its metadata file. It has its own small, strict JSON reader, because the
// runtime uses only the standard library.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::sigmf {

/// Reader of JSON, one value at a time, as strict as `weir validate` (codegen/weir/model/document/jsontext.py). Throws
/// std::runtime_error with the line and the field of the fault.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // editors on Windows write a byte order mark
        if (!is_utf8(text_)) fault("it is not UTF-8");
    }

    /// Read an object. `member(key)` must read or skip the value.
    template <class F> void object(F&& member) {
        std::set<std::string> keys;
        sequence('{', '}', "must be an object", [&] {
            const std::string key = string();
            const Place place(path_, path_.empty() ? key : "." + key);
            if (!keys.insert(key).second) fault("the key is there twice");
            expect(':');
            member(key);
        });
    }

    /// Read a list. `element()` must read or skip the value.
    template <class F> void array(F&& element) {
        std::size_t count = 0;
        sequence('[', ']', "must be a list", [&] {
            const Place place(path_, "[" + std::to_string(count++) + "]");
            element();
        });
    }

    std::string string() {
        if (!taken('"')) fault("must be a text");
        std::string value;
        while (more() && text_[at_] != '"') {
            const char c = text_[at_++];
            if (static_cast<unsigned char>(c) < 0x20) fault("a control character in a text");
            if (c != '\\') value += c;
            else if (const char escaped = more() ? text_[at_++] : '\0'; escaped == 'u') append_code_point(value);
            else value += unescaped(escaped);
        }
        if (!more()) fault("a text has no end");
        ++at_;
        return value;
    }

    double number() {
        skip_blanks();
        const std::size_t begin = at_;
        const auto digits = [this] {
            const std::size_t first = at_;
            while (more() && is_digit(text_[at_])) ++at_;
            return at_ - first;
        };
        passed("-");
        const bool zero = passed("0");
        if (!zero && digits() == 0) fault("must be a number");
        if (zero && more() && is_digit(text_[at_])) fault("a JSON number cannot begin with 0");
        const std::size_t whole_end = at_;
        if (passed(".") && digits() == 0) fault("must be a number");
        if (passed("eE")) {
            passed("+-");
            if (digits() == 0) fault("must be a number");
        }
        return value_of(text_.substr(begin, at_ - begin), at_ == whole_end);
    }

    /// Read a whole number from 0 to 2^53.
    std::uint64_t index() {
        const double value = number();
        if (value < 0.0 || value > 0x1p53 || value != std::floor(value)) fault("must be a whole number, at least 0");
        return static_cast<std::uint64_t>(value);
    }

    bool boolean() {
        if (word("true")) return true;
        if (!word("false")) fault("must be true or false");
        return false;
    }

    void skip() {
        skip_blanks();
        switch (more() ? text_[at_] : '\0') {
            case '{': object([this](const std::string&) { skip(); }); break;
            case '[': array([this] { skip(); }); break;
            case '"': string(); break;
            case 't':
            case 'f': boolean(); break;
            case 'n':
                if (!word("null")) fault("must be a JSON value");
                break;
            default: number();
        }
    }

    void end() {
        skip_blanks();
        if (more()) fault("something follows the end");
    }

    /// Return the field that is being read, such as captures[0].core:sample_start.
    const std::string& path() const noexcept { return path_; }

  private:
    /// Scope of one step of `path_`, which the destructor removes.
    class Place {
      public:
        Place(std::string& path, const std::string& step) : path_(path), before_(path.size()) { path_ += step; }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() { path_.resize(before_); }

      private:
        std::string& path_;
        std::size_t before_;
    };

    static constexpr int kDeepest = 64;

    template <class F> void sequence(char open, char close, const char* wanted, F&& element) {
        if (!taken(open)) fault(wanted);
        if (++depth_ > kDeepest) fault("nested too deeply");
        skip_blanks();
        if (!(more() && text_[at_] == close)) {
            do element();
            while (taken(','));
        }
        expect(close);
        --depth_;
    }

    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    bool more() const noexcept { return at_ < text_.size(); }

    void skip_blanks() noexcept {
        while (more() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }

    /// Skip the next character if it is one of these. Returns whether it was.
    bool passed(std::string_view any) noexcept {
        const bool is = more() && any.find(text_[at_]) != std::string_view::npos;
        at_ += is ? 1 : 0;
        return is;
    }

    bool taken(char c) noexcept {
        skip_blanks();
        return passed({&c, 1});
    }

    void expect(char c) {
        if (!taken(c)) fault(std::string("expected '") + c + "'");
    }

    bool word(std::string_view wanted) noexcept {
        skip_blanks();
        if (text_.substr(at_, wanted.size()) != wanted) return false;
        at_ += wanted.size();
        return true;
    }

    /// Parse the text of a number. Whole numbers have at most 64 bits.
    double value_of(std::string_view token, bool whole) const {
        const char* end = token.data() + token.size();
        std::int64_t integer = 0;
        double value = 0.0;
        const bool too_large = whole && std::from_chars(token.data(), end, integer).ec != std::errc{};
        // from_chars fails for numbers that are too small and for numbers that are too large. strtod makes 0 of the
        // former, as Python does.
        if (std::from_chars(token.data(), end, value).ec != std::errc{})
            value = std::strtod(std::string(token).c_str(), nullptr);
        if (too_large || !std::isfinite(value)) fault("a number is too large");
        return value;
    }

    char unescaped(char c) const {
        constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
        const std::size_t i = kFrom.find(c);
        if (i == std::string_view::npos) fault("an unknown escape in a text");
        return kTo[i];
    }

    unsigned code_unit() {
        unsigned unit = 0;
        const char* begin = text_.data() + at_;
        if (text_.size() - at_ < 4 || std::from_chars(begin, begin + 4, unit, 16).ptr != begin + 4)
            fault("a \\u without four digits");
        at_ += 4;
        return unit;
    }

    void append_code_point(std::string& text) {
        unsigned code = code_unit();
        if (code >= 0xD800 && code < 0xE000) {
            const unsigned low = code < 0xDC00 && word_follows("\\u") ? code_unit() : 0;
            if (low < 0xDC00 || low >= 0xE000) fault("half a surrogate pair in a text");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        const auto continued = [&](unsigned shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xC0 | (code >> 6));
            continued(0);
        } else if (code < 0x10000) {
            text += static_cast<char>(0xE0 | (code >> 12));
            continued(6), continued(0);
        } else {
            text += static_cast<char>(0xF0 | (code >> 18));
            continued(12), continued(6), continued(0);
        }
    }

    bool word_follows(std::string_view wanted) noexcept {
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

    /// Return whether the text is valid UTF-8, without truncated or overlong sequences, halves of surrogate pairs, and
    /// code points beyond U+10FFFF.
    static bool is_utf8(std::string_view text) noexcept {
        for (std::size_t i = 0; i < text.size();) {
            const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
            const unsigned first = at(i++);
            if (first < 0x80) continue;
            const int more = first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : 3;
            if (first < 0xC2 || first > 0xF4) return false;
            const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
            const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
            if (at(i) < low || at(i) > high) return false;
            for (int k = 0; k < more; ++k)
                if ((at(i++) & 0xC0) != 0x80) return false;
        }
        return true;
    }

    [[noreturn]] void fault(const std::string& what) const {
        std::size_t line = 1;
        for (const char c : text_.substr(0, at_)) line += c == '\n' ? 1 : 0;
        throw std::runtime_error("line " + std::to_string(line) + ": " + (path_.empty() ? "" : path_ + ": ") + what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::string path_;
};

/// Storage format of one number of a sample.
struct Datatype {
    enum class Kind { kFloat, kSigned, kUnsigned };
    bool complex = false;
    Kind kind = Kind::kFloat;
    std::size_t bytes = 4;
    bool big_endian = false;

    /// Parse core:datatype, such as cf32_le or ru8. Returns nothing if SigMF has no such type.
    static std::optional<Datatype> parse(std::string_view name) {
        if (name.size() < 3 || (name[0] != 'c' && name[0] != 'r')) return std::nullopt;
        const std::string_view base = name.substr(1, name.find('_') - 1);
        const std::string_view order = name.substr(1 + base.size());
        Datatype type{.complex = name[0] == 'c'};
        type.kind = base.starts_with('f') ? Kind::kFloat : base.starts_with('i') ? Kind::kSigned : Kind::kUnsigned;
        type.big_endian = order == "_be";
        if (base == "i8" || base == "u8") type.bytes = 1;
        else if (base == "i16" || base == "u16") type.bytes = 2;
        else if (base == "f32" || base == "i32" || base == "u32") type.bytes = 4;
        else if (base == "f64") type.bytes = 8;
        else return std::nullopt;
        const bool order_is_right = type.bytes == 1 ? order.empty() : order == "_le" || order == "_be";
        return order_is_right ? std::optional(type) : std::nullopt;
    }
};

struct Metadata {
    std::string datatype;
    std::optional<double> sample_rate;
    std::string unread;  ///< field with a value that the block does not support, or ""
    std::uint64_t offset = 0;  ///< number of the first sample in the data file
    std::optional<std::uint64_t> first;  ///< start of the first capture, where the recording begins
    std::uint64_t last = 0;  ///< start of the last capture
    std::string last_field;

    static Metadata parse(std::string_view text) {
        Metadata m;
        bool has_global = false;
        JsonReader json(text);
        json.object([&](const std::string& key) {
            if (key == "global") {
                has_global = true;
                json.object([&](const std::string& name) { m.read_global(json, name); });
            } else if (key == "captures") {
                json.array([&] { m.read_capture(json); });
            } else {
                json.skip();
            }
        });
        json.end();
        if (!has_global) throw std::runtime_error("it has no object `global`");
        if (m.datatype.empty()) throw std::runtime_error("it has no global.core:datatype");
        if (m.first.value_or(m.offset) < m.offset)
            throw std::runtime_error("captures[0].core:sample_start is less than global.core:offset");
        return m;
    }

    /// Return the number of samples before the recording begins.
    std::uint64_t before() const noexcept { return first.value_or(offset) - offset; }

  private:
    void read_global(JsonReader& json, const std::string& name) {
        if (name == "core:datatype") datatype = json.string();
        else if (name == "core:sample_rate") sample_rate = json.number();
        else if (name == "core:offset") offset = json.index();
        else if (name == "core:num_channels") refuse(json, json.number() != 1.0);
        else if (name == "core:trailing_bytes") refuse(json, json.number() != 0.0);
        else if (name == "core:metadata_only") refuse(json, json.boolean());
        else if (name == "core:dataset") refuse(json, true), json.skip();
        else json.skip();
    }

    void read_capture(JsonReader& json) {
        const std::string capture = json.path();
        json.object([&](const std::string& name) {
            if (name == "core:header_bytes") {
                refuse(json, json.number() != 0.0);
            } else if (name == "core:sample_start") {
                const std::uint64_t start = json.index();
                if (capture == "captures[0]") first = start;
                if (start < last) throw std::runtime_error(json.path() + " is less than that of a capture before it");
                last = start;
                last_field = json.path();
            } else {
                json.skip();
            }
        });
    }

    void refuse(const JsonReader& json, bool refused) {
        if (refused && unread.empty()) unread = json.path();
    }
};

}  // namespace weir::sigmf
