#include "features/design/design_fields.h"

#include "core/text/value_text.h"
#include "shell/fields/row_builder.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace weir::editor {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FilterDesign)
};

struct Choice {
    const char* word;
    const char* title;
};

constexpr std::array<Choice, 5> kKinds{
    {{"low_pass", QT_TRANSLATE_NOOP("FilterDesign", "low pass")},
     {"high_pass", QT_TRANSLATE_NOOP("FilterDesign", "high pass")},
     {"band_pass", QT_TRANSLATE_NOOP("FilterDesign", "band pass")},
     {"band_reject", QT_TRANSLATE_NOOP("FilterDesign", "band reject")},
     {"root_raised_cosine", QT_TRANSLATE_NOOP("FilterDesign", "root raised cosine")}}};
constexpr std::array<Choice, 6> kWindows{{{"hamming", QT_TRANSLATE_NOOP("FilterDesign", "Hamming")},
                                          {"hann", QT_TRANSLATE_NOOP("FilterDesign", "Hann")},
                                          {"blackman", QT_TRANSLATE_NOOP("FilterDesign", "Blackman")},
                                          {"blackman_harris", QT_TRANSLATE_NOOP("FilterDesign", "Blackman-Harris")},
                                          {"kaiser", QT_TRANSLATE_NOOP("FilterDesign", "Kaiser")},
                                          {"rectangular", QT_TRANSLATE_NOOP("FilterDesign", "rectangular")}}};

enum Use : unsigned { kOneEdge = 1, kTwoEdges = 2, kCosine = 4, kAll = 7, kWindowed = 3 };

/// A numeric field of a design. It starts as a `part`-th of the sample rate, or at `start` if `part` is 0.
struct Field {
    const char* key;
    const char* title;
    const char* unit;
    unsigned use;
    int part;
    double start;
    const char* documentation;
};

constexpr std::array<Field, 8> kNumbers{
    {{"sample_rate", QT_TRANSLATE_NOOP("FilterDesign", "Sample rate"), "Hz", kAll, 0, 48000,
      QT_TRANSLATE_NOOP("FilterDesign",
                        "Items per second at which the filter computes: before decimation, after "
                        "interpolation.")},
     {"cutoff", QT_TRANSLATE_NOOP("FilterDesign", "Cutoff"), "Hz", kOneEdge, 8, 0,
      QT_TRANSLATE_NOOP("FilterDesign", "Frequency at which the response is half the gain.")},
     {"low_cutoff", QT_TRANSLATE_NOOP("FilterDesign", "Low cutoff"), "Hz", kTwoEdges, 8, 0,
      QT_TRANSLATE_NOOP("FilterDesign", "The lower frequency at which the response is half the gain.")},
     {"high_cutoff", QT_TRANSLATE_NOOP("FilterDesign", "High cutoff"), "Hz", kTwoEdges, 4, 0,
      QT_TRANSLATE_NOOP("FilterDesign", "The upper frequency at which the response is half the gain.")},
     {"transition", QT_TRANSLATE_NOOP("FilterDesign", "Transition"), "Hz", kWindowed, 20, 0,
      QT_TRANSLATE_NOOP("FilterDesign",
                        "Width of the band between pass band and stop band, around a cutoff. A narrower "
                        "transition needs more taps.")},
     {"symbol_rate", QT_TRANSLATE_NOOP("FilterDesign", "Symbol rate"), "Hz", kCosine, 4, 0,
      QT_TRANSLATE_NOOP("FilterDesign", "Symbols per second.")},
     {"roll_off", QT_TRANSLATE_NOOP("FilterDesign", "Roll-off"), "", kCosine, 0, 0.35,
      QT_TRANSLATE_NOOP("FilterDesign", "Excess bandwidth over half the symbol rate: above 0, at most 1.")},
     {"number_of_taps", QT_TRANSLATE_NOOP("FilterDesign", "Taps"), "", kCosine, 0, 45,
      QT_TRANSLATE_NOOP("FilterDesign", "An even number is increased by one.")}}};
constexpr double kAttenuation = 60;

unsigned useOf(const std::string& kind) {
    if (kind == "root_raised_cosine") return kCosine;
    return kind == "band_pass" || kind == "band_reject" ? kTwoEdges : kOneEdge;
}

template <std::size_t N> QString titleOf(const std::array<Choice, N>& choices, const std::string& word) {
    const auto it =
        std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.word == word; });
    return it == choices.end() ? qt(word) : Words::tr(it->title);
}

template <std::size_t N> std::string wordOf(const std::array<Choice, N>& choices, const QString& title) {
    const auto it = std::find_if(choices.begin(), choices.end(),
                                 [&](const Choice& choice) { return Words::tr(choice.title) == title; });
    return it == choices.end() ? title.toStdString() : it->word;
}

template <std::size_t N>
ParameterRow choiceRow(const Json& entry, const char* key, const QString& title, const std::array<Choice, N>& choices) {
    QStringList titles;
    for (const Choice& choice : choices) titles.append(Words::tr(choice.title));
    ParameterRow row = asChoice(valueRow(entry, Pointer() / key, "enum", title), titles);
    row.value = titleOf(choices, row.set ? row.value.toStdString() : choices.front().word);
    row.set = false; // a choice has no default to revert to
    return row;
}

ParameterRow numberRow(const Json& entry, const char* key, const QString& title, const QString& documentation,
                       const char* unit = "", const char* type = "f64") {
    ParameterRow row = documented(valueRow(entry, Pointer() / key, type, title), documentation, QLatin1String(unit));
    row.set = false;
    return row;
}

/// Return a part of the sample rate, as an expression if the rate is one.
Json partOf(const Json& sampleRate, int part) {
    if (const Json* source = member(sampleRate, "expr"); source && source->is_string()) {
        const std::string text = source->get<std::string>();
        const bool isName = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
        return {{"expr", (isName ? text : "(" + text + ")") + " / " + std::to_string(part)}};
    }
    return sampleRate.is_number() ? Json(sampleRate.get<double>() / part) : Json(kNumbers.front().start / part);
}

/// Remove fields that the kind and window do not use, and add those that they need.
Json settled(Json entry) {
    const std::string kind = text(member(entry, "kind"));
    const unsigned use = useOf(kind);
    for (const Field& field : kNumbers) {
        if (!(field.use & use)) entry.erase(field.key);
        else if (!entry.contains(field.key))
            entry[field.key] = field.part ? partOf(entry["sample_rate"], field.part) : Json(field.start);
    }
    if (use == kCosine) entry.erase("window");
    else if (!entry.contains("window")) entry["window"] = kWindows.front().word;
    if (text(member(entry, "window")) != "kaiser") {
        entry.erase("attenuation_db");
        entry.erase("beta");
    } else if (!entry.contains("beta") && !entry.contains("attenuation_db")) {
        entry["attenuation_db"] = kAttenuation;
    }
    return entry;
}

} // namespace

QString kindTitle(const std::string& kind) { return titleOf(kKinds, kind); }

std::vector<ParameterRow> designRows(const Json& entry) {
    if (!entry.is_object()) return {};
    std::vector<ParameterRow> rows{choiceRow(entry, "kind", Words::tr("Kind"), kKinds)};
    const unsigned use = useOf(text(member(entry, "kind")));
    for (const Field& field : kNumbers)
        if (field.use & use)
            rows.push_back(numberRow(entry, field.key, Words::tr(field.title), Words::tr(field.documentation),
                                     field.unit, std::string_view(field.key) == "number_of_taps" ? "i64" : "f64"));
    if (use != kCosine) {
        rows.push_back(choiceRow(entry, "window", Words::tr("Window"), kWindows));
        if (entry.contains("beta"))
            rows.push_back(
                numberRow(entry, "beta", Words::tr("Beta"),
                          Words::tr("Shape of the Kaiser window. The number of taps is that of GNU Radio.")));
        else if (text(member(entry, "window")) == "kaiser")
            rows.push_back(numberRow(entry, "attenuation_db", Words::tr("Attenuation"),
                                     Words::tr("Attenuation of the stopband."), "dB"));
    }
    rows.push_back(numberRow(entry, "gain", Words::tr("Gain"), Words::tr("Gain in the middle of the passband.")));
    rows.back().placeholder = QStringLiteral("1");
    rows.back().set = entry.contains("gain");
    return rows;
}

Json withField(const Json& entry, const std::string& key, const QString& typed) {
    Json changed = entry;
    const auto rows = designRows(entry);
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const ParameterRow& it) { return it.name == qt(key); });
    if (row == rows.end()) return changed;
    if (key == "kind") changed[key] = wordOf(kKinds, typed);
    else if (key == "window") changed[key] = wordOf(kWindows, typed);
    else if (!typed.trimmed().isEmpty())
        changed[key] = fieldValue(withoutUnit(typed, row->unit), row->type.toStdString());
    else if (key == "gain") changed.erase(key);
    return settled(std::move(changed));
}

Json proposedDesign(const Json& rate) {
    return settled({{"kind", "low_pass"}, {"sample_rate", rate.is_null() ? Json(kNumbers.front().start) : rate}});
}

} // namespace weir::editor
