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

    std::optional<std::uint64_t> total_items() const {
        if (params.repeat) return std::nullopt;
        return file_.pass_items();
    }

    void seek(std::uint64_t index) noexcept {
        if (!file_.seek(index, params.repeat)) error_ = file_.failure();
    }

    WorkResult work(Out<T>& out) noexcept {
        if (!error_.empty()) return WorkStatus::error;
        const auto at_end = [this] { return file_.left() == 0 && !params.repeat; };
        if (at_end()) return WorkStatus::done;
        if (out.size() == 0) return WorkStatus::need_output;
        std::size_t filled = 0;
        while (filled < out.size() && (file_.left() > 0 || (params.repeat && file_.rewind()))) {
            const std::size_t got = file_.read(out.data() + filled, out.size() - filled);
            if (got == 0) break;
            filled += got;
        }
        out.produce(filled);
        if (at_end()) return WorkStatus::done;
        if (filled == out.size()) return WorkStatus::ok;
        error_ = file_.failure();
        return WorkStatus::error;
    }

    std::string_view error() const noexcept { return error_; }

  private:
    ItemFile file_;
    std::string error_;
};

}  // namespace weir::blocks
