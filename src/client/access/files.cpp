// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <filesystem>
#include <system_error>

namespace pintle {

bool file_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace pintle
