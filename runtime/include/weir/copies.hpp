// Copies of a part of a flowgraph: `pipes` side by side, `repeat` in series.
#pragma once

#include <cstddef>
#include <deque>

#include "weir/stream.hpp"

namespace weir {

class ParamTable;
class TaskList;

/// Copies of a part, each constructed from one row of a table. The table must outlive the copies.
template <class Part> class Copies {
  public:
    template <class Row, std::size_t N> [[gnu::cold]] explicit Copies(const Row (&rows)[N]) {
        for (const Row& row : rows) parts_.emplace_back(row);
    }

    void tasks(TaskList& list) {
        for (Part& part : parts_) part.tasks(list);
    }
    void parameters(ParamTable& table) {
        for (Part& part : parts_) part.parameters(table);
    }

  protected:
    Copies() = default;
    std::deque<Part> parts_;  // a deque, because parts must not move
};

/// Copies in series: each feeds the next one, and `feed` feeds the first.
template <class Part> class Series : public Copies<Part> {
  public:
    template <class Row, std::size_t N, class T> [[gnu::cold]] Series(const Row (&rows)[N], Stream<T>& feed) {
        Stream<T>* from = &feed;
        for (const Row& row : rows) from = &this->parts_.emplace_back(row, *from).out();
    }

    /// Return the output of the last copy.
    auto& out() noexcept { return this->parts_.back().out(); }
};

}  // namespace weir
