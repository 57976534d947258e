// Blocks that the driver can run, by "<id>/<item type>".
#pragma once

#include <map>
#include <string>

#include "drive.hpp"
#include "weir/digest.hpp"

namespace weir::test {

struct Subject {
    Answer (*run)(const Request& request);
    Values (*defaults)();
};

inline std::map<std::string, Subject>& registry() {
    static std::map<std::string, Subject> subjects;
    return subjects;
}

template <Block B> void seek(B& block, std::uint64_t index) {
    if constexpr (requires {
                      { block.seek(index) } noexcept;
                  })
        block.seek(index);
    else throw Misconduct("has no noexcept `seek`");
}

/// Run one block: start, begin, work until it ends, stop.
template <Block B> Answer run_block(B& block, const Request& request) {
    BlockContext context;
    context.instance = request.instance;
    context.seed = request.seed;
    context.run_items = request.run_items;
    context.project_dir = request.project_dir;
    context.output_dir = request.output_dir;

    Answer answer;
    try {
        if constexpr (requires { block.start(context); }) block.start(context);
    } catch (const std::exception& e) {
        answer.outcome = "start_failed";
        answer.message = e.what();
        return answer;
    }
    // With a start barrier at 0, all paced items are due at once.
    if constexpr (requires { block.begin(std::int64_t{}); }) block.begin(0);

    try {
        if (request.seek) seek(block, *request.seek);
        auto driver = drive(block, &B::work, request);
        answer = driver.run();
        driver.save(request.outputs);
    } catch (const Misconduct& e) {
        answer.outcome = "misconduct";
        answer.message = e.what();
        return answer;
    }
    if constexpr (requires { block.total_items(); }) answer.total_items = block.total_items();
    if constexpr (requires { block.error(); }) answer.message = std::string(block.error());
    try {
        if constexpr (requires { block.stop(); }) block.stop();
    } catch (const std::exception& e) {
        answer.outcome = "stop_failed";
        answer.message = e.what();
    }
    if constexpr (requires { block.digest(); }) answer.digest = block.digest();
    return answer;
}

}  // namespace weir::test
