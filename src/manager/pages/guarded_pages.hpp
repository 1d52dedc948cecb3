// SPDX-License-Identifier: Apache-2.0
// GuardedPages: restricts pages to bearer tokens with access in the cluster. The health pages and the files of the
// console are not restricted.
#pragma once

#include <cstddef>
#include <stop_token>

#include <pintle/http/handler.hpp>

#include "access_reviewer.hpp"

namespace pintle {

// Every other page requires a bearer token, in the header Authorization or, behind the proxy of
// an API server, X-Pintle-Authorization. If the review of the token is stored, the response follows immediately. Any
// other request waits for one of few threads (http::Response::deferred), in a line:
// - A token that the cluster accepted within the last hour goes first. Each such token has its own line.
// - Other tokens wait in the line of their address (for IPv6: of the 64-bit network). Those that do not have the form
//   of a JSON Web Token wait in a second line of that address.
// The lines take turns, and one address never has all threads. A flood of invalid tokens therefore delays a new token
// from another address by one review for each address of the flood, regardless of the number of requests. Invalid
// tokens from the same address, for example behind one proxy, cannot be recognised before their review: a token there
// waits for the reviews of earlier ones, at most http::max_queued_responses. If that many wait, the response is
// immediately 503 with Retry-After. The same applies if the flood has more than half as many addresses as that limit.
//
// As thread-safe as the pages and the reviewer, which must outlive this object.
class GuardedPages final : public http::Handler {
 public:
  static constexpr std::size_t max_token_size = std::size_t{16} << 10U;  // bytes; a longer token is invalid

  GuardedPages(http::Handler& pages, AccessReviewer& reviewer) : pages_(pages), reviewer_(reviewer) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Ends the reviews that wait for a response; the status of their requests is 503.
  void stop() { stop_.request_stop(); }

 private:
  [[nodiscard]] http::Response::Flow line_of(const Visit& visit, const http::Request& request) const;
  [[nodiscard]] http::Response respond(const Verdict& verdict, const http::Request& request);

  http::Handler& pages_;
  AccessReviewer& reviewer_;
  std::stop_source stop_;
};

}  // namespace pintle
