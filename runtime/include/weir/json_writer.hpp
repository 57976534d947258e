// Writes JSON text: keys in the order of the calls, two-space indent, always valid UTF-8.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

class JsonWriter {
  public:
    /// Layout of a container: `line` keeps all of it on one line.
    enum class Layout : std::uint8_t { block, line };

    void begin_object(Layout layout = Layout::block) { begin('{', layout); }
    void end_object() { end('}'); }
    void begin_array(Layout layout = Layout::block) { begin('[', layout); }
    void end_array() { end(']'); }
    void key(std::string_view name);

    void null() { token("null"); }
    void raw(std::string_view json) { token(json); }  ///< one value that is JSON text already
    void value(bool b) { token(b ? "true" : "false"); }
    void value(std::string_view text);
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(const char* text) { value(std::string_view(text)); }
    void value(double number);  ///< shortest text that reads back equal; null if not finite
    template <std::integral I> void value(I number) { token(std::to_string(number)); }
    template <class T> void value(const std::optional<T>& maybe) {
        if (maybe) value(*maybe);
        else null();
    }
    template <class T> void value(const std::vector<T>& items) { value(std::span<const T>(items)); }
    template <class T> void value(std::span<const T> items) {
        begin_array(Layout::line);
        for (const T& item : items) value(item);
        end_array();
    }

    template <class T> void field(std::string_view name, const T& item) {
        key(name);
        value(item);
    }
    void null_field(std::string_view name) {
        key(name);
        null();
    }

    /// Return the finished text, with one newline at its end.
    std::string take();

  private:
    struct Scope {
        Layout layout;
        bool empty = true;
    };
    void begin(char bracket, Layout layout);
    void end(char bracket);
    void separate();
    void token(std::string_view text);
    void newline();

    std::string text_;
    std::vector<Scope> scopes_;
    bool after_key_ = false;
};

/// Return `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);

}  // namespace weir
