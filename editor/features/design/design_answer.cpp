#include "features/design/design_answer.h"

#include "core/document/project_places.h"
#include "core/json/json_reader.h"
#include "core/text/prose.h"
#include "core/text/value_text.h"
#include "features/design/filter_design.h"

namespace weir::editor {
namespace {

std::vector<double> numbers(const Json* value) {
    std::vector<double> result;
    for (const Json& entry : list(value)) result.push_back(entry.is_number() ? entry.get<double>() : 0.0);
    return result;
}

DesignAnswer answerFrom(const Json& json) {
    DesignAnswer answer;
    answer.taps = list(member(json, "taps"));
    if (const Json* design = member(json, "design"); design && design->is_object()) answer.design = *design;
    answer.facts = object(member(json, "facts"));
    const Json& response = object(member(json, "response"));
    answer.frequencies = numbers(member(response, "frequency_hz"));
    answer.magnitudes = numbers(member(response, "magnitude_db"));
    const Json& stored = object(member(json, "stored"));
    answer.stored = numbers(member(stored, "magnitude_db"));
    answer.agrees = isTrue(stored, "agrees");
    return answer;
}

DesignFaults faultsFrom(const Json& diagnostics, const std::string& name) {
    DesignFaults faults;
    const std::string place = (kDesigns / name).to_string() + '/';
    for (const Json& fault : diagnostics) {
        const std::string pointer = text(member(fault, "pointer"));
        const QString message = prose(fault, "message");
        if (pointer.rfind(place, 0) == 0) faults.fields.emplace(pointer.substr(place.size()), message);
        else if (faults.other.isEmpty()) faults.other = message;
    }
    return faults;
}

QString bandText(const Json& band, double half) {
    const double low = band.at(0).get<double>(), high = band.at(1).get<double>();
    const QString unit = QStringLiteral("Hz");
    if (low <= 0) return FilterDesign::tr("up to %1").arg(siText(high, unit));
    return high >= half ? FilterDesign::tr("from %1").arg(siText(low, unit))
                        : FilterDesign::tr("%1 to %2").arg(siText(low, unit), siText(high, unit));
}

/// Format bands as `up to 97 kHz, from 133 kHz`; empty without bands.
QString bandsText(const Json* bands, double half) {
    QStringList texts;
    for (const Json& band : list(bands))
        if (band.is_array() && band.size() == 2 && band[0].is_number() && band[1].is_number())
            texts.append(bandText(band, half));
    return texts.join(QStringLiteral(", "));
}

std::optional<double> number(const Json& facts, const char* key) {
    const Json* value = member(facts, key);
    return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

QString decibels(double value) { return FilterDesign::tr("%1 dB").arg(QString::number(value, 'f', value < 1 ? 2 : 1)); }

} // namespace

DesignReply readDesignReply(const CliAnswer& answer, const std::string& name) {
    const Json json = jsonFrom(answer.output);
    if (answer.isFine() && !list(member(json, "taps")).empty()) return {answerFrom(json), {}};
    if (const Json* diagnostics = member(json, "diagnostics"); diagnostics && diagnostics->is_array())
        return {{}, faultsFrom(*diagnostics, name)};
    return {{}, {{}, answer.explanation()}};
}

Facts designFacts(const DesignAnswer& answer) {
    if (!answer.design.is_object()) return {};
    const Json& facts = answer.facts;
    const double half = number(answer.design, "sample_rate").value_or(0) / 2;
    Facts list;
    if (const auto count = number(facts, "number_of_taps"))
        list.push_back({FilterDesign::tr("Taps"), numberText(*count)});
    if (const auto items = number(facts, "delay_items"), seconds = number(facts, "delay_s"); items && seconds)
        list.push_back(
            {FilterDesign::tr("Delay"),
             FilterDesign::tr("%1 items, %2").arg(numberText(*items), siText(*seconds, QStringLiteral("s")))});
    if (const auto ripple = number(facts, "passband_ripple_db"))
        list.push_back(
            {FilterDesign::tr("Passband"),
             FilterDesign::tr("%1, ripple %2").arg(bandsText(member(facts, "passband_hz"), half), decibels(*ripple))});
    if (const auto down = number(facts, "stopband_attenuation_db"))
        list.push_back(
            {FilterDesign::tr("Stopband"), FilterDesign::tr("%1, attenuation %2")
                                               .arg(bandsText(member(facts, "stopband_hz"), half), decibels(*down))});
    if (const auto lobes = number(facts, "side_lobes_db"))
        list.push_back(
            {FilterDesign::tr("Side lobes"), FilterDesign::tr("%1 below the passband").arg(decibels(*lobes))});
    return list;
}

QString edgesText(const DesignAnswer& answer) {
    QStringList edges;
    for (const char* key : {"cutoff", "low_cutoff", "high_cutoff", "symbol_rate"})
        if (const auto edge = number(answer.design, key)) edges.append(siText(*edge, QStringLiteral("Hz")));
    return edges.join(QStringLiteral(" – "));
}

} // namespace weir::editor
