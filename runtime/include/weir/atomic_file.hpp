// Writes a file so that it appears as a whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Write `parts` to a temporary file next to `path`, sync it and rename it to `path`. Returns "" or an error message;
/// after an error `path` is unchanged and the temporary file is gone.
std::string write_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace weir
