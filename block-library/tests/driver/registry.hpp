// The blocks that the driver can run, by "<id>/<item type>".
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "drive.hpp"
#include "weir/digest.hpp"

namespace weir::test {

struct Subject {
    std::function<Json(const Json& request)> run;
    std::function<Json()> defaults;
};

inline std::map<std::string, Subject>& registry() {
    static std::map<std::string, Subject> subjects;
    return subjects;
}

/// One block through its life: start, begin, work to the end, stop.
template <Block B, class Fill> Json run_block(const Json& request, Fill fill) {
    B block;
    fill(block.params, request.at("parameters"));
    const Json& given = request.at("context");
    const std::string instance = given.at("instance");
    BlockContext context;
    context.instance = instance;
    context.seed = given.at("seed");
    context.run_items = given.at("run_items");
    context.project_dir = given.at("project_dir").get<std::string>();
    context.output_dir = given.at("output_dir").get<std::string>();

    auto driver = drive(block, &B::work, request);
    try {
        if constexpr (requires { block.start(context); }) block.start(context);
    } catch (const std::exception& e) {
        return {{"outcome", "start_failed"}, {"message", e.what()}};
    }
    // Everything that is paced has been due for long.
    if constexpr (requires { block.begin(std::int64_t{}); }) block.begin(0);

    Json answer;
    try {
        answer = driver.run();
    } catch (const Misconduct& e) {
        return {{"outcome", "misconduct"}, {"message", e.what()}};
    }
    if constexpr (requires { block.total_items(); })
        if (const auto total = block.total_items()) answer["total_items"] = *total;
    if constexpr (requires { block.error(); }) answer["message"] = std::string(block.error());
    try {
        if constexpr (requires { block.stop(); }) block.stop();
    } catch (const std::exception& e) {
        answer["outcome"] = "stop_failed";
        answer["message"] = e.what();
    }
    if constexpr (requires { block.digest(); }) answer["digest"] = block.digest();
    driver.save(request.at("outputs"));
    return answer;
}

/// `fill(params, json)` sets what the JSON has; `describe(params)` is the reverse.
template <Block B, class Fill, class Describe> void add(const std::string& name, Fill fill, Describe describe) {
    registry()[name] = {[fill](const Json& request) { return run_block<B>(request, fill); },
                        [describe] { return describe(typename B::Params{}); }};
}

}  // namespace weir::test
