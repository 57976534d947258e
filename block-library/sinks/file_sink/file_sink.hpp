#pragma once

#include <stdio.h>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct FileSink {
    struct Params {
        std::string path;
    };
    Params params;

    void start(const BlockContext& context) {
        path_ = context.output_dir / params.path;
        std::error_code made;
        std::filesystem::create_directories(path_.parent_path(), made);
        file_.reset(::fopen(path_.c_str(), "wbe"));
        if (!file_) throw std::runtime_error(failure());
        ::setvbuf(file_.get(), nullptr, _IOFBF, 1 << 18);
    }

    /// Close the file. Throws std::runtime_error: a full disk may show only here.
    void stop() {
        if (!file_) return;
        if (::fclose(file_.release()) != 0 && error_.empty()) throw std::runtime_error(failure());
    }

    WorkResult work(In<T>& in) noexcept {
        if (in.size() == 0) return WorkStatus::need_input;
        const std::size_t n = ::fwrite(in.data(), sizeof(T), in.size(), file_.get());
        in.consume(n);
        if (n == in.size()) return WorkStatus::ok;
        error_ = failure();
        return WorkStatus::error;
    }

    std::string_view error() const noexcept { return error_; }

  private:
    struct Close {
        void operator()(FILE* file) const noexcept { ::fclose(file); }
    };

    std::string failure() const {
        return "cannot write " + path_.string() + ": " + std::generic_category().message(errno);
    }

    std::filesystem::path path_;
    std::unique_ptr<FILE, Close> file_;
    std::string error_;
};

}  // namespace weir::blocks
