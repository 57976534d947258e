#include <array>
#include <cmath>
#include <cstdio>

#include "weir/results.hpp"
#include "weir/text.hpp"

namespace weir {

namespace {

constexpr std::size_t kLabelWidth = 12;

std::string line(std::string_view label, const std::string& text) {
    std::string padded(label);
    padded.resize(kLabelWidth, ' ');
    return concat({padded, text, "\n"});
}

/// Return the number with three to four digits and an SI prefix, such as `12.3 M`.
std::string engineering(double value) {
    constexpr std::array<const char*, 5> kPrefixes = {" ", " k", " M", " G", " T"};
    std::size_t i = 0;
    while (std::abs(value) >= 999.5 && i + 1 < kPrefixes.size()) {
        value /= 1000;
        ++i;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g%s", value, kPrefixes[i]);
    return text.data();
}

std::string duration(double ns) {
    constexpr std::array<const char*, 4> kUnits = {"ns", "us", "ms", "s"};
    std::size_t i = 0;
    while (std::abs(ns) >= 999.5 && i + 1 < kUnits.size()) {
        ns /= 1000;
        ++i;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s", ns, kUnits[i]);
    return text.data();
}

std::string load_text(const LoadResult& load) {
    const auto rate = [](std::optional<double> items_per_s) { return items_per_s ? engineering(*items_per_s) : "– "; };
    return concat({"offered ", rate(load.offered_items_per_s), "items/s, delivered ", rate(load.delivered_items_per_s),
                   "items/s",
                   !load.kept_up   ? ""
                   : *load.kept_up ? ": kept up"
                                   : ": did not keep up"});
}

std::string sink_text(const SinkResult& sink) {
    std::string text = concat({sink.id, "  ", std::to_string(sink.items), " items"});
    if (sink.expected && *sink.expected != sink.items) text += concat({" instead of ", std::to_string(*sink.expected)});
    if (sink.digest) text += concat({"  digest ", digest_text(*sink.digest)});
    return text;
}

constexpr std::size_t kMostSinks = 8;

}  // namespace

std::string summary_text(const Results& r, const std::string& where) {
    std::string text = line("status", concat({name_of(r.status()), "  ", r.plan->project, " / ", r.plan->deployment,
                                              " (", r.plan->scheduler, ")"}));
    for (const Reason& reason : r.reasons) text += line("", concat({spec_of(reason.code).name, ": ", reason.message}));
    if (r.verification) {
        text += line("verified", concat({r.verification->ok ? "" : "MISMATCH: ", r.verification->message}));
        for (const VerifiedSink& sink : r.verification->sinks) {
            text +=
                line("", concat({sink.id, sink.ok() ? "  ok  " : "  differs  ", std::to_string(sink.items), " items"}));
        }
        return text + line("results", where);
    }
    if (r.throughput_items_per_s) {
        text += line("throughput", concat({engineering(*r.throughput_items_per_s), "items/s over ",
                                           duration(r.window_s.value_or(0) * 1e9)}));
    }
    if (r.load.offered_items_per_s) text += line("load", load_text(r.load));
    if (r.recording) text += line("latency", "`weir import` computes it from the recorded events");
    for (std::size_t i = 0; i < r.sinks.size() && i < kMostSinks; ++i) {
        text += line(i == 0 ? "sinks" : "", sink_text(r.sinks[i]));
    }
    if (r.sinks.size() > kMostSinks)
        text += line("", concat({"and ", std::to_string(r.sinks.size() - kMostSinks), " more"}));
    return text + line("results", where);
}

}  // namespace weir
