// SPDX-License-Identifier: Apache-2.0
// Reads small files, such as configuration, tokens and certificates.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// Returns the content of a file. Error: invalid, if the file cannot be read or is larger than 16 MiB; the message
/// contains the path and the reason: "PATH: No such file or directory".
[[nodiscard]] PINTLE_EXPORT Result<std::string> read_file(const std::string& path);

}  // namespace pintle
