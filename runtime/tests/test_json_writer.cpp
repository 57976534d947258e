#include "weir/json_writer.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace {

using weir::json_quoted;
using weir::JsonWriter;

TEST(JsonQuoted, EscapesAsJsonRequires) {
    EXPECT_EQ(json_quoted("plain"), R"("plain")");
    EXPECT_EQ(json_quoted("say \"hi\" \\ */"), R"("say \"hi\" \\ */")");
    EXPECT_EQ(json_quoted("a\nb\tc\rd"), R"("a\nb\tc\rd")");
    EXPECT_EQ(json_quoted(std::string_view("\0\x01\x1f\b\f", 5)), R"("\u0000\u0001\u001f\b\f")");
    EXPECT_EQ(json_quoted("\x7f"), "\"\x7f\"");
}

TEST(JsonQuoted, KeepsUtf8AndReplacesInvalidBytes) {
    EXPECT_EQ(json_quoted("5 µs € 𝄞"), "\"5 µs € 𝄞\"");
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(json_quoted("a\xff"
                          "b"),
              "\"a" + replacement + "b\"");
    EXPECT_EQ(json_quoted("\xC3"), "\"" + replacement + "\"");                                // truncated
    EXPECT_EQ(json_quoted("\xC0\xAF"), "\"" + replacement + replacement + "\"");              // overlong
    EXPECT_EQ(json_quoted("\xED\xA0\x80"), "\"" + replacement + replacement + replacement + "\"");  // a surrogate
    EXPECT_EQ(json_quoted("\xF4\x90\x80\x80").size(), 2 + 4 * replacement.size());            // beyond U+10FFFF
    EXPECT_EQ(json_quoted("\xE2\x82"
                          "x"),
              "\"" + replacement + replacement + "x\"");
}

TEST(JsonWriter, LaysOutBlocksAndLines) {
    JsonWriter json;
    json.begin_object();
    json.field("a", 1);
    json.key("b");
    json.begin_array();
    json.begin_object(JsonWriter::Layout::line);
    json.field("x", true);
    json.field("y", "z");
    json.end_object();
    json.end_array();
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.field("list", std::vector<int>{1, 2});
    json.field("none", std::optional<int>());
    json.end_object();
    EXPECT_EQ(json.take(), R"({
  "a": 1,
  "b": [
    {"x": true, "y": "z"}
  ],
  "empty": [],
  "list": [1, 2],
  "none": null
}
)");
}

TEST(JsonWriter, NumbersReadBackEqual) {
    const auto text = [](auto number) {
        JsonWriter json;
        json.value(number);
        std::string out = json.take();
        out.pop_back();
        return out;
    };
    EXPECT_EQ(text(0.1), "0.1");
    EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(text(std::nan("")), "null");
    EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "null");
    for (const double number : {1.0 / 3, 1e300, 5e-324, 123456789.123})
        EXPECT_EQ(std::strtod(text(number).c_str(), nullptr), number);
}

}  // namespace
