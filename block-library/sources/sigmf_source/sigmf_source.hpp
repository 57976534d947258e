#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "sigmf_metadata.hpp"
#include "weir/block.hpp"
#include "weir/item_file.hpp"

namespace weir::blocks {

template <class T> struct SigmfSource {
    struct Params {
        std::string path;
        double sample_rate = 0.0;
        std::int64_t offset_items = 0;
        bool repeat = false;
    };
    Params params;

    void start(const BlockContext& context) {
        const std::filesystem::path base = without_suffix(context.project_dir / params.path);
        const sigmf::Metadata metadata = read_metadata(base.string() + ".sigmf-meta");
        const std::string data = base.string() + ".sigmf-data";
        file_.open(data, item_bytes(), 0, false);
        if (const std::uint64_t samples = file_.pass_items(); metadata.last > metadata.offset + samples)
            throw std::runtime_error(metadata.last_field + " is " + std::to_string(metadata.last) + ", but " + data +
                                     " has " + std::to_string(samples) + " samples");
        file_.open(data, item_bytes(), params.offset_items, params.repeat, metadata.before());
    }

    void stop() { file_.close(); }
    std::optional<std::uint64_t> total_items() const { return file_.total_items(); }
    void seek(std::uint64_t index) noexcept { file_.seek(index); }

    WorkResult work(Out<T>& out) noexcept {
        return file_.fill(out, [this](T* to, std::size_t items) {
            const std::size_t got = file_.read(raw_.data(), std::min(items, kBlock));
            convert(got, to);
            return got;
        });
    }

    std::string_view error() const noexcept { return file_.error(); }

  private:
    using Kind = sigmf::Datatype::Kind;

    static_assert(std::endian::native == std::endian::little, "little-endian samples are taken as they are");
    static constexpr bool kComplex = std::is_same_v<T, c64>;
    static constexpr std::size_t kBlock = 2048;  // items per conversion
    static constexpr std::size_t kLargestNumber = 8;
    static constexpr std::uintmax_t kMostMetadata = 16 << 20;  // bytes, the limit of project files, too

    static std::filesystem::path without_suffix(std::filesystem::path path) {
        if (path.extension() != ".sigmf-meta" && path.extension() != ".sigmf-data")
            throw std::runtime_error(path.string() + " is named neither .sigmf-meta nor .sigmf-data");
        return path.replace_extension();
    }

    sigmf::Metadata read_metadata(const std::string& path) {
        // Refuse other files first: opening a pipe would block, and an endless file would fill the memory.
        if (!std::filesystem::exists(path)) throw std::runtime_error("no such file: " + path);
        if (!std::filesystem::is_regular_file(path)) throw std::runtime_error("not a regular file: " + path);
        if (std::filesystem::file_size(path) > kMostMetadata) throw std::runtime_error("too large: " + path);
        std::ifstream file(path, std::ios::binary);
        if (!file) throw std::runtime_error("cannot read " + path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        try {
            sigmf::Metadata metadata = sigmf::Metadata::parse(text);
            check(metadata);
            return metadata;
        } catch (const std::runtime_error& fault) {
            throw std::runtime_error(path + ": " + fault.what());
        }
    }

    void check(const sigmf::Metadata& metadata) {
        const auto datatype = sigmf::Datatype::parse(metadata.datatype);
        if (!datatype)
            throw std::runtime_error("global.core:datatype `" + metadata.datatype + "` is not a SigMF datatype");
        datatype_ = *datatype;
        if (datatype_.complex != kComplex)
            throw std::runtime_error("global.core:datatype " + metadata.datatype + " is " +
                                     (datatype_.complex ? "complex" : "real") + ", the block's item_type is " +
                                     (kComplex ? "c64" : "f32"));
        if (!metadata.unread.empty())
            throw std::runtime_error("recordings with this " + metadata.unread + " are not supported");
        if (params.sample_rate == 0.0) return;
        const std::string wanted = ", the block expects " + text(params.sample_rate) + " Hz";
        if (!metadata.sample_rate) throw std::runtime_error("it has no global.core:sample_rate" + wanted);
        if (*metadata.sample_rate != params.sample_rate)
            throw std::runtime_error("global.core:sample_rate is " + text(*metadata.sample_rate) + " Hz" + wanted);
    }

    /// Return the shortest text that is read as the same number.
    static std::string text(double value) {
        std::array<char, 32> digits{};
        return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
    }

    std::size_t item_bytes() const noexcept { return datatype_.bytes * (kComplex ? 2 : 1); }

    void convert(std::size_t items, T* to) noexcept {
        const std::size_t numbers = items * (kComplex ? 2 : 1);
        if (datatype_.big_endian)
            for (std::size_t i = 0; i < numbers; ++i)
                std::reverse(raw_.data() + i * datatype_.bytes, raw_.data() + (i + 1) * datatype_.bytes);
        auto* floats = reinterpret_cast<float*>(to);
        const bool is_signed = datatype_.kind == Kind::kSigned;
        switch (datatype_.bytes) {
            case 1: is_signed ? scale<std::int8_t>(numbers, floats) : scale<std::uint8_t>(numbers, floats); break;
            case 2: is_signed ? scale<std::int16_t>(numbers, floats) : scale<std::uint16_t>(numbers, floats); break;
            case 8: scale<double>(numbers, floats); break;
            default:
                if (datatype_.kind == Kind::kFloat) scale<float>(numbers, floats);
                else is_signed ? scale<std::int32_t>(numbers, floats) : scale<std::uint32_t>(numbers, floats);
        }
    }

    template <class Number> void scale(std::size_t numbers, float* to) const noexcept {
        for (std::size_t i = 0; i < numbers; ++i) {
            Number value;
            std::memcpy(&value, raw_.data() + i * sizeof(Number), sizeof(Number));
            if constexpr (std::is_floating_point_v<Number>) {
                to[i] = static_cast<float>(value);
            } else {
                constexpr double kFull = static_cast<double>(1ULL << (8 * sizeof(Number) - 1));
                to[i] = static_cast<float>((value - (std::is_unsigned_v<Number> ? kFull : 0.0)) / kFull);
            }
        }
    }

    sigmf::Datatype datatype_;
    ItemFile file_;
    std::array<unsigned char, kBlock * kLargestNumber*(kComplex ? 2 : 1)> raw_{};
};

}  // namespace weir::blocks
