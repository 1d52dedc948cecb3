// Small files: configuration, tokens, certificates.
#pragma once

#include <string>

#include <pintle/base/result.hpp>

namespace pintle {

// The whole of a file of at most 16 MiB. Error: invalid, "PATH: No such file or directory".
[[nodiscard]] Result<std::string> read_file(const std::string& path);

}  // namespace pintle
