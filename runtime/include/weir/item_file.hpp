// File of raw items that a source reads: checked when it is opened, and read in passes.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "weir/block.hpp"

namespace weir {

class ItemFile {
  public:
    /// Open a file of items of `item_bytes` bytes from `offset` on, and skip `skipped` items. Throws std::runtime_error
    /// if it is not a regular file, holds a part of an item, ends before the offset, or has nothing to `repeat`.
    void open(std::filesystem::path path, std::size_t item_bytes, std::int64_t offset, bool repeat,
              std::uint64_t skipped = 0) {
        path_ = std::move(path);
        item_bytes_ = item_bytes;
        repeat_ = repeat;
        if (!std::filesystem::exists(path_)) throw std::runtime_error("no such file: " + path_.string());
        if (!std::filesystem::is_regular_file(path_)) throw std::runtime_error("not a regular file: " + path_.string());
        const std::uint64_t bytes = std::filesystem::file_size(path_);
        if (bytes % item_bytes != 0)
            throw std::runtime_error(path_.string() + " has " + std::to_string(bytes) +
                                     " bytes, not a multiple of the item's " + std::to_string(item_bytes));
        if (bytes / item_bytes < skipped)
            throw std::runtime_error(path_.string() + " has " + std::to_string(bytes / item_bytes) +
                                     " items, but the recording begins at item " + std::to_string(skipped));
        const std::uint64_t items = bytes / item_bytes - skipped;
        if (offset < 0 || static_cast<std::uint64_t>(offset) > items)
            throw std::runtime_error("offset_items is " + std::to_string(offset) + ", but " + path_.string() + " has " +
                                     std::to_string(items) + " items" +
                                     (skipped > 0 ? " from item " + std::to_string(skipped) + " on" : ""));
        offset_ = skipped + static_cast<std::uint64_t>(offset);
        pass_items_ = items - static_cast<std::uint64_t>(offset);
        if (repeat && pass_items_ == 0) throw std::runtime_error(path_.string() + " has no item to repeat");
        file_.reset(::fopen(path_.c_str(), "rbe"));
        if (!file_ || !go_to(0)) throw std::runtime_error("cannot read " + path_.string() + ": " + reason());
    }

    void close() { file_.reset(); }

    std::uint64_t pass_items() const noexcept { return pass_items_; }  ///< from the offset to the end
    std::optional<std::uint64_t> total_items() const {
        if (repeat_) return std::nullopt;
        return pass_items_;
    }
    std::string_view error() const noexcept { return error_; }

    /// Do the work of a file source. `read(to, items)` is `read` of this class, or a function that converts its items.
    template <class T, class Read> WorkResult fill(Out<T>& out, Read read) noexcept {
        if (!error_.empty()) return WorkStatus::error;
        const auto at_end = [this] { return left_ == 0 && !repeat_; };
        if (at_end()) return WorkStatus::done;
        if (out.size() == 0) return WorkStatus::need_output;
        std::size_t filled = 0;
        while (filled < out.size() && (left_ > 0 || (repeat_ && go_to(0)))) {
            const std::size_t got = read(out.data() + filled, out.size() - filled);
            if (got == 0) break;
            filled += got;
        }
        out.produce(filled);
        if (at_end()) return WorkStatus::done;
        if (filled == out.size()) return WorkStatus::ok;
        error_ = failure();
        return WorkStatus::error;
    }

    /// Read at most `items` items of this pass. Returns fewer only at the end of the pass, or if the file cannot be
    /// read.
    std::size_t read(void* to, std::size_t items) noexcept {
        errno = 0;
        const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left_, items));
        const std::size_t got = ::fread(to, item_bytes_, wanted, file_.get());
        left_ -= got;
        return got;
    }

    /// Continue with this item, counted over all passes. If the file is read once, this may be its end.
    void seek(std::uint64_t index) noexcept {
        if (!go_to(repeat_ ? index % pass_items_ : std::min(index, pass_items_))) error_ = failure();
    }

  private:
    struct Close {
        void operator()(FILE* file) const noexcept { ::fclose(file); }
    };

    static_assert(sizeof(off_t) == 8, "files of more than 2 GiB");

    /// Move to an item of this pass. Returns false if the system refuses.
    bool go_to(std::uint64_t index_in_pass) noexcept {
        left_ = pass_items_ - index_in_pass;
        const auto at = offset_ + index_in_pass;
        return ::fseeko(file_.get(), static_cast<std::int64_t>(at * item_bytes_), SEEK_SET) == 0;
    }

    /// Return why `read` or `go_to` fell short.
    std::string failure() const {
        return "cannot read " + path_.string() + ": " +
               (::feof(file_.get()) != 0 ? "it became shorter while it was read" : reason());
    }

    static std::string reason() { return std::generic_category().message(errno); }

    std::filesystem::path path_;
    std::unique_ptr<FILE, Close> file_;
    std::size_t item_bytes_ = 1;
    bool repeat_ = false;
    std::uint64_t offset_ = 0;
    std::uint64_t pass_items_ = 0;
    std::uint64_t left_ = 0;
    std::string error_;
};

}  // namespace weir
