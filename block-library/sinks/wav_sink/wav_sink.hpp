#pragma once

#include <stdio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct WavSink {
    enum class Format { kPcm16, kFloat32 };
    struct Params {
        std::string path;
        std::int64_t sample_rate = 48000;
        Format format = Format::kPcm16;
    };
    Params params;

    void start(const BlockContext& context) {
        if (params.sample_rate < 1 || params.sample_rate > 100'000'000)
            throw std::runtime_error("sample_rate must be within 1 and 100000000");
        path_ = context.output_dir / params.path;
        std::error_code made;
        std::filesystem::create_directories(path_.parent_path(), made);
        file_.reset(::fopen(path_.c_str(), "wbe"));
        if (!file_) throw std::runtime_error(failure());
        ::setvbuf(file_.get(), nullptr, _IOFBF, 1 << 18);
        frame_bytes_ = kChannels * (is_float() ? 4 : 2);
        frames_ = frames_in_header_ = 0;
        error_.clear();
        const Header header = make_header();
        if (::fwrite(header.data(), 1, header_bytes(), file_.get()) != header_bytes())
            throw std::runtime_error(failure());
    }

    /// Write the final header and close the file. Throws std::runtime_error: a full disk may show only here.
    void stop() {
        if (!file_) return;
        const bool whole = write_header();
        const std::string reason = whole ? "" : failure();
        const bool closed = ::fclose(file_.release()) == 0;
        if ((!whole || !closed) && error_.empty()) throw std::runtime_error(whole ? failure() : reason);
    }

    WorkResult work(In<T>& in) noexcept {
        if (in.size() == 0) return WorkStatus::need_input;
        std::size_t done = 0;
        while (done < in.size()) {
            const std::size_t n = std::min(in.size() - done, kBlock);
            if (n > (kMostBytes - kLongestHeader) / frame_bytes_ - frames_) {
                error_ = "cannot write " + path_.string() + ": a WAV file holds no more than 4 GiB";
                break;
            }
            if (!write(in.data() + done, n)) {
                error_ = failure();
                break;
            }
            done += n;
            frames_ += n;
        }
        in.consume(done);
        // Update the header once per second of signal: the file of an interrupted run can then be played, and lacks at
        // most its last second.
        const bool a_second_more = frames_ - frames_in_header_ >= static_cast<std::uint64_t>(params.sample_rate);
        if (error_.empty() && a_second_more && !write_header()) error_ = failure();
        return error_.empty() ? WorkStatus::ok : WorkStatus::error;
    }

    std::string_view error() const noexcept { return error_; }

  private:
    static_assert(std::endian::native == std::endian::little, "samples are written as they lie in memory");
    static constexpr std::size_t kChannels = std::is_same_v<T, c64> ? 2 : 1;
    static constexpr std::size_t kBlock = 2048;  // frames per conversion
    static constexpr std::size_t kLongestHeader = 58;
    static constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();
    using Header = std::array<unsigned char, kLongestHeader>;

    struct Close {
        void operator()(FILE* file) const noexcept { ::fclose(file); }
    };

    bool is_float() const noexcept { return params.format == Format::kFloat32; }
    std::size_t header_bytes() const noexcept { return is_float() ? kLongestHeader : 44; }

    /// Return the chunks "RIFF", "fmt " and "data", and for formats other than PCM also "fact" with the number of
    /// frames. All numbers are little-endian.
    Header make_header() const noexcept {
        Header header{};
        std::size_t at = 0;
        const auto text = [&](std::string_view name) {
            std::copy(name.begin(), name.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
            at += name.size();
        };
        const auto number = [&](std::uint64_t value, std::size_t bytes) {
            for (std::size_t i = 0; i < bytes; ++i) header[at++] = static_cast<unsigned char>(value >> (8 * i));
        };
        const auto rate = static_cast<std::uint64_t>(params.sample_rate);
        const std::uint64_t data_bytes = frames_ * frame_bytes_;
        text("RIFF");
        number(header_bytes() - 8 + data_bytes, 4);
        text("WAVEfmt ");
        number(is_float() ? 18 : 16, 4);
        number(is_float() ? 3 : 1, 2);
        number(kChannels, 2);
        number(rate, 4);
        number(rate * frame_bytes_, 4);
        number(frame_bytes_, 2);
        number(8 * frame_bytes_ / kChannels, 2);
        if (is_float()) {
            number(0, 2);
            text("fact");
            number(4, 4);
            number(frames_, 4);
        }
        text("data");
        number(data_bytes, 4);
        return header;
    }

    /// Write the header without moving the position at which the next items are written.
    bool write_header() noexcept {
        if (::fflush(file_.get()) != 0) return false;
        const Header header = make_header();
        // A pipe cannot seek (ESPIPE), so it keeps its first header.
        const auto written = ::pwrite(::fileno(file_.get()), header.data(), header_bytes(), 0);
        if (written != static_cast<ssize_t>(header_bytes()) && errno != ESPIPE) return false;
        frames_in_header_ = frames_;
        return true;
    }

    bool write(const T* items, std::size_t n) noexcept {
        if (is_float()) return ::fwrite(items, sizeof(T), n, file_.get()) == n;
        const auto* samples = reinterpret_cast<const float*>(items);
        for (std::size_t i = 0; i < n * kChannels; ++i) pcm_[i] = to_pcm(samples[i]);
        return ::fwrite(pcm_.data(), frame_bytes_, n, file_.get()) == n;
    }

    static std::int16_t to_pcm(float x) noexcept {
        if (std::isnan(x)) return 0;
        const double scaled = std::clamp(static_cast<double>(x) * 32767.0, -32768.0, 32767.0);
        return static_cast<std::int16_t>(std::nearbyint(scaled));
    }

    std::string failure() const {
        return "cannot write " + path_.string() + ": " + std::generic_category().message(errno);
    }

    std::filesystem::path path_;
    std::unique_ptr<FILE, Close> file_;
    std::array<std::int16_t, kBlock * kChannels> pcm_{};
    std::uint64_t frames_ = 0;
    std::uint64_t frames_in_header_ = 0;
    std::size_t frame_bytes_ = 0;
    std::string error_;
};

}  // namespace weir::blocks
