// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/file.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace pintle {

namespace {

constexpr std::size_t max_file_size = std::size_t{16} << 20U;

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
    if (text.size() > max_file_size) return cannot_read(path, EFBIG);
  }
  if (std::ferror(file.get()) != 0) return cannot_read(path, errno);
  return text;
}

}  // namespace pintle
