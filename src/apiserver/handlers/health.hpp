// SPDX-License-Identifier: Apache-2.0
// The pages /healthz, /livez and /readyz, and one page for each of their checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/http/handler.hpp>
#include <pintle/http/message.hpp>

namespace pintle::apiserver {

// The checks of a page ("readyz"). The server passes them all as soon as it responds.
[[nodiscard]] std::vector<std::string_view> health_checks(std::string_view page);

// Returns nothing if the path is not that of such a page. 404: there is no such check.
[[nodiscard]] std::optional<http::Response> health_page(const std::vector<std::string>& path,
                                                        const http::Target& target);

}  // namespace pintle::apiserver
