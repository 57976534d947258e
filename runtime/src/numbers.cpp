#include "weir/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "weir/text.hpp"

namespace weir {

namespace {

/// digits x 10^exponent
struct Decimal {
    bool negative = false;
    std::string digits;
    int exponent = 0;
};

struct Suffix {
    std::string_view text;
    int exponent;
};
constexpr Suffix kSuffixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"µ", -6}, {"m", -3},
                                {"k", 3},   {"M", 6},  {"G", 9},  {"T", 12}};
constexpr int kMaxExponent = 400;  // beyond the range of a double; keeps the arithmetic on exponents from overflowing

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int take_suffix(std::string_view& text) {
    for (const Suffix& suffix : kSuffixes) {
        if (!text.ends_with(suffix.text)) continue;
        text.remove_suffix(suffix.text.size());
        if (text.ends_with(' ')) text.remove_suffix(1);
        return suffix.exponent;
    }
    return 0;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
    Decimal d;
    d.exponent = take_suffix(text);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        d.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const auto take_digits = [&] {
        const std::size_t before = d.digits.size();
        while (!text.empty() && is_digit(text.front())) {
            d.digits += text.front();
            text.remove_prefix(1);
        }
        return d.digits.size() - before;
    };
    take_digits();
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        d.exponent -= static_cast<int>(std::min<std::size_t>(take_digits(), 10'000));
    }
    if (d.digits.empty() || d.digits.size() > 1000) return std::nullopt;
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('+')) text.remove_prefix(1);
        int exponent = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
        if (error != std::errc{} || std::abs(exponent) > kMaxExponent) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        d.exponent += exponent;
    }
    if (!text.empty()) return std::nullopt;
    return d;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
    const std::optional<Decimal> d = parse_decimal(text);
    if (!d) return std::nullopt;
    const std::string plain = concat({d->digits, "e", std::to_string(d->exponent)});
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error == std::errc::result_out_of_range) {
        // from_chars reports underflow and overflow alike; only an overflow is an error to the user.
        if (d->exponent + static_cast<int>(d->digits.size()) > 0) return std::nullopt;
        value = 0;
    } else if (error != std::errc{}) {
        return std::nullopt;
    }
    return d->negative ? -value : value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::optional<Decimal> d = parse_decimal(text);
    if (!d) return std::nullopt;
    std::string digits = d->digits.substr(std::min(d->digits.find_first_not_of('0'), d->digits.size()));
    if (digits.empty()) return 0;
    while (d->exponent < 0 && digits.ends_with('0')) {
        digits.pop_back();
        ++d->exponent;
    }
    if (d->exponent < 0 || digits.size() + static_cast<std::size_t>(d->exponent) > 19) return std::nullopt;
    digits.append(static_cast<std::size_t>(d->exponent), '0');
    if (d->negative) digits.insert(digits.begin(), '-');
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

std::string_view did_you_mean(std::string_view typed, std::span<const std::string_view> names) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
    for (const std::string_view name : names) {
        const std::size_t distance = edit_distance(typed, name);
        if (distance >= best_distance) continue;
        best = name;
        best_distance = distance;
    }
    return best;
}

std::string suggestion(std::string_view guess) {
    return guess.empty() ? "--help lists the valid names" : concat({"did you mean `", guess, "`?"});
}

}  // namespace weir
