// Answers requests, one line of JSON each: {"op": "run" or "defaults", "block": "<id>/<item type>", …}.
#include <iostream>

#include <nlohmann/json.hpp>

#include "registry.hpp"

namespace {

using Json = nlohmann::json;
using namespace weir::test;

Request read(const Json& json) {
    Request request;
    request.parameters = Values(json.at("parameters").dump());
    json.at("cut_seed").get_to(request.cut_seed);
    json.at("max_chunk").get_to(request.max_chunk);
    json.at("in_place").get_to(request.in_place);
    json.at("equal_offers").get_to(request.equal_offers);
    json.at("by_element").get_to(request.by_element);
    if (json.contains("seek")) request.seek = json.at("seek").get<std::uint64_t>();
    json.at("items").get_to(request.items);
    json.at("in_rates").get_to(request.in_rates);
    json.at("out_rates").get_to(request.out_rates);
    json.at("inputs").get_to(request.inputs);
    json.at("outputs").get_to(request.outputs);
    const Json& context = json.at("context");
    context.at("instance").get_to(request.instance);
    context.at("project_dir").get_to(request.project_dir);
    context.at("output_dir").get_to(request.output_dir);
    context.at("seed").get_to(request.seed);
    context.at("run_items").get_to(request.run_items);
    return request;
}

Json write(const Answer& answer) {
    Json json = {{"outcome", answer.outcome},
                 {"message", answer.message},
                 {"calls", answer.calls},
                 {"consumed", answer.consumed},
                 {"produced", answer.produced}};
    if (answer.total_items) json["total_items"] = *answer.total_items;
    if (answer.digest) json["digest"] = *answer.digest;
    return json;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        Json answer;
        try {
            const Json request = Json::parse(line);
            const Subject& subject = registry().at(request.at("block"));
            answer = request.at("op") == "defaults" ? Json::parse(subject.defaults().json())
                                                    : write(subject.run(read(request)));
        } catch (const std::exception& e) {
            answer = {{"outcome", "harness"}, {"message", e.what()}};
        }
        std::cout << answer.dump() << std::endl;
    }
}
