// The rows of one flowgraph, found by the address of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "row.hpp"

namespace weir::companion {

/// Everything of one run. There is one in a process, because a class has one vtable.
struct Session {
    std::vector<std::unique_ptr<Row>> rows;
    std::unique_ptr<trace::Tracer> tracer;
    std::string trace_note;
    std::size_t capacity = 0;  ///< records of a thread in memory
    pmt::pmt_t system_port = pmt::intern("system");

    /// Return the row of a block, or null. Lock-free: the table does not change while blocks run.
    Row* row_of(const gr::basic_block* block) const noexcept {
        for (std::size_t at = place_of(block);; at = (at + 1) & (table.size() - 1)) {
            const Entry& entry = table[at];
            if (entry.block == block || entry.block == nullptr) return entry.row;
        }
    }

    /// Return what the slots of the object's class contained before.
    struct Original {
        Work work = nullptr;
        Dispatch dispatch = nullptr;
        Change start = nullptr;
        Change stop = nullptr;
        std::string refused;  ///< why the slots could not be replaced
    };
    const Original& original_of(const gr::basic_block* block) const { return originals.at(vtable_of(block)); }

    /// Fill the table from the rows, and put the hooks into the vtables of their classes.
    void hook();

  private:
    static const void* vtable_of(const gr::basic_block* block) noexcept;

    struct Entry {
        const gr::basic_block* block = nullptr;
        Row* row = nullptr;
    };
    std::size_t place_of(const gr::basic_block* block) const noexcept {
        // Fibonacci hashing: the low bits of addresses are alike.
        return ((reinterpret_cast<std::uintptr_t>(block) >> 4U) * 0x9E3779B97F4A7C15U >> 32U) & (table.size() - 1);
    }

    std::vector<Entry> table{1};  ///< a power of two, at most a quarter full
    std::unordered_map<const void*, Original> originals;  ///< by vtable
};

Session& session();

/// Functions that stand in for those of the classes.
int hooked_work(gr::block* self, int offered, gr_vector_int& available, gr_vector_const_void_star& in,
                gr_vector_void_star& out);
void hooked_dispatch(gr::basic_block* self, pmt::pmt_t port, pmt::pmt_t message);
bool hooked_start(gr::block* self);
bool hooked_stop(gr::block* self);

}  // namespace weir::companion
