// Reads small files, such as configuration, tokens and certificates.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// Returns the content of a file of at most 16 MiB. Error: invalid, "PATH: No such file or directory".
[[nodiscard]] PINTLE_EXPORT Result<std::string> read_file(const std::string& path);

}  // namespace pintle
