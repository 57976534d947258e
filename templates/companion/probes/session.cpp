#include "session.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "vtable.hpp"

namespace weir::companion {

namespace {

/// Gives the protected `dispatch_msg` of GNU Radio's base class.
struct Reached : gr::basic_block {
    static auto dispatch() { return &Reached::dispatch_msg; }
};

/// Return the content of a slot as a function.
template <class Function> Function content(void** slot) noexcept {
    Function function = nullptr;
    std::memcpy(&function, static_cast<const void*>(slot), sizeof function);
    return function;
}

}  // namespace

Session& session() {
    static Session* const one = new Session;  // never destroyed: threads of a hanging block may still call it
    return *one;
}

const void* Session::vtable_of(const gr::basic_block* block) noexcept {
    return static_cast<const void*>(slot(block, 0));
}

void Session::hook() {
    const std::size_t work_place = slot_of(&gr::block::general_work);
    const std::size_t dispatch_place = slot_of(Reached::dispatch());
    const std::size_t start_place = slot_of(&gr::block::start);
    const std::size_t stop_place = slot_of(&gr::block::stop);
    table.assign(std::bit_ceil(4 * rows.size() + 1), {});
    for (const auto& row : rows) {
        const gr::basic_block* const block = row->block.get();
        auto [known, is_new] = originals.try_emplace(vtable_of(block));
        Original& original = known->second;
        if (is_new) {
            original.work = content<Work>(slot(block, work_place));
            original.dispatch = content<Dispatch>(slot(block, dispatch_place));
            original.start = content<Change>(slot(block, start_place));
            original.stop = content<Change>(slot(block, stop_place));
            for (const auto& [place, function] : {std::pair{work_place, reinterpret_cast<void*>(&hooked_work)},
                                                  {dispatch_place, reinterpret_cast<void*>(&hooked_dispatch)},
                                                  {start_place, reinterpret_cast<void*>(&hooked_start)},
                                                  {stop_place, reinterpret_cast<void*>(&hooked_stop)}}) {
                if (original.refused.empty()) original.refused = replace(slot(block, place), function);
            }
        }
        row->not_hooked = original.refused;
        row->work = original.work;
        row->dispatch = original.dispatch;
        row->start = original.start;
        row->stop = original.stop;
        std::size_t at = place_of(block);
        while (table[at].block != nullptr) at = (at + 1) & (table.size() - 1);
        table[at] = {block, row.get()};
    }
}

}  // namespace weir::companion
