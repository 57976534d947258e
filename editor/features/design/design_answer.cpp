#include "features/design/design_answer.h"

#include "core/document/project_places.h"
#include "core/json/json_reader.h"
#include "core/text/prose.h"

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

} // namespace

DesignReply readDesignReply(const CliAnswer& answer, const std::string& name) {
    const Json json = jsonFrom(answer.output);
    if (answer.isFine() && !list(member(json, "taps")).empty()) return {answerFrom(json), {}};
    if (const Json* diagnostics = member(json, "diagnostics"); diagnostics && diagnostics->is_array())
        return {{}, faultsFrom(*diagnostics, name)};
    return {{}, {{}, answer.explanation()}};
}

} // namespace weir::editor
