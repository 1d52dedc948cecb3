// SPDX-License-Identifier: Apache-2.0
#include "kubeconfig_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::tools {
namespace {

constexpr const char* mark = "# Written by pintle dev, which writes it anew; keep your own kubeconfig elsewhere.";

auto file_error(const std::string& what, const std::string& path) {
  return fail(ErrorCode::unavailable, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Result<void> write_all(int file, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error("write", path);
    done += static_cast<std::size_t>(written);
  }
  return {};
}

std::string print(const KubeconfigContent& content) {
  json::object cluster{{"server", content.url}};
  if (!content.ca.empty()) cluster["certificate-authority-data"] = Bytes(content.ca).to_base64();
  json::object user;
  if (!content.token.empty()) user["token"] = content.token;
  if (!content.client.certificate.empty()) {
    user["client-certificate-data"] = Bytes(content.client.certificate).to_base64();
    user["client-key-data"] = Bytes(content.client.key).to_base64();
  }
  const json::object context{{"cluster", "pintle"}, {"user", "pintle"}, {"namespace", "default"}};
  const json::object all{
      {"apiVersion", "v1"},
      {"kind", "Config"},
      {"clusters", json::array{json::object{{"name", "pintle"}, {"cluster", std::move(cluster)}}}},
      {"users", json::array{json::object{{"name", "pintle"}, {"user", std::move(user)}}}},
      {"contexts", json::array{json::object{{"name", "pintle"}, {"context", context}}}},
      {"current-context", "pintle"},
  };
  return fmt::format("{}\n{}", mark, json::print_yaml(all));
}

}  // namespace

Result<void> check_kubeconfig_path(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    return file_error("check", path);
  }
  std::ifstream file(path);
  std::string first;
  if (S_ISREG(status.st_mode) && std::getline(file, first) && first == mark) return {};
  return fail(
      ErrorCode::already_exists,
      fmt::format("{} exists and was not written by pintle dev; use another path for --kubeconfig, or move the file",
                  path));
}

Result<void> write_kubeconfig(const std::string& path, const KubeconfigContent& content) {
  if (auto free = check_kubeconfig_path(path); !free) return free;
  const std::string draft = fmt::format("{}.{}", path, ::getpid());
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return file_error("create", draft);
  auto written = write_all(file, print(content), draft);
  if (::close(file) != 0 && written) written = file_error("write", draft);
  if (written && std::rename(draft.c_str(), path.c_str()) != 0) written = file_error("write", path);
  if (!written) ::unlink(draft.c_str());
  return written;
}

}  // namespace pintle::tools
