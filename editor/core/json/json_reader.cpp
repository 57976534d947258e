#include "core/json/json_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <vector>

namespace weir::editor {
namespace {

class Builder final : public nlohmann::json_sax<Json> {
  public:
    Json root;
    std::string refusal;
    std::string parserMessage;
    std::size_t errorPosition = 0;

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }

    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<number_integer_t>::max()))
            return refuse("the number " + std::to_string(value) + " does not fit 64 bits");
        return add(static_cast<number_integer_t>(value));
    }

    bool number_float(number_float_t value, const string_t& digits) override {
        // The parser would turn an integer that is too large into a float, and so change it.
        if (digits.find_first_of(".eE") == std::string::npos)
            return refuse("the number " + digits.substr(0, 24) + " does not fit 64 bits");
        return add(value);
    }

    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return refuse("binary values are not JSON"); }

    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        // Lookup in an ordered object is linear: finding duplicates in it would be quadratic.
        if (!m_names.back().insert(name).second) return refuse("the key \"" + name + "\" appears twice in one object");
        m_key = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        errorPosition = position;
        parserMessage = error.what();
        return false;
    }

  private:
    bool refuse(std::string why) {
        refusal = std::move(why);
        return false;
    }

    template <typename T> Json* place(T&& value) {
        if (m_open.empty()) {
            root = std::forward<T>(value);
            return &root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::forward<T>(value));
            return &parent.back();
        }
        Json::object_t::Container& members = parent.get_ref<Json::object_t&>();
        members.emplace_back(m_key, std::forward<T>(value));
        return &members.back().second;
    }

    template <typename T> bool add(T&& value) {
        place(std::forward<T>(value));
        return true;
    }

    bool open(Json container) {
        if (m_open.size() == kMaximumDepth)
            return refuse("nested deeper than " + std::to_string(kMaximumDepth) + " levels");
        m_open.push_back(place(std::move(container)));
        m_names.emplace_back();
        return true;
    }

    bool close() {
        m_open.pop_back();
        m_names.pop_back();
        return true;
    }

    // Pointers stay valid: a container grows only while none of its children is open.
    std::vector<Json*> m_open;
    std::vector<std::unordered_set<std::string>> m_names;  ///< names of the members of each open container
    std::string m_key;
};

/// Return the parser's message without its error number and position.
std::string reason(const std::string& message) {
    const auto dash = message.find(" - ");
    if (dash != std::string::npos) return message.substr(dash + 3);
    const auto bracket = message.find("] ");
    return bracket == std::string::npos ? message : message.substr(bracket + 2);
}

}  // namespace

std::variant<Json, ReadError> readJson(std::string_view text) {
    if (text.size() > kMaximumBytes) return ReadError{"the file is larger than 16 MiB"};
    if (text.substr(0, 3) == "\xEF\xBB\xBF") return ReadError{"the file begins with a byte order mark", 1, 1};
    Builder builder;
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
    if (!builder.refusal.empty()) return ReadError{builder.refusal};
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(builder.errorPosition, text.size()));
    const auto line = std::count(text.begin(), end, '\n') + 1;
    const auto lineStart = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
    return ReadError{reason(builder.parserMessage), static_cast<std::size_t>(line),
                     static_cast<std::size_t>(end - lineStart)};
}

Json jsonFrom(const QByteArray& text) {
    auto parsed = readJson({text.constData(), static_cast<std::size_t>(text.size())});
    Json* json = std::get_if<Json>(&parsed);
    return json ? std::move(*json) : Json();
}

}  // namespace weir::editor
