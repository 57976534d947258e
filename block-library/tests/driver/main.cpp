// Answers requests, one line of JSON each: {"op": "run", …} or {"op": "defaults"} of "block": "<id>/<item type>".
#include <iostream>

#include "registry.hpp"

int main() {
    using weir::test::Json;
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        Json answer;
        try {
            const Json request = Json::parse(line);
            const auto& subject = weir::test::registry().at(request.at("block"));
            answer = request.at("op") == "defaults" ? subject.defaults() : subject.run(request);
        } catch (const std::exception& e) {
            answer = {{"outcome", "harness"}, {"message", e.what()}};
        }
        std::cout << answer.dump() << std::endl;
    }
}
