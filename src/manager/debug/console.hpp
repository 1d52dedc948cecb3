// SPDX-License-Identifier: Apache-2.0
// The web console: static files, which request everything else from the debug API.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/http/handler.hpp>

namespace pintle {

// Returns whether a path belongs to the console: "/" or below "/console/". These files contain nothing about the
// operator, so they need no authorization.
[[nodiscard]] bool is_console_path(std::string_view path);
// Returns the file at a path of the console; nothing, if there is no such file.
[[nodiscard]] std::optional<http::Response> console_page(std::string_view path);

}  // namespace pintle
