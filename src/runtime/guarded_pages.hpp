// GuardedPages: shows pages to those whom the cluster lets see them, and health to everybody.
#pragma once

#include <stop_token>

#include <pintle/http/handler.hpp>

#include "access_reviewer.hpp"

namespace pintle {

// Everything but /healthz and /readyz needs a bearer token. Thread-safe, as the pages and the reviewer are; both must
// outlive it.
class GuardedPages final : public http::Handler {
 public:
  GuardedPages(http::Handler& pages, AccessReviewer& reviewer) : pages_(pages), reviewer_(reviewer) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Ends the questions that wait for an answer, with 503.
  void stop() { stop_.request_stop(); }

 private:
  [[nodiscard]] http::Response answer(const Verdict& verdict, const http::Request& request);

  http::Handler& pages_;
  AccessReviewer& reviewer_;
  std::stop_source stop_;
};

}  // namespace pintle
