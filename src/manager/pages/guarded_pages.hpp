// GuardedPages: shows pages to those whom the cluster lets see them, and health to everybody.
#pragma once

#include <cstddef>
#include <stop_token>

#include <pintle/http/handler.hpp>

#include "access_reviewer.hpp"

namespace pintle {

// Everything but /healthz and /readyz needs a bearer token. A token whose review is remembered is answered at once. Any
// other waits for one of few threads (http::Response::later), in a line:
// - a token that the cluster has known within the last hour goes first, each in a line of its own;
// - the others stand in the line of the address they come from (for IPv6 the network of 64 bits), those that do not
// look
//   like a JSON Web Token in a second line of that address.
// The lines take turns, and one address never has all the threads. So a flood of junk delays a new token from another
// address by one review for each address of the flood, whatever the number of its requests. Junk from the same address,
// as from behind one proxy, cannot be told apart before its review: there a token waits for the reviews of those that
// came before it, at most http::max_waiting_answers, and is answered with 503 and Retry-After at once if so many wait.
// The same holds for more than half as many addresses as that limit.
//
// Thread-safe, as the pages and the reviewer are; both must outlive it.
class GuardedPages final : public http::Handler {
 public:
  static constexpr std::size_t longest_token = std::size_t{16} << 10U;  // bytes; a longer one is nobody's

  GuardedPages(http::Handler& pages, AccessReviewer& reviewer) : pages_(pages), reviewer_(reviewer) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Ends the questions that wait for an answer, with 503.
  void stop() { stop_.request_stop(); }

 private:
  [[nodiscard]] http::Response::Line line_of(const Visit& visit, const http::Request& request) const;
  [[nodiscard]] http::Response answer(const Verdict& verdict, const http::Request& request);

  http::Handler& pages_;
  AccessReviewer& reviewer_;
  std::stop_source stop_;
};

}  // namespace pintle
