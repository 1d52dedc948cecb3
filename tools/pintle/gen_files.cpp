// SPDX-License-Identifier: Apache-2.0
#include "gen_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <pintle/base/file.hpp>
#include <pintle/base/hash.hpp>

namespace pintle::tools {
namespace {

constexpr std::string_view checksum_line = "// Checksum of the lines above: ";

std::string checksum_of(std::string_view text) { return fmt::format("{:016x}", hash_of(text, 0)); }

// Returns whether the checksum at the end of a file differs from that of its text.
bool is_changed_by_hand(std::string_view text) {
  const std::size_t at = text.rfind(checksum_line);
  if (at == std::string_view::npos) return false;
  return text.substr(at + checksum_line.size()) != checksum_of(text.substr(0, at)) + "\n";
}

// Returns the structs and kinds of a generated header, as they are declared there.
std::set<std::string> types_in(const std::string& text) {
  std::set<std::string> types;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // "struct NAME {", with a macro before the name in the headers of this library.
    const bool is_struct = line.starts_with("struct ") && line.ends_with(" {");
    const std::size_t name = line.rfind(' ', line.size() - 3) + 1;
    if (is_struct) types.insert(line.substr(name, line.size() - 2 - name));
    const std::size_t kind = line.find("Type type{");
    if (kind != std::string::npos) types.insert(line.substr(kind + 10, line.rfind('}') - kind - 10));
  }
  return types;
}

Result<void> check_one(const std::string& path, const std::string& text) {
  const auto there = read_file(path);
  if (!there || *there == text) return {};
  if (is_changed_by_hand(*there)) {
    return fail(
        ErrorCode::invalid,
        fmt::format("{} was changed by hand, and the changes would be lost; use another --out, or --force", path));
  }
  const std::set<std::string> kept = types_in(text);
  std::string lost;
  for (const std::string& type : types_in(*there)) {
    if (!kept.contains(type)) lost += (lost.empty() ? "" : ", ") + type;
  }
  if (lost.empty()) return {};
  return fail(ErrorCode::invalid, fmt::format("{} has types that would be lost: {}; give all files of a group and "
                                              "version in one run, or use another --out, or --force",
                                              path, lost));
}

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

std::string with_checksum(const std::string& text) {
  return fmt::format("{}{}{}\n", text, checksum_line, checksum_of(text));
}

Result<void> check_replaced(const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    if (auto checked = check_one(path, text); !checked) return checked;
  }
  return {};
}

Result<void> write_files(const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    if (auto written = write_one(path, text); !written) return written;
  }
  return {};
}

}  // namespace pintle::tools
