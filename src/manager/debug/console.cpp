// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include <array>
#include <string>
#include <utility>

#include "debug_files.hpp"

namespace pintle {
namespace {

constexpr std::string_view folder = "/console/";

std::string type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> types{
      {{".html", "text/html; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".svg", "image/svg+xml"}}};
  for (const auto& [ending, type] : types) {
    if (name.ends_with(ending)) return std::string(type);
  }
  return "application/octet-stream";
}

}  // namespace

bool is_console_path(std::string_view path) { return path == "/" || path.starts_with(folder); }

std::optional<http::Response> console_page(std::string_view path) {
  if (!is_console_path(path)) return std::nullopt;
  const std::string_view name = path == "/" ? "index.html" : path.substr(folder.size());
  for (const EmbeddedFile& file : console_files()) {
    if (file.path != name) continue;
    return http::Response{
        .headers = {{"Content-Type", type_of(name)},
                    {"Cache-Control", "no-cache"},
                    {"Content-Security-Policy",
                     "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                    {"Referrer-Policy", "no-referrer"},
                    {"X-Content-Type-Options", "nosniff"}},
        .body = std::string(file.text)};
  }
  return std::nullopt;
}

}  // namespace pintle
