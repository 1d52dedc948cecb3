#include "files.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace pintle {

namespace {

constexpr std::size_t size_limit = std::size_t{16} << 20U;

struct Close {
  void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};

Error cannot_read(const std::string& path, int reason) {
  return make_error(ErrorCode::invalid, path + ": " + std::generic_category().message(reason));
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return cannot_read(path, errno);
  std::string text;
  std::array<char, 16384> chunk;
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    text.append(chunk.data(), size);
    if (text.size() > size_limit) return cannot_read(path, EFBIG);
  }
  if (std::ferror(file.get()) != 0) return cannot_read(path, errno);
  return text;
}

bool file_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

}  // namespace pintle
