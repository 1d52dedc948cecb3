// GuardedPages: shows pages to those whom the cluster lets see them, and health to everybody.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <stop_token>

#include <pintle/http/handler.hpp>

#include "access_reviewer.hpp"

namespace pintle {

// Everything but /healthz and /readyz needs a bearer token. A review takes one of few threads, so only so many tokens
// may wait for one: any number that the cluster has known before, `most_unknown` others of the form of a JSON Web
// Token, and `most_odd` of any other form. One more is answered with 503 and Retry-After at once. Thread-safe, as the
// pages and the reviewer are; both must outlive it.
class GuardedPages final : public http::Handler {
 public:
  static constexpr int most_unknown = 16;
  static constexpr int most_odd = 4;
  static constexpr std::size_t longest_token = std::size_t{16} << 10U;  // bytes; a longer one is nobody's

  GuardedPages(http::Handler& pages, AccessReviewer& reviewer) : pages_(pages), reviewer_(reviewer) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Ends the questions that wait for an answer, with 503.
  void stop() { stop_.request_stop(); }

 private:
  // How many of one kind wait; given back when the last copy goes, also of a request that is dropped.
  using Room = std::shared_ptr<std::atomic<int>>;
  using Seat = std::shared_ptr<void>;

  // Null when there is no room for one more.
  [[nodiscard]] static Seat take_seat(const Room& room, int most);
  [[nodiscard]] Seat admit(const Visit& visit);
  [[nodiscard]] http::Response answer(const Verdict& verdict, const http::Request& request);

  http::Handler& pages_;
  AccessReviewer& reviewer_;
  std::stop_source stop_;
  Room regulars_ = std::make_shared<std::atomic<int>>(0);
  Room unknown_ = std::make_shared<std::atomic<int>>(0);
  Room odd_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace pintle
