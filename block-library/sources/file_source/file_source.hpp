#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <system_error>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct FileSource {
    struct Params {
        std::string path;
        std::int64_t offset_items = 0;
        bool repeat = false;
    };
    Params params;

    void start(const BlockContext& context) {
        path_ = context.project_dir / params.path;
        if (!std::filesystem::exists(path_)) throw std::runtime_error("no such file: " + path_.string());
        if (!std::filesystem::is_regular_file(path_)) throw std::runtime_error("not a regular file: " + path_.string());
        const std::uint64_t bytes = std::filesystem::file_size(path_);
        if (bytes % sizeof(T) != 0)
            throw std::runtime_error(path_.string() + " has " + std::to_string(bytes) +
                                     " bytes, not a multiple of the item's " + std::to_string(sizeof(T)));
        const std::uint64_t items = bytes / sizeof(T);
        if (params.offset_items < 0 || static_cast<std::uint64_t>(params.offset_items) > items)
            throw std::runtime_error("offset_items is " + std::to_string(params.offset_items) + ", but " +
                                     path_.string() + " has " + std::to_string(items) + " items");
        pass_items_ = items - static_cast<std::uint64_t>(params.offset_items);
        if (params.repeat && pass_items_ == 0) throw std::runtime_error(path_.string() + " has no item to repeat");
        file_.reset(::fopen(path_.c_str(), "rbe"));
        if (!file_ || !rewind()) throw std::runtime_error("cannot read " + path_.string() + ": " + reason());
    }

    void stop() { file_.reset(); }

    std::optional<std::uint64_t> total_items() const {
        if (params.repeat) return std::nullopt;
        return pass_items_;
    }

    WorkResult work(Out<T>& out) noexcept {
        if (left_ == 0 && !params.repeat) return WorkStatus::done;
        if (out.size() == 0) return WorkStatus::need_output;
        std::size_t filled = 0;
        while (filled < out.size()) {
            if (left_ == 0 && !(params.repeat && rewind())) break;
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, out.size() - filled));
            errno = 0;
            const std::size_t got = ::fread(out.data() + filled, sizeof(T), n, file_.get());
            filled += got;
            left_ -= got;
            if (got < n) break;
        }
        out.produce(filled);
        if (filled == out.size()) return left_ == 0 && !params.repeat ? WorkStatus::done : WorkStatus::ok;
        if (left_ == 0 && !params.repeat) return WorkStatus::done;
        error_ = "cannot read " + path_.string() + ": " +
                 (::feof(file_.get()) != 0 ? "it became shorter while it was read" : reason());
        return WorkStatus::error;
    }

    std::string_view error() const noexcept { return error_; }

  private:
    struct Close {
        void operator()(FILE* file) const noexcept { ::fclose(file); }
    };

    static_assert(sizeof(off_t) == 8, "files of more than 2 GiB");

    static std::string reason() { return std::generic_category().message(errno); }

    bool rewind() noexcept {
        left_ = pass_items_;
        const auto offset = params.offset_items * static_cast<std::int64_t>(sizeof(T));
        return ::fseeko(file_.get(), offset, SEEK_SET) == 0;
    }

    std::filesystem::path path_;
    std::unique_ptr<FILE, Close> file_;
    std::uint64_t pass_items_ = 0;
    std::uint64_t left_ = 0;
    std::string error_;
};

}  // namespace weir::blocks
