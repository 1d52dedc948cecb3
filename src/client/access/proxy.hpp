// SPDX-License-Identifier: Apache-2.0
// Selects the proxy of a server by the environment variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// Returns the URL of the proxy, or "" for a direct connection, with the rules of Go programs (see load_kubeconfig()).
// `variable` returns the value of an environment variable, or "". Error: invalid, with the name of the variable.
[[nodiscard]] Result<std::string> select_proxy(const http::Endpoint& endpoint,
                                               const std::function<std::string(const std::string&)>& variable);
// The same with the environment of this process.
[[nodiscard]] Result<std::string> proxy_from_environment(const http::Endpoint& endpoint);

// Whether a list in the form of NO_PROXY contains the server. `host` is a name or an address without brackets.
[[nodiscard]] bool is_excluded(std::string_view no_proxy, std::string_view host, std::uint16_t port);

}  // namespace pintle
