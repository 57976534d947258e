// Request to the driver and its answer as plain data: only main.cpp and values.cpp know JSON, which would otherwise
// slow down the compilation of every block.
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
    unsigned cut_seed = 0;       ///< 0: everything is offered at once
    std::size_t max_chunk = 0;   ///< items
    bool in_place = false;       ///< the first output is the first input's memory
    bool equal_offers = false;   ///< as many firings on every port, of which none may be left
    bool by_element = false;     ///< `element`, item by item, instead of `work`
    std::optional<std::uint64_t> seek;  ///< the index of the first item
    std::size_t items = 0;       ///< what a source shall make
    std::vector<std::size_t> in_rates, out_rates;    ///< items a firing, a port
    std::vector<std::string> inputs, outputs;        ///< files of items, a port
    std::string instance, project_dir, output_dir;
    std::uint64_t seed = 0, run_items = 0;
};

struct Answer {
    std::string outcome;  ///< done, exhausted, satisfied, or what went wrong
    std::string message;
    std::size_t calls = 0;
    std::vector<std::size_t> consumed, produced;  ///< items, a port
    std::optional<std::uint64_t> total_items, digest;
};

}  // namespace weir::test
