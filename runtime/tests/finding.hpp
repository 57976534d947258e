// Defect that a run under a scheduler showed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::testing {

/// Requirement on a scheduler. `weir test --scheduler-path` prints a line for each (engine/conformance/claims.py).
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
