// A file appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weir {

/// Writes `text` to a temporary file beside `path`, syncs it and renames it over `path`.
/// Returns "" or what went wrong; then `path` is as it was and nothing is left behind.
std::string write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace weir
