// What a run under a scheduler showed to be wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::testing {

/// What a scheduler is held to. `weir test --scheduler-path` has a line for each (codegen/weir/engine/conformance/claims.py).
enum class Claim : std::uint8_t { answers, liveness, ending, errors, stop, timers, fairness };

constexpr std::string_view name_of(Claim claim) noexcept {
    constexpr std::string_view kNames[] = {"answers", "liveness", "ending", "errors", "stop", "timers", "fairness"};
    return kNames[static_cast<std::size_t>(claim)];
}

struct Finding {
    Claim claim;
    std::string text;
};

}  // namespace weir::testing
