// Request to the driver, and its answer, as plain data. Only main.cpp and values.cpp include the JSON library, because
// it would slow down the compilation of every block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "values.hpp"

namespace weir::test {

struct Request {
    Values parameters;
    unsigned cut_seed = 0;       ///< 0: offer everything at once
    std::size_t max_chunk = 0;   ///< items
    bool in_place = false;       ///< the first output has the memory of the first input
    bool equal_offers = false;   ///< offer the same number of firings on every port; the block must move them all
    bool by_element = false;     ///< call `element` for each item instead of `work`
    std::optional<std::uint64_t> seek;  ///< index of the first item
    std::size_t items = 0;       ///< number of items that a source makes
    std::vector<std::size_t> in_rates, out_rates;    ///< items per firing, by port
    std::vector<std::string> inputs, outputs;        ///< files of items, by port
    std::string instance, project_dir, output_dir;
    std::uint64_t seed = 0, run_items = 0;
};

struct Answer {
    std::string outcome;  ///< done, exhausted, satisfied, or what went wrong
    std::string message;
    std::size_t calls = 0;
    std::vector<std::size_t> consumed, produced;  ///< items, by port
    std::optional<std::uint64_t> total_items, digest;
};

}  // namespace weir::test
