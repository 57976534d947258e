// The parts of results.json, one translation unit each.
#pragma once

#include "weir/json_writer.hpp"
#include "weir/results.hpp"

namespace weir {

/// `planned`, `granted`, `environment`, `witness` and `clocks`: what the machine was asked for, gave, and was like.
void write_machine(JsonWriter& json, const Results& results);

}  // namespace weir
