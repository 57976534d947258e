// Runtimes that end a block's writer with it, whoever else gets something from above: before one of those ends, all that still want something
// are looked for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hosted/guest.hpp"

namespace weir::hosted {

/// How many have ended: as long as it is the same, so is what was found.
inline std::atomic<std::uint64_t> endings{0};

/// A sink that still gets items from above `guest`, on ways that lead through none that is over; null: there is none.
inline const Guest* sink_beside(const Guest& guest) {
    std::vector<const Guest*> above{&guest}, behind;
    const auto add = [](std::vector<const Guest*>& to, const Guest* found) {
        if (found != nullptr && std::ranges::find(to, found) == to.end()) to.push_back(found);
    };
    const auto add_readers = [&](const Guest& of) {
        for (std::size_t port = 0; port < of.outputs(); ++port) {
            for (const Guest* reader : of.written(port).readers()) {
                if (!reader->is_over()) add(behind, reader);
            }
        }
    };
    for (std::size_t i = 0; i < above.size(); ++i) {
        for (std::size_t port = 0; port < above[i]->inputs(); ++port) add(above, above[i]->read(port).writer());
        if (i != 0) add_readers(*above[i]);
    }
    for (std::size_t i = 0; i < behind.size(); ++i) {
        if (behind[i]->outputs() == 0) return behind[i];
        add_readers(*behind[i]);
    }
    return nullptr;
}

}  // namespace weir::hosted
