// SPDX-License-Identifier: Apache-2.0
// Ends an exchange of a transport decorator that sends nothing.
#pragma once

#include <memory>
#include <string>

#include <pintle/http/transport.hpp>

namespace pintle {

// No exchange has this id, so cancelling it has no effect.
inline constexpr http::Transport::ExchangeId no_exchange = 0;

inline bool only_reads(const std::string& method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

// Ends the exchange of `handler` on the I/O thread with an error, or with a response.
void end_exchange(http::Transport& transport, std::shared_ptr<http::ExchangeHandler> handler, Error error);
void end_exchange(http::Transport& transport, std::shared_ptr<http::ExchangeHandler> handler,
                  http::BufferedResponse response);

}  // namespace pintle
