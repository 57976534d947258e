// A file appears whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Writes `parts`, one after the other, to a temporary file beside `path`, syncs it and renames it over `path`.
/// Returns "" or what went wrong; then `path` is as it was and nothing is left behind.
std::string write_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace weir
