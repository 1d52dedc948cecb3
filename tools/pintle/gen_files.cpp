#include "gen_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <pintle/base/file.hpp>

namespace pintle::tools {
namespace {

Result<void> write_one(const std::string& path, const std::string& text) {
  const auto there = read_file(path);
  if (there && *there == text) return {};
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  if (failed) return fail(ErrorCode::unavailable, fmt::format("cannot write {}: {}", path, failed.message()));
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail(ErrorCode::unavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return {};
}

}  // namespace

Result<void> write_files(const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    if (auto written = write_one(path, text); !written) return written;
  }
  return {};
}

}  // namespace pintle::tools
