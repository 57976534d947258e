// What a SigMF metadata file says about the layout of its recording. A small strict reader of JSON goes with it: the
// runtime stands on the standard library alone.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::sigmf {

/// Reads JSON from the front, a value at a time. Throws std::runtime_error with the line of the fault.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    /// `member(key)` must read or skip the value.
    template <class F> void object(F&& member) {
        sequence('{', '}', [&] {
            const std::string key = string();
            expect(':');
            member(key);
        });
    }

    /// `element()` must read or skip the value.
    template <class F> void array(F&& element) { sequence('[', ']', element); }

    std::string string() {
        expect('"');
        std::string value;
        while (more() && text_[at_] != '"') {
            const char c = text_[at_++];
            if (static_cast<unsigned char>(c) < 0x20) fault("a control character in a text");
            if (c != '\\') value += c;
            else if (const char escaped = more() ? text_[at_++] : '\0'; escaped == 'u') value += code_unit();
            else value += unescaped(escaped);
        }
        expect('"', false);
        return value;
    }

    double number() {
        skip_blanks();
        double value = 0.0;
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        // from_chars also takes inf and nan, which are no JSON.
        const bool begins_well = more() && std::string_view("-0123456789").find(*begin) != std::string_view::npos;
        if (error != std::errc{} || !begins_well || !std::isfinite(value)) fault("a number is wanted");
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    bool boolean() {
        if (word("true")) return true;
        if (!word("false")) fault("true or false is wanted");
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
                if (!word("null")) fault("a value is wanted");
                break;
            default: number();
        }
    }

    void end() {
        skip_blanks();
        if (more()) fault("something follows the end");
    }

  private:
    static constexpr int kDeepest = 64;

    template <class F> void sequence(char open, char close, F&& element) {
        expect(open);
        if (++depth_ > kDeepest) fault("nested too deeply");
        skip_blanks();
        if (!(more() && text_[at_] == close)) {
            do element();
            while (taken(','));
        }
        expect(close);
        --depth_;
    }

    bool more() const noexcept { return at_ < text_.size(); }

    void skip_blanks() noexcept {
        while (more() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }

    bool taken(char c) noexcept {
        skip_blanks();
        const bool is = more() && text_[at_] == c;
        at_ += is ? 1 : 0;
        return is;
    }

    void expect(char c, bool after_blanks = true) {
        if (after_blanks) skip_blanks();
        if (!more() || text_[at_] != c) fault(std::string("'") + c + "' is wanted");
        ++at_;
    }

    bool word(std::string_view wanted) noexcept {
        skip_blanks();
        if (text_.substr(at_, wanted.size()) != wanted) return false;
        at_ += wanted.size();
        return true;
    }

    char unescaped(char c) {
        constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
        const std::size_t i = kFrom.find(c);
        if (i == std::string_view::npos) fault("an unknown escape in a text");
        return kTo[i];
    }

    /// No text that is read here has more than ASCII in it; anything else becomes '?'.
    char code_unit() {
        unsigned unit = 0;
        const char* begin = text_.data() + at_;
        if (text_.size() - at_ < 4 || std::from_chars(begin, begin + 4, unit, 16).ptr != begin + 4)
            fault("a \\u without four digits");
        at_ += 4;
        return unit < 0x80 ? static_cast<char>(unit) : '?';
    }

    [[noreturn]] void fault(const std::string& what) const {
        std::size_t line = 1;
        for (const char c : text_.substr(0, at_)) line += c == '\n' ? 1 : 0;
        throw std::runtime_error("line " + std::to_string(line) + ": " + what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

/// How one number of a sample is stored.
struct Datatype {
    enum class Kind { kFloat, kSigned, kUnsigned };
    bool complex = false;
    Kind kind = Kind::kFloat;
    std::size_t bytes = 4;
    bool big_endian = false;

    /// core:datatype, e.g. cf32_le or ru8; nothing where SigMF has no such type.
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
    double num_channels = 1.0;
    double trailing_bytes = 0.0;
    double header_bytes = 0.0;  // of all captures together
    bool metadata_only = false;
    bool other_dataset = false;  // the samples are in a file of a format of its own

    static Metadata parse(std::string_view text) {
        Metadata m;
        bool has_global = false;
        JsonReader json(text);
        json.object([&](const std::string& key) {
            if (key == "global") {
                has_global = true;
                json.object([&](const std::string& name) { m.read_global(json, name); });
            } else if (key == "captures") {
                json.array([&] { json.object([&](const std::string& name) { m.read_capture(json, name); }); });
            } else {
                json.skip();
            }
        });
        json.end();
        if (!has_global) throw std::runtime_error("it has no object `global`");
        if (m.datatype.empty()) throw std::runtime_error("it has no core:datatype");
        return m;
    }

  private:
    void read_global(JsonReader& json, const std::string& name) {
        if (name == "core:datatype") datatype = json.string();
        else if (name == "core:sample_rate") sample_rate = json.number();
        else if (name == "core:num_channels") num_channels = json.number();
        else if (name == "core:trailing_bytes") trailing_bytes = json.number();
        else if (name == "core:metadata_only") metadata_only = json.boolean();
        else if (name == "core:dataset") other_dataset = true, json.skip();
        else json.skip();
    }

    void read_capture(JsonReader& json, const std::string& name) {
        if (name == "core:header_bytes") header_bytes += json.number();
        else json.skip();
    }
};

}  // namespace weir::sigmf
