// For peer runtimes in which a block that ends also ends its writer, even if the writer has other readers. Before a
// block ends, this search looks for readers that still need items.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hosted/guest.hpp"

namespace weir::hosted {

/// Number of blocks that have ended. As long as it does not change, neither does the result of the search.
inline std::atomic<std::uint64_t> endings{0};

/// Return a sink that still receives items from above `guest`, through blocks that have not ended. Null if there is
/// none.
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
