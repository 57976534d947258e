#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/block.hpp"
#include "weir/item_file.hpp"

namespace weir::blocks {

template <class T> struct FileSource {
    struct Params {
        std::string path;
        std::int64_t offset_items = 0;
        bool repeat = false;
    };
    Params params;

    void start(const BlockContext& context) {
        file_.open(context.project_dir / params.path, sizeof(T), params.offset_items, params.repeat);
    }

    void stop() { file_.close(); }
    std::optional<std::uint64_t> total_items() const { return file_.total_items(); }
    void seek(std::uint64_t index) noexcept { file_.seek(index); }

    WorkResult work(Out<T>& out) noexcept {
        return file_.fill(out, [this](T* to, std::size_t items) { return file_.read(to, items); });
    }

    std::string_view error() const noexcept { return file_.error(); }

  private:
    ItemFile file_;
};

}  // namespace weir::blocks
